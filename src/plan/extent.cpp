// SPDX-License-Identifier: Apache-2.0
#include "plan/extent.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "millrace/error.h"

namespace millrace::plan {
namespace {

std::optional<std::int64_t> parse_count(std::string_view digits) {
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, fault] = std::from_chars(digits.data(), end, value);
  if (fault != std::errc{} || stop != end || digits.empty()) return std::nullopt;
  return value;
}

}  // namespace

Extent parse_extent(std::string_view text, std::string_view what) {
  const std::size_t times = text.find('x');
  if (times != std::string_view::npos) {
    const auto rows = parse_count(text.substr(0, times));
    const auto columns = parse_count(text.substr(times + 1));
    if (rows && columns && *rows >= 1 && *columns >= 1) return {*rows, *columns};
  }
  throw Error(
      ErrorCode::kUser,
      fmt::format("{} `{}` is not ROWSxCOLUMNS with two whole numbers, both at least 1 (such as 8x128)", what, text));
}

std::string to_string(Extent extent) { return fmt::format("{}x{}", extent.rows, extent.columns); }

}  // namespace millrace::plan
