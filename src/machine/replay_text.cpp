// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "machine/replay.h"
#include "millrace/error.h"

namespace millrace::machine {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

template <class T>
bool read_number(std::string_view word, T& number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() && number >= 0;
}

bool read_core(std::string_view word, std::pair<int, int>& core) {
  const std::size_t dot = word.find('.');
  if (dot == word.npos) return read_number(word, core.second);
  return read_number(word.substr(0, dot), core.first) && read_number(word.substr(dot + 1), core.second);
}

std::optional<Move> move_of(const std::vector<std::string_view>& words) {
  Move m;
  if (words.size() < 3 || !read_core(words[1], m.core) || !read_number(words[2], m.number)) return {};
  if (words[0] == "core" && words.size() == 3) return m;
  if (words[0] != "dma" || words.size() != 4) return {};
  if (words[3] == "read") m.kind = Move::Kind::kRead;
  if (words[3] == "write") m.kind = Move::Kind::kWrite;
  if (words[3] == "progress") m.kind = Move::Kind::kProgress;
  if (words[3] == "signal") m.kind = Move::Kind::kSignal;
  if (words[3] == "hold") m.kind = Move::Kind::kHold;
  if (words[3] == "send-progress") m.kind = Move::Kind::kSendProgress;
  return m.kind == Move::Kind::kCore ? std::nullopt : std::optional(m);
}

}  // namespace

std::vector<Move> parse_schedule(std::string_view text, const std::string& name) {
  std::vector<Move> moves;
  bool begun = false;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty() || words[0].starts_with('#')) continue;
    if (!begun) {
      begun = words.size() == 3 && words[0] == "millrace" && words[1] == "schedule" && words[2] == "1";
      if (begun) continue;
      throw Error(ErrorCode::kUser, fmt::format("{} is no schedule: it must begin with `millrace schedule 1`", name));
    }
    const std::optional<Move> move = move_of(words);
    if (!move)
      throw Error(ErrorCode::kUser, fmt::format("{}, line {}: take `core CORE COUNT` or `dma CORE NUMBER "
                                                "read|write|progress|send-progress|signal|hold`, numbers from 0",
                                                name, line));
    moves.push_back(*move);
    moves.back().line = line;
  }
  if (!begun)
    throw Error(ErrorCode::kUser, fmt::format("{} is no schedule: it must begin with `millrace schedule 1`", name));
  return moves;
}

}  // namespace millrace::machine
