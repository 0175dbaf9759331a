// SPDX-License-Identifier: Apache-2.0
#include "arrows.h"

#include <map>
#include <optional>
#include <set>

namespace millrace::tidy {

namespace {

using Names = std::set<std::string, std::less<>>;

// The room -> the rooms below it. Every room may include itself and the vocabulary.
const std::map<std::string, Names, std::less<>> kBelow = {
    {"array", {}},
    {"mosaic", {}},
    {"event", {}},
    {"plan", {}},
    {"dsl", {"mosaic"}},
    {"program", {"event", "mosaic"}},
    {"machine", {"program", "event", "array"}},
    {"check", {"event"}},
    {"rules", {"event", "mosaic", "plan", "program"}},
    {"explore", {"event"}},
    {"timing", {"event", "check", "plan"}},
    {"view", {"event", "timing"}},
    {"lab", {"plan", "target"}},
    {"api", {"array", "mosaic", "event", "plan", "dsl", "program", "machine", "check", "explore", "timing", "view"}},
    {"bench", {"event", "explore", "front", "lab", "plan", "target", "timing", "view"}},
    {"target", {"api", "array", "event", "machine", "mosaic", "program"}},  // all but the first two: cpu/
    {"report", {"array", "check"}},
    {"front",
     {"api", "array", "check", "event", "explore", "machine", "mosaic", "plan", "program", "report", "rules", "target",
      "timing", "view"}},
    {"c_api", {"api", "array", "check", "front", "machine", "mosaic", "plan", "program", "report", "timing", "view"}},
    {"cli", {"bench", "front", "lab", "plan", "report", "target", "timing", "view"}},
};

// Single headers that a room may include of a room that it may not otherwise see.
const std::map<std::string, Names, std::less<>> kBesides = {
    {"machine", {"mosaic/ir.h", "mosaic/tiling.h"}},
    {"view", {"plan/digits.h"}},                // how people read numbers
    {"lab", {"dsl/trace.h", "mosaic/io.h"}},    // the kernel as the TPU compiler takes it
    {"bench", {"dsl/trace.h", "mosaic/io.h"}},  // and as `view` takes it
};

// Public headers that carry words, not work: every room may speak them.
const Names kVocabulary = {"millrace/array.h",  "millrace/dtype.h", "millrace/error.h",
                           "millrace/export.h", "millrace/file.h",  "millrace/report.h"};

const Names kGenerated = {"millrace_commit.h"};

// Rooms that are written against the public headers.
const Names kOnPublicHeaders = {"dsl", "lab", "api", "front", "c_api", "bench", "cli", "target"};

struct Include {
  std::string target;
  bool quoted;
};

std::optional<Include> parse_include(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("include")) return {};
  const std::size_t open = line.find_first_of("<\"");
  if (open == line.npos) return {};
  const std::size_t close = line.find_first_of(">\"", open + 1);
  if (close == line.npos) return {};
  return Include{std::string(line.substr(open + 1, close - open - 1)), line[open] == '"'};
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == path.npos ? std::string() : std::string(path.substr(0, slash));
}

// <vector>, <unistd.h>, <sys/wait.h>
bool is_standard(const Include& include) {
  if (include.quoted) return false;
  return include.target.find('/') == std::string::npos || include.target.starts_with("sys/");
}

// A library's headers, and whether this file may see them.
std::optional<std::string> library_fault(const File& file, const std::string& library) {
  const bool in_tests = is_in(file, "tests") || is_in(file, "src/bench");
  if (library == "mlir" || library == "mlir-c" || library == "llvm" || library == "llvm-c") {
    if (is_in(file, "src/mosaic") || is_in(file, "tests/mosaic") || is_in(file, "src/target/cpu")) return {};
    return "only src/mosaic and src/target/cpu see MLIR and LLVM";
  }
  if (is_in(file, "include") || is_in(file, "examples")) return "public headers and examples use no library but std";
  if (library == "CLI") return is_in(file, "src/cli") ? std::nullopt : std::optional("only src/cli sees CLI11");
  if (library == "fmt" || library == "nlohmann") return {};
  if (library == "gtest" || library == "gmock" || library == "rapidcheck" || library == "benchmark") {
    return in_tests ? std::nullopt : std::optional("test libraries belong into tests/ and src/bench");
  }
  return "nobody knows this header; write \"room/file.h\" or \"millrace/file.h\"";
}

std::optional<std::string> public_header_fault(const std::string& room, const std::string& target) {
  if (room.empty() || kVocabulary.contains(target) || kOnPublicHeaders.contains(room)) return {};
  return "room " + room + " may include only the public headers that are vocabulary (tests/tidy/arrows.cpp lists them)";
}

std::optional<std::string> room_fault(const std::string& room, const std::string& other, const std::string& target) {
  if (room == other) return {};
  if (const auto besides = kBesides.find(room); besides != kBesides.end() && besides->second.contains(target))
    return {};
  const auto below = kBelow.find(room);
  if (below == kBelow.end()) return "room " + room + " is not in the list of rooms (tests/tidy/arrows.cpp)";
  if (below->second.contains(other)) return {};
  return "room " + room + " must not know room " + other;
}

// The room of a file under src/; empty for every other file.
std::string room_of(const File& file) {
  return is_in(file, "src") ? folder_of(std::string_view(file.path).substr(4)) : std::string();
}

std::optional<std::string> fault(const File& file, const Include& include) {
  const std::string& target = include.target;
  const std::string folder = folder_of(target);
  const std::string room = room_of(file);
  if (is_standard(include)) return {};
  if (folder == "millrace") return public_header_fault(room, target);
  if (kBelow.contains(folder)) {
    if (is_in(file, "include") || is_in(file, "examples")) return "public headers and examples must not see src/";
    return room.empty() ? std::nullopt : room_fault(room, folder, target);
  }
  // What the build writes has no folder; a test may have helpers of its own beside it.
  if (folder.empty() && kGenerated.contains(target)) return {};
  if (folder.empty() && is_in(file, "src/mosaic") && target.ends_with(".inc")) return {};
  if (is_in(file, "tests") && (folder.empty() || folder == "tests")) return {};
  return library_fault(file, folder);
}

}  // namespace

Complaints check_arrows(const Tree& tree) {
  Complaints complaints;
  for (const File& file : tree) {
    if (!is_cpp(file)) continue;
    std::size_t number = 0;
    for (std::string_view line : lines_of(file.text)) {
      ++number;
      const auto include = parse_include(line);
      if (!include) continue;
      if (const auto why = fault(file, *include)) {
        complaints.push_back(complaint(file, number, "includes " + include->target + ": " + *why));
      }
    }
  }
  return complaints;
}

}  // namespace millrace::tidy
