// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <optional>

#include "front/base64.h"
#include "mutate.h"
#include "words.h"

namespace millrace::fuzz {

namespace {

constexpr std::size_t kMostText = 1 << 18;

// A piece of a text, and what can stand in its place.
enum class Piece { kNumber, kName, kWord, kString, kBracketed };

struct Span {
  std::size_t begin = 0, end = 0;
};

std::vector<Span> lines_of(std::string_view text) {
  std::vector<Span> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back({begin, end});
    begin = end;
  }
  return lines;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$'; }

std::size_t past_brackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < std::min(text.size(), at + 4000); ++i) {
    if (std::string_view("([{<").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}>").find(text[i]) != std::string_view::npos && --depth == 0) return i + 1;
  }
  return at + 1;
}

Piece piece_at(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '"') return Piece::kString;
  if (c == '%' || c == '@' || c == '^') return Piece::kName;
  if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-') return Piece::kNumber;
  return is_word(c) || c == '#' || c == '!' ? Piece::kWord : Piece::kBracketed;
}

std::size_t piece_end(std::string_view text, std::size_t at) {
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  if (std::string_view("([{<").find(text[at]) != std::string_view::npos) return past_brackets(text, at);
  std::size_t end = at + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  // #tpu.memory_space<vmem> as a whole, more often than not
  if ((text[at] == '#' || text[at] == '!') && end < text.size() && text[end] == '<') return past_brackets(text, end);
  return end;
}

bool begins_piece(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (std::string_view("\"%@^#!([{<-").find(c) != std::string_view::npos) return true;
  return is_word(c) && (at == 0 || !is_word(text[at - 1]));
}

// The first piece of this kind behind a place chosen at random; from the beginning where there is none.
Span some_piece(std::string_view text, std::optional<Piece> kind, Random& random) {
  if (text.empty()) return {};
  const std::size_t from = random.below(text.size());
  for (std::size_t step = 0; step < text.size(); ++step) {
    const std::size_t at = (from + step) % text.size();
    if (!begins_piece(text, at) || (kind && piece_at(text, at) != *kind)) continue;
    return {at, piece_end(text, at)};
  }
  return {};
}

std::string_view of(std::string_view text, Span span) { return text.substr(span.begin, span.end - span.begin); }

std::string replacement(std::string_view text, Piece kind, Random& random) {
  if (random.one_in(2)) return std::string(of(text, some_piece(text, kind, random)));
  switch (kind) {
    case Piece::kNumber: return std::string(random.of(number_words()));
    case Piece::kName: return random.of({"%0", "%arg0", "%arg1", "@transform_0", "@main", "%undefined", "^bb0"});
    case Piece::kString: return "\"" + std::string(random.of(operation_words())) + "\"";
    default: return std::string(random.one_in(2) ? random.of(type_words()) : random.of(attribute_words()));
  }
}

std::string replace_piece(std::string_view text, std::string_view from, Random& random) {
  const Span span = some_piece(text, {}, random);
  if (span.end == 0) return std::string(text);
  std::string result(text);
  return result.replace(span.begin, span.end - span.begin, replacement(from, piece_at(text, span.begin), random));
}

std::string change_lines(std::string_view text, std::string_view other, Random& random) {
  const std::vector<Span> lines = lines_of(text), others = lines_of(other);
  if (lines.empty() || others.empty()) return std::string(text);
  const Span a = random.of(lines), b = random.of(lines), c = random.of(others);
  std::string result(text);
  switch (random.below(5)) {
    case 0: return result.erase(a.begin, a.end - a.begin);
    case 1: return result.insert(a.begin, of(text, a));
    case 2: return result.insert(a.begin, of(other, c));
    case 3: return result.replace(a.begin, a.end - a.begin, of(text, b));
    default: {
      const Span& first = a.begin < b.begin ? a : b;
      const Span& second = a.begin < b.begin ? b : a;
      result.replace(second.begin, second.end - second.begin, of(text, first));
      return result.replace(first.begin, first.end - first.begin, of(text, second));
    }
  }
}

std::string pile_up(std::string_view text, Random& random) {
  const std::string unit =
      random.of({"(", "[", "{", "<", "-", "\"", "[[", "({", "vector<", "\"tpu.region\"() ({", "//"});
  const std::size_t times = random.of({2, 20, 300, 700, 3000, 20000});
  std::string pile;
  for (std::size_t i = 0; i < times; ++i) pile += unit;
  return std::string(text).insert(random.below(text.size() + 1), pile);
}

std::string mutate_once(std::string_view text, std::string_view other, Random& random) {
  switch (random.below(12)) {
    case 0: return mutate_bytes(text, other, random);
    case 1: return random.one_in(6) ? pile_up(text, random) : replace_piece(text, text, random);
    case 2:
    case 3:
    case 4: return change_lines(text, other, random);
    case 5: return replace_piece(text, other, random);
    default: return replace_piece(text, text, random);
  }
}

// The longest run of base64 from a place chosen at random on.
Span some_base64(std::string_view text, Random& random) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/'; };
  std::vector<Span> all;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && fits(text[end])) ++end;
    if (end - begin >= 64) {
      while (end < text.size() && text[end] == '=') ++end;
      all.push_back({begin, end});
    }
    begin = end + 1;
  }
  return all.empty() ? Span{} : random.of(all);
}

}  // namespace

std::string mutate_text(std::string_view text, std::string_view other, Random& random) {
  std::string result(text);
  for (std::size_t changes = 1 + random.below(2) * random.below(3); changes > 0; --changes) {
    result = mutate_once(result, other.empty() ? text : other, random);
    if (result.size() > kMostText) result.resize(kMostText);
  }
  return result;
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view kDigits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) result += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return result;
}

std::string mutate_call(std::string_view text, std::string_view other, Random& random) {
  const Span body = some_base64(text, random);
  if (body.end == 0 || random.one_in(3)) return mutate_text(text, other, random);
  const auto bytes = front::decode_base64(of(text, body));
  if (!bytes) return mutate_text(text, other, random);
  const auto donor = front::decode_base64(of(other, some_base64(other, random)));
  std::string result(text);
  return result.replace(body.begin, body.end - body.begin,
                        encode_base64(mutate_bytecode(*bytes, donor.value_or(*bytes), random)));
}

}  // namespace millrace::fuzz
