// SPDX-License-Identifier: Apache-2.0
#include "front/mlir_text.h"

namespace millrace::front {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$' || c == '-';
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char partner(char open) {
  switch (open) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case '<': return '>';
    default: return '\0';
  }
}

bool is_closing(char c) { return c == ')' || c == ']' || c == '}' || c == '>'; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool Cursor::skip_string() {
  for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      at_ = i + 1;
      return true;
    }
  }
  at_ = text_.size();
  return false;
}

void Cursor::step() {
  if (peek() == '"') {
    skip_string();
  } else if (rest().starts_with("//")) {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == text_.npos ? text_.size() : end;
  } else if (!done()) {
    ++at_;
  }
}

void Cursor::skip_space() {
  while (!done() && (is_space(peek()) || rest().starts_with("//"))) step();
}

bool Cursor::take(std::string_view word) {
  skip_space();
  if (!rest().starts_with(word)) return false;
  at_ += word.size();
  return true;
}

std::optional<std::string_view> Cursor::identifier() {
  skip_space();
  const std::size_t begin = at_;
  while (!done() && is_word(peek())) ++at_;
  if (at_ == begin) return {};
  return text_.substr(begin, at_ - begin);
}

std::optional<std::string> Cursor::string() {
  skip_space();
  if (peek() != '"') return {};
  const std::size_t begin = at_ + 1;
  if (!skip_string()) return {};
  const std::string_view body = text_.substr(begin, at_ - 1 - begin);
  std::string result;
  result.reserve(body.size());
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      result += body[i];
      continue;
    }
    if (++i >= body.size()) return {};
    const int high = hex(body[i]), low = i + 1 < body.size() ? hex(body[i + 1]) : -1;
    if (body[i] == 'n')
      result += '\n';
    else if (body[i] == 't')
      result += '\t';
    else if (body[i] == '\\' || body[i] == '"')
      result += body[i];
    else if (high >= 0 && low >= 0)
      result += static_cast<char>(high * 16 + low), ++i;
    else
      return {};
  }
  return result;
}

std::optional<std::string_view> Cursor::value() {
  skip_space();
  const std::size_t begin = at_;
  std::string open;
  while (!done()) {
    const char c = peek();
    if (rest().starts_with("->")) {
      at_ += 2;
      continue;
    }
    if (open.empty() && (c == ',' || is_closing(c))) break;
    if (const char close = partner(c)) {
      open += close;
    } else if (is_closing(c)) {
      if (open.back() != c) return {};
      open.pop_back();
    }
    step();
  }
  if (!open.empty()) return {};
  return trimmed(text_.substr(begin, at_ - begin));
}

std::optional<std::string_view> Cursor::bracketed(char bracket) {
  skip_space();
  if (peek() != bracket) return {};
  const std::size_t begin = ++at_;
  for (;;) {
    if (!value()) return {};
    if (peek() == ',') {
      ++at_;
      continue;
    }
    if (done() || peek() != partner(bracket)) return {};
    ++at_;
    return text_.substr(begin, at_ - 1 - begin);
  }
}

std::optional<std::map<std::string, std::string_view>> attributes_of(std::string_view dictionary) {
  std::map<std::string, std::string_view> result;
  Cursor cursor(dictionary);
  for (cursor.skip_space(); !cursor.done(); cursor.skip_space()) {
    std::optional<std::string> name = cursor.string();
    if (!name) {
      const auto word = cursor.identifier();
      if (!word) return {};
      name = std::string(*word);
    }
    std::string_view text;
    if (cursor.take("=")) {
      const auto value = cursor.value();
      if (!value) return {};
      text = *value;
    }
    result[*name] = text;
    cursor.skip_space();
    if (!cursor.done() && !cursor.take(",")) return {};
  }
  return result;
}

std::optional<std::vector<std::string_view>> list_of(std::string_view text) {
  std::vector<std::string_view> result;
  Cursor cursor(text);
  cursor.skip_space();
  if (cursor.done()) return result;
  for (;;) {
    const auto value = cursor.value();
    if (!value || value->empty()) return {};
    result.push_back(*value);
    if (cursor.done()) return result;
    if (!cursor.take(",")) return {};
  }
}

}  // namespace millrace::front
