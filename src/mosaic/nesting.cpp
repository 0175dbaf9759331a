// SPDX-License-Identifier: Apache-2.0
// Counts brackets outside strings and comments, and looks for the one phrase that MLIR's parser does not survive.
#include "mosaic/nesting.h"

#include <fmt/format.h>

#include "millrace/error.h"

namespace millrace::mosaic {
namespace {

// The position after a string that opens at `at`.
std::size_t past_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t past_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end;
}

SourcePlace place_of(std::string_view text, std::size_t at, const std::string& name) {
  SourcePlace place{name, 1, 1};
  for (const char c : text.substr(0, at)) {
    place.column = c == '\n' ? 1 : place.column + 1;
    place.line += c == '\n';
  }
  return place;
}

// MLIR's parser runs into the open where an array attribute has elements of type index, by name or by an alias.
bool opens_index_array(std::string_view text, std::size_t at) {
  if (text[at] != '<' || !text.substr(0, at).ends_with("array")) return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
  return next != std::string_view::npos && (text[next] == '!' || text.substr(next).starts_with("index"));
}

}  // namespace

void check_text_nesting(std::string_view text, const std::string& name) {
  int depth = 0, signs = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = past_string(text, at);
      continue;
    }
    if (c == '/' && text.substr(at, 2) == "//") {
      at = past_line(text, at);
      continue;
    }
    const bool arrow = c == '-' && text.substr(at, 2) == "->";
    if (arrow) ++at;  // its `>` closes nothing
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (!arrow && (c == ')' || c == ']' || c == '}' || c == '>') && depth > 0) --depth;
    // A run of minus signs recurses in MLIR's parser of affine expressions as brackets do.
    if (c == '-' && !arrow) ++signs;
    if (c != '-' && c != ' ' && c != '\n' && c != '\t' && c != '\r') signs = 0;
    if (opens_index_array(text, at)) {
      throw Error(ErrorCode::kUser, "array attributes hold integers or floats of a stated width",
                  place_of(text, at, name));
    }
    if (depth > kMaxBracketDepth || signs > kMaxBracketDepth) {
      throw Error(ErrorCode::kUser, fmt::format("the text nests deeper than {} brackets", kMaxBracketDepth),
                  place_of(text, at, name));
    }
    ++at;
  }
}

}  // namespace millrace::mosaic
