// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include <regex>

#include "blank.h"

namespace millrace::tidy {

namespace {

// Written in pieces, so that this file does not object to itself.
constexpr std::string_view kForbidden[] = {
    "/wo"
    "rk/",
    "/tm"
    "p/",
    "/ho"
    "me/",
    "../sha"
    "red",
    "sha"
    "red/design",
    "sha"
    "red/cases",
    "sha"
    "red/reference"};

}  // namespace

Complaints check_paths(const Tree& tree) {
  Complaints complaints;
  for (const File& file : tree) {
    std::size_t number = 0;
    for (std::string_view line : lines_of(file.text)) {
      ++number;
      for (std::string_view word : kForbidden) {
        if (line.find(word) == line.npos) continue;
        complaints.push_back(complaint(file, number, "`" + std::string(word) + "` is a place on somebody's machine"));
      }
    }
  }
  return complaints;
}

Complaints check_using_namespace(const Tree& tree) {
  static const std::regex kUsing(R"(^\s*using\s+namespace\b.*)");
  Complaints complaints;
  for (const File& file : tree) {
    if (!is_header(file) || is_in(file, "tests")) continue;
    const std::string code = blank_out(file.text);
    std::size_t number = 0;
    for (std::string_view line : lines_of(code)) {
      ++number;
      if (std::regex_match(line.begin(), line.end(), kUsing)) {
        complaints.push_back(complaint(file, number, "`using namespace` in a header reaches everyone who includes it"));
      }
    }
  }
  return complaints;
}

}  // namespace millrace::tidy
