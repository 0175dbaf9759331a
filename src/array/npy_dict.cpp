// SPDX-License-Identifier: Apache-2.0
// A strict parser for the dictionary in the header of a .npy file: nothing of Python beyond what numpy writes there,
// but any order of keys, any white space, both quotes and trailing commas.
#include "array/npy_dict.h"

#include <fmt/format.h>

#include <optional>

#include "array/shape.h"

namespace millrace {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyDict dictionary() {
    expect('{', "'{'");
    while (!take('}')) {
      entry();
      if (take('}')) break;
      expect(',', "',' or '}'");
    }
    skip_space();
    if (at_ != text_.size()) fail("the end of the header");
    if (!descr_) lacks("descr");
    if (!fortran_order_) lacks("fortran_order");
    if (!shape_) lacks("shape");
    return {*descr_, *fortran_order_, *shape_};
  }

 private:
  void entry() {
    skip_space();
    const std::size_t start = at_;
    const std::string key = string("a key in quotes");
    expect(':', "':'");
    if (key == "descr" && !descr_) {
      descr_ = element_type();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = truth();
    } else if (key == "shape" && !shape_) {
      shape_ = tuple();
    } else {
      at_ = start;
      fail("one each of the keys 'descr', 'fortran_order' and 'shape'");
    }
  }

  std::string element_type() {
    skip_space();
    if (next() == '[' || next() == '(') {
      const std::size_t end = text_.find(next() == '[' ? ']' : ')', at_);
      refuse(
          fmt::format("has a structured dtype ({}); arrays of one number type are read: save a single field, "
                      "x['field']",
                      printable(text_.substr(at_, end - at_ + 1))));
    }
    return string("the element type in quotes");
  }

  bool truth() {
    skip_space();
    if (word("True")) return true;
    if (word("False")) return false;
    fail("True or False");
  }

  Shape tuple() {
    Shape shape;
    expect('(', "'(' of the shape");
    while (!take(')')) {
      if (shape.size() == kMaxRank) {
        refuse(fmt::format("has more than {} dimensions, which is the most that are read", kMaxRank));
      }
      shape.push_back(dimension());
      if (take(',')) continue;
      // Python reads (3) as the number 3, so a single dimension needs its comma.
      if (shape.size() == 1) fail("','");
      expect(')', "',' or ')'");
      break;
    }
    return shape;
  }

  std::int64_t dimension() {
    skip_space();
    const bool negative = take('-');
    const std::size_t start = at_;
    std::int64_t value = 0;
    while (next() >= '0' && next() <= '9') {
      value = value > kMaxElements / 10 ? kMaxElements + 1 : value * 10 + (next() - '0');
      ++at_;
    }
    const std::string_view digits = text_.substr(start, at_ - start);
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) {
      at_ = start;
      fail("a dimension");
    }
    if (negative && value != 0) {
      refuse(fmt::format("has a dimension of -{}; dimensions are 0 or more", printable(digits)));
    }
    if (value > kMaxElements) {
      refuse(fmt::format("has a dimension of {}, which is more than 2^62", printable(digits)));
    }
    return value;
  }

  // A string without escapes: numpy needs none for what is read here.
  std::string string(const char* what) {
    skip_space();
    const char quote = next();
    if (quote != '\'' && quote != '"') fail(what);
    const std::size_t end = text_.find_first_of(std::string{quote, '\\', '\n'}, at_ + 1);
    if (end == std::string_view::npos || text_[end] != quote) fail(what);
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(inside);
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n\f\v").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char expected) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  void expect(char expected, const char* what) {
    if (!take(expected)) fail(what);
  }

  [[noreturn]] void fail(const char* expected) const {
    const std::string found = at_ < text_.size() ? printable(text_.substr(at_, 20)) : "its end";
    refuse(
        fmt::format("has a header that is not the dictionary of a .npy file: at its byte {} there should be {}, "
                    "not {}",
                    at_, expected, found));
  }

  [[noreturn]] void lacks(const char* key) const { refuse(fmt::format("has a header without the key '{}'", key)); }

  [[noreturn]] void refuse(const std::string& predicate) const {
    throw Error(ErrorCode::kUser, fmt::format("{} {}", name_, predicate));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

}  // namespace

NpyDict parse_npy_dict(std::string_view text, const std::string& name) { return Parser(text, name).dictionary(); }

std::string printable(std::string_view bytes) {
  constexpr std::size_t kMost = 60;
  std::string result;
  for (const char c : bytes.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return bytes.size() > kMost ? result + "..." : result;
}

}  // namespace millrace
