// SPDX-License-Identifier: Apache-2.0
// The project's own text as data, so that a checker can be shown a made-up tree as easily as the real one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tidy {

struct File {
  std::string path;  // from the project's root, with forward slashes: "src/array/npy.cpp"
  std::string text;
};

using Tree = std::vector<File>;  // sorted by path

// What a checker objects to: one line for people, opened by `path:line: `.
using Complaints = std::vector<std::string>;

// Every text file that is part of the project, except build folders and data (tests/cases, arrays, bytecode).
Tree read_tree(const std::filesystem::path& root);

std::vector<std::string_view> lines_of(std::string_view text);

bool is_cpp(const File& file);     // .h or .cpp
bool is_header(const File& file);  // .h

// "src/array/npy.cpp" is in folder "src"; and "src/array" too.
bool is_in(const File& file, std::string_view folder);

std::string complaint(const File& file, std::size_t line, const std::string& sentence);

}  // namespace millrace::tidy
