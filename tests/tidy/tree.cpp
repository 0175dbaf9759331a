// SPDX-License-Identifier: Apache-2.0
#include "tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace millrace::tidy {

namespace {

namespace fs = std::filesystem;

// Folders at the root that are the project's; whatever else lies there (build folders, tools' caches) is not ours.
constexpr std::string_view kFolders[] = {"bench",  "cmake",   "docs", "examples", "include",
                                         "python", "scripts", "src",  "tests",    ".ci"};

bool is_text(const fs::path& path) {
  static const std::set<std::string> kEndings = {".h",  ".cpp", ".md",   ".cmake", ".sh",  ".td", ".txt",
                                                 ".in", ".py",  ".json", ".pc",    ".map", ".yml"};
  const std::string name = path.filename().string();
  return kEndings.contains(path.extension().string()) || name == "Makefile" || name == "run" || name == ".gitignore";
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add(Tree& tree, const fs::path& root, const fs::path& path) {
  if (is_text(path)) tree.push_back({path.lexically_relative(root).generic_string(), read(path)});
}

}  // namespace

Tree read_tree(const fs::path& root) {
  Tree tree;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.is_regular_file()) add(tree, root, entry.path());
  }
  for (std::string_view folder : kFolders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) add(tree, root, entry.path());
    }
  }
  std::erase_if(tree, [](const File& file) { return is_in(file, "tests/cases"); });
  std::sort(tree.begin(), tree.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return tree;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_header(const File& file) { return file.path.ends_with(".h"); }
bool is_cpp(const File& file) { return is_header(file) || file.path.ends_with(".cpp"); }

bool is_in(const File& file, std::string_view folder) {
  return file.path.starts_with(folder) && file.path.size() > folder.size() && file.path[folder.size()] == '/';
}

std::string complaint(const File& file, std::size_t line, const std::string& sentence) {
  return file.path + ":" + std::to_string(line) + ": " + sentence;
}

}  // namespace millrace::tidy
