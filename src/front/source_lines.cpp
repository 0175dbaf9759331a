// SPDX-License-Identifier: Apache-2.0
#include "front/source_lines.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "report/place.h"

namespace millrace::front {

namespace {

namespace fs = std::filesystem;

constexpr int kAround = 3;
constexpr std::uintmax_t kMostBytes = 8u << 20;
constexpr std::size_t kMostFiles = 200, kMostColumns = 400;
constexpr std::array kSuffixes = {".py", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".mlir"};

bool is_source(const fs::path& path) {
  std::error_code error;
  if (std::find(kSuffixes.begin(), kSuffixes.end(), path.extension()) == kSuffixes.end()) return false;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) <= kMostBytes && !error;
}

// Empty where there is none.
fs::path first_source(const std::vector<fs::path>& paths) {
  const auto at = std::find_if(paths.begin(), paths.end(), is_source);
  return at == paths.end() ? fs::path() : *at;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.find('\0') != line.npos) return {};
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line.substr(0, kMostColumns));
  }
  return lines;
}

}  // namespace

SourceLines source_lines(const std::vector<Finding>& findings, const fs::path& module) {
  std::error_code error;
  const fs::path beside = fs::is_directory(module, error) ? module : module.parent_path();
  return source_lines(findings, [&](const std::string& name) {
    return std::vector<fs::path>{name, beside / name, beside / fs::path(name).filename()};
  });
}

SourceLines source_lines(const std::vector<Finding>& findings, const Places& where) {
  std::map<std::string, std::set<int>> wanted;
  for (const Finding& f : findings)
    for (const report::Spot& spot : report::spots_of(f))
      if (!spot.location.file.empty() && spot.location.line > 0) wanted[spot.location.file].insert(spot.location.line);
  SourceLines all;
  std::size_t files = 0;
  for (const auto& [name, places] : wanted) {
    if (++files > kMostFiles) break;
    const fs::path path = first_source(where(name));
    if (path.empty()) continue;
    const std::vector<std::string> lines = lines_of(path);
    for (const int place : places)
      for (int line = std::max(place - kAround, 1); line <= place + kAround; ++line)
        if (static_cast<std::size_t>(line) <= lines.size()) all[name][line] = lines[static_cast<std::size_t>(line - 1)];
  }
  return all;
}

}  // namespace millrace::front
