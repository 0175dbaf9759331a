// SPDX-License-Identifier: Apache-2.0
// Reads .npy files. The size of the file is held against what its header says before anything is allocated for it.
#include "array/npy_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "array/npy_dict.h"
#include "array/npy_type.h"
#include "array/shape.h"
#include "millrace/array.h"

namespace millrace {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kPreamble = 12;  // magic, version and length of the header, in its longer form

// Where the parts of a file stand, in bytes from its beginning.
struct Frame {
  std::uint64_t dict = 0;
  std::uint64_t data = 0;
  std::uint64_t end = 0;
};

[[noreturn]] void refuse(const std::string& name, const std::string& predicate) {
  throw Error(ErrorCode::kUser, fmt::format("{} {}", name, predicate));
}

// `preamble` is the beginning of a file of `size` bytes: its first kPreamble, or all there are.
Frame frame_of(std::string_view preamble, std::uint64_t size, const std::string& name) {
  if (size == 0) refuse(name, "is empty, not a .npy file");
  if (!preamble.starts_with(kMagic)) {
    const bool begun = kMagic.starts_with(preamble);
    const bool zip = preamble.starts_with("PK\x03\x04");
    refuse(name, begun ? fmt::format("is cut off inside its header: it has only {} bytes", size)
                       : fmt::format("is not a .npy file: it begins with {}, not with \\x93NUMPY{}",
                                     printable(preamble.substr(0, kMagic.size())),
                                     zip ? " (an .npz archive? save its arrays one by one)" : ""));
  }
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(preamble[i])); };
  if (preamble.size() < 8) refuse(name, fmt::format("is cut off inside its header: it has only {} bytes", size));
  const std::uint64_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(name, fmt::format("is a .npy file of format {}.{}; formats 1.0, 2.0 and 3.0 are read", major, minor));
  }
  const std::size_t dict = major == 1 ? 10 : 12;
  if (preamble.size() < dict) refuse(name, fmt::format("is cut off inside its header: it has only {} bytes", size));
  std::uint64_t length = 0;
  for (std::size_t i = dict; i > 8; --i) length = length << 8 | byte(i - 1);
  if (dict + length > size) {
    refuse(name, fmt::format("is cut off inside its header: that should end at byte {}, the file at byte {}",
                             dict + length, size));
  }
  return {dict, dict + length, size};
}

enum class Order { kC, kAny };

// Whether Fortran's order and C's differ for this array.
bool is_transposed(const NpyDict& dict) {
  const auto long_dimensions = std::ranges::count_if(dict.shape, [](auto n) { return n > 1; });
  return dict.fortran_order && long_dimensions > 1 && std::ranges::find(dict.shape, 0) == dict.shape.end();
}

// The array that the header describes, still zero. Nothing is allocated unless the file has exactly its bytes.
Array empty_array(const NpyDict& dict, const Frame& frame, std::optional<DType> as, Order order,
                  const std::string& name) {
  const DType type = npy_type(dict.descr, as, name);
  const auto count = checked_count(dict.shape);
  const std::size_t element = size_of(type);
  if (!count || *count > kMaxElements / static_cast<std::int64_t>(element)) {
    refuse(name, fmt::format("has shape {}, which needs more than 2^62 bytes", to_string(dict.shape)));
  }
  if (order == Order::kC && is_transposed(dict)) {
    refuse(name, fmt::format("is in Fortran order with shape {}; C order is read: save numpy.ascontiguousarray(x)",
                             to_string(dict.shape)));
  }
  const std::uint64_t expected = frame.data + static_cast<std::uint64_t>(*count) * element;
  if (frame.end != expected) {
    refuse(name, fmt::format("is {}: its header and {} elements of shape {} take {} bytes, the file has {}",
                             frame.end < expected ? "cut off" : "too long", name_of(type), to_string(dict.shape),
                             expected, frame.end));
  }
  return Array(type, dict.shape);
}

