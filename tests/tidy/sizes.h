// SPDX-License-Identifier: Apache-2.0
// How long lines, functions and files may be, and how a file opens.
#pragma once

#include "tree.h"

namespace millrace::tidy {

inline constexpr std::size_t kMaxColumns = 120;
inline constexpr std::size_t kMaxFunctionLines = 70;
inline constexpr std::size_t kMaxFileLines = 500;

// A function as it stands in the text, from the line its head opens on to its closing brace; lines count from 1.
struct Function {
  std::string head;
  std::size_t first_line;
  std::size_t last_line;
};

// Found by counting braces, not by understanding C++: good enough for code that clang-format has been over.
std::vector<Function> functions_in(std::string_view text);

// Characters, not bytes: a line of UTF-8 is as long as it looks.
std::size_t columns(std::string_view line);

Complaints check_lines(const Tree& tree);      // C++, CMake and shell: at most kMaxColumns
Complaints check_functions(const Tree& tree);  // C++: at most kMaxFunctionLines
Complaints check_files(const Tree& tree);      // C++: at most kMaxFileLines
Complaints check_heads(const Tree& tree);      // C++, CMake and shell: the SPDX line first (or after `#!`)

}  // namespace millrace::tidy
