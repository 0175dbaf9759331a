// SPDX-License-Identifier: Apache-2.0
#include "check/file_and_line.h"

#include <charconv>

namespace millrace::checkers {

std::optional<std::pair<std::string, int>> file_and_line(std::string_view at) {
  const std::size_t colon = at.rfind(':');
  if (colon == at.npos || colon == 0) return {};
  int line = 0;
  const char* end = at.data() + at.size();
  const auto [stop, error] = std::from_chars(at.data() + colon + 1, end, line);
  if (error != std::errc() || stop != end || line <= 0) return {};
  return std::pair(std::string(at.substr(0, colon)), line);
}

}  // namespace millrace::checkers
