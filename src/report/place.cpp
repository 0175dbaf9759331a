// SPDX-License-Identifier: Apache-2.0
#include "report/place.h"

#include <fmt/format.h>

#include <filesystem>

#include "check/file_and_line.h"

namespace millrace::report {

namespace {

Spot spot_of(const Side& side) {
  Spot s{location_of(side.at, side.where), side.at, side.access, ""};
  if (s.what.empty()) s.what = "here";
  const std::string step = side.grid_step.empty() ? "" : "grid step " + millrace::to_string(side.grid_step);
  if (side.core != 0 || side.device != 0) s.what += fmt::format(", core {}", side.core);
  if (side.device != 0) s.what += fmt::format(" of device {}", side.device);
  if (!step.empty() && side.at.empty()) {
    s.location.scope = step;  // a move of the grid's own pipeline is in no line
    return s;
  }
  s.nth = fmt::format("the {} time{}{}", ordinal(side.nth), step.empty() ? "" : ", ", step);
  return s;
}

Spot spot_of(const Waiter& w) {
  Spot s{location_of(w.at, ""), w.at, "", fmt::format("the {} time", ordinal(w.nth))};
  s.what = fmt::format("core {} waits on {}: has {}, needs {}", w.core, w.semaphore, w.has, w.needs);
  return s;
}

}  // namespace

Location location_of(std::string_view at, std::string_view where) {
  if (const auto l = checkers::file_and_line(at)) return {l->first, l->second, ""};
  Location location{"", 0, std::string(at)};
  const std::size_t enclosing = where.rfind("at ");
  if (enclosing == where.npos || (enclosing > 0 && where[enclosing - 1] != ' ')) return location;
  if (const auto l = checkers::file_and_line(where.substr(enclosing + 3)))
    location.file = l->first, location.line = l->second;
  return location;
}

std::string to_string(const Location& l) {
  const std::string line = l.line > 0 ? fmt::format("{}:{}", l.file, l.line) : "";
  return l.scope + (l.scope.empty() || line.empty() ? "" : " at ") + line;
}

std::vector<Spot> spots_of(const Finding& f) {
  std::vector<Spot> spots;
  for (const auto* side : {&f.second, &f.first})
    if (*side) spots.push_back(spot_of(**side));
  for (const Waiter& w : f.waiters) spots.push_back(spot_of(w));
  if (spots.empty() && !f.at.empty()) spots.push_back({location_of(f.at, ""), f.at, "here", ""});
  return spots;
}

std::string ordinal(std::uint64_t from_zero) {
  const std::uint64_t n = from_zero + 1;
  const bool teen = n % 100 >= 11 && n % 100 <= 13;
  const char* ending = teen || n % 10 > 3 || n % 10 == 0 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : "rd";
  return fmt::format("{}{}", n, ending);
}

std::string Naming::file(const std::string& path) const {
  namespace fs = std::filesystem;
  const fs::path plain = fs::path(path).lexically_normal();
  if (!plain.is_absolute() || here.empty()) return plain.generic_string();
  const fs::path below = plain.lexically_relative(fs::path(here).lexically_normal());
  return (below.empty() || *below.begin() == ".." ? plain : below).generic_string();
}

std::string Naming::source(const std::string& path) const {
  const std::filesystem::path file_path(path);
  return file(file_path.is_absolute() || prefix.empty() ? path : (std::filesystem::path(prefix) / path).string());
}

}  // namespace millrace::report
