// SPDX-License-Identifier: Apache-2.0
// Reads the bytes and variable-length numbers of MLIR bytecode without running past their end.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::mosaic {

// Thrown inside the bytecode checks; check_bytecode makes an Error of it.
struct Damage {
  std::string what;
};

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  std::string_view view() const { return rest_; }

  std::uint8_t byte() {
    if (rest_.empty()) throw Damage{"it ends too early"};
    const auto result = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return result;
  }

  Bytes take(std::uint64_t count) {
    if (count > rest_.size()) throw Damage{fmt::format("it states {} bytes where {} are left", count, rest_.size())};
    const Bytes result(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return result;
  }

  // The number of zero bits at the low end of the first byte is the number of bytes that follow.
  std::uint64_t number() {
    const std::uint8_t first = byte();
    const int more = first == 0 ? 8 : std::countr_zero(first);
    std::uint64_t value = first == 0 ? 0 : static_cast<std::uint64_t>(first) >> (more + 1);
    const int kept = first == 0 ? 0 : 7 - more;
    for (int i = 0; i < more; ++i) value |= static_cast<std::uint64_t>(byte()) << (kept + 8 * i);
    return value;
  }

  std::int64_t signed_number() {
    const std::uint64_t coded = number();
    return static_cast<std::int64_t>((coded >> 1) ^ (~(coded & 1) + 1));
  }

  // The number of things that follow, each of at least one byte.
  std::uint64_t count(const char* of) {
    const std::uint64_t result = number();
    if (result > rest_.size())
      throw Damage{fmt::format("it states {} {} where {} bytes are left", result, of, rest_.size())};
    return result;
  }

  void skip_numbers(std::uint64_t count) {
    for (; count > 0; --count) number();
  }

 private:
  std::string_view rest_;
};

}  // namespace millrace::mosaic
