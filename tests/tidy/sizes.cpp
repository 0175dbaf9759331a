// SPDX-License-Identifier: Apache-2.0
#include "sizes.h"

#include <algorithm>

namespace millrace::tidy {

namespace {

bool is_script(const File& file) {
  return file.path.ends_with(".cmake") || file.path.ends_with("CMakeLists.txt") || file.path.ends_with(".sh") ||
         file.path.ends_with("Makefile") || file.path == ".ci/run";
}

std::string count_of(std::size_t n, std::size_t most, const std::string& what) {
  return std::to_string(n) + " " + what + "; at most " + std::to_string(most);
}

}  // namespace

std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Complaints check_lines(const Tree& tree) {
  Complaints complaints;
  for (const File& file : tree) {
    if (!is_cpp(file) && !is_script(file)) continue;
    std::size_t number = 0;
    for (std::string_view line : lines_of(file.text)) {
      ++number;
      const std::size_t length = columns(line);
      if (length > kMaxColumns) complaints.push_back(complaint(file, number, count_of(length, kMaxColumns, "columns")));
    }
  }
  return complaints;
}

Complaints check_functions(const Tree& tree) {
  Complaints complaints;
  for (const File& file : tree) {
    if (!is_cpp(file)) continue;
    for (const Function& f : functions_in(file.text)) {
      const std::size_t length = f.last_line - f.first_line + 1;
      if (length <= kMaxFunctionLines) continue;
      const std::string name = f.head.substr(0, f.head.find('('));
      complaints.push_back(
          complaint(file, f.first_line, name + " has " + count_of(length, kMaxFunctionLines, "lines")));
    }
  }
  return complaints;
}

Complaints check_files(const Tree& tree) {
  Complaints complaints;
  for (const File& file : tree) {
    if (!is_cpp(file)) continue;
    const std::size_t length = lines_of(file.text).size();
    if (length > kMaxFileLines) complaints.push_back(complaint(file, length, count_of(length, kMaxFileLines, "lines")));
  }
  return complaints;
}

Complaints check_heads(const Tree& tree) {
  constexpr std::string_view kLicense = "SPDX-License-Identifier: Apache-2.0";
  Complaints complaints;
  for (const File& file : tree) {
    if (!is_cpp(file) && !is_script(file)) continue;
    const std::string wanted = (is_cpp(file) ? "// " : "# ") + std::string(kLicense);
    const auto lines = lines_of(file.text);
    const std::size_t first = !lines.empty() && lines[0].starts_with("#!") ? 1 : 0;
    if (lines.size() > first && lines[first] == wanted) continue;
    complaints.push_back(complaint(file, first + 1, "must open with `" + wanted + "`"));
  }
  return complaints;
}

}  // namespace millrace::tidy