// A byte of an i1 array is 0 or 1; numpy takes any other for true.
void normalize(Array& array) {
  if (array.dtype() != DType::i1) return;
  for (std::uint8_t& byte : array.as<std::uint8_t>()) byte = byte != 0;
}

// Elements of `Bytes` bytes in Fortran order, the first index fastest, to C order, the last index fastest.
template <std::size_t Bytes>
void to_c_order(const std::byte* from, std::byte* to, const Shape& shape) {
  const std::size_t rank = shape.size();
  std::vector<std::int64_t> index(rank, 0), stride(rank, 1);
  for (std::size_t d = 1; d < rank; ++d) stride[d] = stride[d - 1] * shape[d - 1];
  std::int64_t offset = 0;
  for (;;) {
    std::memcpy(to, from + offset * static_cast<std::int64_t>(Bytes), Bytes);
    to += Bytes;
    std::size_t d = rank;
    while (d-- > 0) {
      offset += stride[d];
      if (++index[d] < shape[d]) break;
      offset -= stride[d] * shape[d];
      index[d] = 0;
      if (d == 0) return;
    }
  }
}

Array in_c_order(Array array, const NpyDict& dict) {
  if (!is_transposed(dict)) return array;
  Array result = Array::unset(array.dtype(), array.shape());
  switch (size_of(array.dtype())) {
    case 1: to_c_order<1>(array.data(), result.data(), array.shape()); break;
    case 2: to_c_order<2>(array.data(), result.data(), array.shape()); break;
    default: to_c_order<4>(array.data(), result.data(), array.shape());
  }
  return result;
}

std::string read_text(std::ifstream& in, std::uint64_t bytes, const std::string& name) {
  std::string text(bytes, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(bytes))) refuse(name, "could not be read to its end");
  return text;
}

Array parse(std::span<const std::byte> file, const std::string& name, std::optional<DType> as, Order order) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const Frame frame = frame_of(text.substr(0, kPreamble), text.size(), name);
  const NpyDict dict = parse_npy_dict(text.substr(frame.dict, frame.data - frame.dict), name);
  Array array = empty_array(dict, frame, as, order, name);
  std::ranges::copy(file.subspan(frame.data), array.data());
  normalize(array);
  return in_c_order(std::move(array), dict);
}

Array read(const std::filesystem::path& path, std::optional<DType> as, Order order) {
  const std::string name = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) refuse(name, "does not exist");
  if (!std::filesystem::exists(status)) refuse(name, "cannot be read: " + error.message());
  if (std::filesystem::is_directory(status)) refuse(name, "is a directory, not a .npy file");
  if (!std::filesystem::is_regular_file(status)) refuse(name, "is not a regular file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (error || !in) refuse(name, fmt::format("cannot be read: {}", error ? error.message() : std::strerror(errno)));

  const std::string preamble = read_text(in, std::min<std::uint64_t>(size, kPreamble), name);
  const Frame frame = frame_of(preamble, size, name);
  in.seekg(static_cast<std::streamoff>(frame.dict));
  const NpyDict dict = parse_npy_dict(read_text(in, frame.data - frame.dict, name), name);
  Array array = empty_array(dict, frame, as, order, name);
  if (array.bytes() > 0 && !in.read(reinterpret_cast<char*>(array.data()), static_cast<std::streamsize>(array.bytes())))
    refuse(name, "could not be read to its end");
  normalize(array);
  return in_c_order(std::move(array), dict);
}

}  // namespace

Array parse_npy(std::span<const std::byte> file, const std::string& name, std::optional<DType> as) {
  return parse(file, name, as, Order::kC);
}

Array read_npy(const std::filesystem::path& path, std::optional<DType> as) { return read(path, as, Order::kC); }

Array parse_npy_in_any_order(std::span<const std::byte> file, const std::string& name, std::optional<DType> as) {
  return parse(file, name, as, Order::kAny);
}

Array read_npy_in_any_order(const std::filesystem::path& path, std::optional<DType> as) {
  return read(path, as, Order::kAny);
}

}  // namespace millrace
