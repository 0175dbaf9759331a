// SPDX-License-Identifier: Apache-2.0
// A small reader for `#dialect.mnemonic<keyword, ..., [1, 2], ...>`.
#include "mosaic/attribute_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <charconv>

#include "millrace/error.h"

namespace millrace::mosaic {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  DialectAttr read() {
    DialectAttr result;
    expect('#');
    result.dialect = word();
    expect('.');
    result.mnemonic = word();
    if (!rest_.empty()) {
      expect('<');
      do {
        if (accept('[')) {
          result.lists.push_back(list());
        } else if (result.lists.empty()) {
          result.keywords.push_back(word());
        } else {
          refuse();
        }
      } while (accept(','));
      expect('>');
    }
    if (!rest_.empty()) refuse();
    return result;
  }

 private:
  [[noreturn]] void refuse() const {
    throw Error(ErrorCode::kUnsupported, fmt::format("the attribute {} is not one that Millrace reads", text_));
  }
  void skip_blanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse();
  }
  std::string word() {
    skip_blanks();
    std::size_t length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_')) {
      ++length;
    }
    if (length == 0) refuse();
    const std::string result(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return result;
  }
  std::vector<std::int64_t> list() {
    std::vector<std::int64_t> result;
    if (accept(']')) return result;
    do {
      skip_blanks();
      std::int64_t value = 0;
      const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (fault != std::errc()) refuse();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      result.push_back(value);
    } while (accept(','));
    expect(']');
    return result;
  }

  std::string_view text_, rest_;
};

}  // namespace

DialectAttr parse_dialect_attribute(std::string_view text) { return Reader(text).read(); }

std::string to_text(const DialectAttr& attribute) {
  std::vector<std::string> parts = attribute.keywords;
  for (const auto& list : attribute.lists) parts.push_back(fmt::format("[{}]", fmt::join(list, ", ")));
  const std::string name = fmt::format("#{}.{}", attribute.dialect, attribute.mnemonic);
  return parts.empty() ? name : fmt::format("{}<{}>", name, fmt::join(parts, ", "));
}

}  // namespace millrace::mosaic
