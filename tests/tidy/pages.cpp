// SPDX-License-Identifier: Apache-2.0
#include "pages.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace millrace::tidy {

namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kAny = "...";

std::string_view without_trailing_space(std::string_view line) {
  const std::size_t end = line.find_last_not_of(" \t\r");
  return end == line.npos ? std::string_view() : line.substr(0, end + 1);
}

std::vector<std::string_view> trimmed_lines(std::string_view text) {
  auto lines = lines_of(text);
  for (auto& line : lines) line = without_trailing_space(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// Glob over one line, with `...` as the star: greedy with one place to come back to.
bool line_matches(std::string_view line, std::string_view pattern) {
  std::size_t at = 0, p = 0, retry_at = 0;
  std::size_t retry_p = std::string_view::npos;
  while (at < line.size() || p < pattern.size()) {
    if (pattern.substr(p).starts_with(kAny)) {
      p += kAny.size();
      retry_p = p;
      retry_at = at;
    } else if (at < line.size() && p < pattern.size() && line[at] == pattern[p]) {
      ++at;
      ++p;
    } else if (retry_p != std::string_view::npos && retry_at < line.size()) {
      at = ++retry_at;
      p = retry_p;
    } else {
      return false;
    }
  }
  return true;
}

using Lines = std::vector<std::string_view>;

bool lines_match(const Lines& lines, std::size_t at, const Lines& pattern, std::size_t p) {
  for (; p < pattern.size(); ++p, ++at) {
    if (pattern[p] == kAny) {
      for (std::size_t rest = at; rest <= lines.size(); ++rest) {
        if (lines_match(lines, rest, pattern, p + 1)) return true;
      }
      return false;
    }
    if (at >= lines.size() || !line_matches(lines[at], pattern[p])) return false;
  }
  return at == lines.size();
}

}  // namespace

bool has_word(const Block& block, std::string_view word) {
  return std::find(block.words.begin(), block.words.end(), word) != block.words.end();
}

int expected_exit(const Block& block) {
  for (const std::string& word : block.words) {
    if (word.starts_with("exit=")) return std::stoi(word.substr(5));
  }
  return 0;
}

std::vector<Block> blocks_of(std::string_view markdown) {
  std::vector<Block> blocks;
  bool open = false, between = false;
  std::size_t number = 0;
  for (std::string_view line : lines_of(markdown)) {
    ++number;
    if (open && without_trailing_space(line) == kFence) {
      open = false;
      between = false;
    } else if (open) {
      blocks.back().text += std::string(line) + "\n";
    } else if (line.starts_with(kFence)) {
      std::istringstream words{std::string(line.substr(kFence.size()))};
      Block block{"", {}, "", number, !blocks.empty() && !between};
      words >> block.language;
      for (std::string word; words >> word;) block.words.push_back(word);
      blocks.push_back(block);
      open = true;
    } else if (!without_trailing_space(line).empty()) {
      between = true;
    }
  }
  if (open) throw std::runtime_error("the block opened in line " + std::to_string(blocks.back().line) + " never ends");
  return blocks;
}

std::vector<Step> steps_of(const Block& console) {
  std::vector<Step> steps;
  bool continues = false;
  std::size_t number = console.line;
  for (std::string_view line : lines_of(console.text)) {
    ++number;
    if (continues) {
      steps.back().command += "\n" + std::string(line);
      continues = line.ends_with('\\');
    } else if (line.starts_with("$ ")) {
      steps.push_back({std::string(line.substr(2)), "", number});
      continues = line.ends_with('\\');
    } else if (steps.empty()) {
      throw std::runtime_error("line " + std::to_string(number) + ": a console block must open with `$ command`");
    } else {
      steps.back().expected += std::string(line) + "\n";
    }
  }
  return steps;
}

bool matches(std::string_view text, std::string_view pattern) {
  return lines_match(trimmed_lines(text), 0, trimmed_lines(pattern), 0);
}

}  // namespace millrace::tidy
