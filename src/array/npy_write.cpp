// SPDX-License-Identifier: Apache-2.0
// Writes .npy files of format 1.0: 32 dimensions of 19 digits stay far below the 65,535 bytes of its header.
#include <fmt/format.h>

#include "array/npy_type.h"
#include "millrace/array.h"
#include "millrace/file.h"

namespace millrace {
namespace {

// Everything before the data: a multiple of 64 bytes, so that the data can be mapped aligned.
std::string head_of(const Array& array) {
  constexpr std::size_t kBeforeDict = 10, kAlignment = 64;
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", npy_descr(array.dtype()),
                                 to_string(array.shape()));
  const std::size_t used = (kBeforeDict + dict.size() + 1) % kAlignment;
  dict.append(used == 0 ? 0 : kAlignment - used, ' ');
  dict += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(dict.size() & 0xff);
  head += static_cast<char>(dict.size() >> 8);
  return head + dict;
}

}  // namespace

void write_npy(const std::filesystem::path& path, const Array& array) {
  write_whole_file(path, head_of(array), {reinterpret_cast<const char*>(array.data()), array.bytes()});
}

}  // namespace millrace
