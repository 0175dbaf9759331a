// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/compile_options.h"

namespace millrace::target {

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}

std::string number(std::uint32_t field, std::uint64_t value) { return varint(field << 3) + varint(value); }

std::string bytes(std::uint32_t field, const std::string& content) {
  return varint(field << 3 | 2) + varint(content.size()) + content;
}

}  // namespace

std::string compile_options(const std::vector<CompileFlag>& flags) {
  const std::string first_device = bytes(1, std::string(1, '\0'));
  const std::string assignment = number(1, 1) + number(2, 1) + bytes(3, first_device);
  const std::string build = number(1, ~std::uint64_t{0}) + number(4, 1) + number(5, 1) + bytes(9, assignment);
  std::string options = bytes(3, build);
  for (const CompileFlag& flag : flags) {
    const std::string value = flag.is_number ? number(3, static_cast<std::uint64_t>(flag.number)) : bytes(1, flag.text);
    options += bytes(7, bytes(1, flag.name) + bytes(2, value));
  }
  return options;
}

}  // namespace millrace::target
