// SPDX-License-Identifier: Apache-2.0
#include "array/visible.h"

#include <fmt/format.h>

namespace millrace {

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n')
      result += c;
    else
      result += fmt::format("\\x{:02x}", byte);
  }
  return result;
}

}  // namespace millrace
