// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/diagnosis.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

namespace millrace::target {

namespace {

constexpr std::string_view kOpenings[] = {"Mosaic failed to compile TPU kernel: ", "INTERNAL: ", "INVALID_ARGUMENT: ",
                                          "UNIMPLEMENTED: ", "RESOURCE_EXHAUSTED: "};

std::string_view first_line(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \n");
  if (from == text.npos) return {};
  text.remove_prefix(from);
  return text.substr(0, text.find('\n'));
}

std::optional<int> number_at(std::string_view text) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end != text.data() ? std::optional(n) : std::nullopt;
}

// A quoted name and two numbers behind it: "compute.py":396:31, as MLIR prints a place. The last one of a line is the
// innermost.
std::optional<SourcePlace> place_in(std::string_view line) {
  for (std::size_t end = line.rfind("\":"); end != line.npos && end > 0; end = line.rfind("\":", end - 1)) {
    const std::size_t begin = line.rfind('"', end - 1);
    const auto row = number_at(line.substr(end + 2));
    if (begin == line.npos || !row) continue;
    SourcePlace place{std::string(line.substr(begin + 1, end - begin - 1)), *row, 0};
    if (const std::size_t colon = line.find(':', end + 2); colon != line.npos)
      place.column = number_at(line.substr(colon + 1)).value_or(0);
    return place;
  }
  return {};
}

std::string number_of(std::string_view reason) {
  if (reason.size() < 6 || reason[0] != 'E' || reason.substr(5, 1) != ":") return "";
  for (std::size_t i = 1; i < 5; ++i)
    if (!std::isdigit(static_cast<unsigned char>(reason[i]))) return "";
  return std::string(reason.substr(0, 5));
}

}  // namespace

Diagnosis diagnosis_of(const std::string& message) {
  Diagnosis d;
  std::string_view reason = first_line(message);
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view opening : kOpenings)
      if (reason.starts_with(opening)) reason.remove_prefix(opening.size()), again = true;
  }
  d.error = number_of(reason);
  d.reason = std::string(reason);
  const std::string_view text = message;
  if (const std::size_t at = text.find("at location:"); at != text.npos) {
    if (const auto place = place_in(first_line(text.substr(at)))) d.place = *place;
  }
  constexpr std::string_view kInvolved = "The MLIR operation involved:";
  if (const std::size_t at = text.find(kInvolved); at != text.npos)
    d.operation = std::string(first_line(text.substr(at + kInvolved.size())).substr(0, 300));
  return d;
}

std::string status_name(int code) {
  static constexpr std::string_view kNames[] = {
      "ok",        "cancelled",      "unknown",           "invalid argument", "deadline exceeded",
      "not found", "exists",         "permission denied", "out of resources", "failed precondition",
      "aborted",   "out of range",   "unimplemented",     "internal",         "unavailable",
      "data loss", "unauthenticated"};
  if (code < 0 || code >= static_cast<int>(std::size(kNames))) return fmt::format("status {}", code);
  return std::string(kNames[code]);
}

}  // namespace millrace::target
