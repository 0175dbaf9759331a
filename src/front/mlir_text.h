// SPDX-License-Identifier: Apache-2.0
// The lexical side of an MLIR text: strings, comments and brackets, without a word on what they mean. Iterative, and
// linear in the text.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::front {

// A place in a text from which things are read off one by one. Where a thing is not there, nothing is read.
class Cursor {
 public:
  explicit Cursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  std::string_view rest() const { return text_.substr(at_); }

  void skip_space();                                     // and comments
  bool take(std::string_view word);                      // after space; the word itself, whatever follows
  std::optional<std::string_view> identifier();          // after space: letters, digits, _ . $ -
  std::optional<std::string> string();                   // after space: "..." with its escapes undone
  std::optional<std::string_view> value();               // up to a comma or closing bracket of an outer level
  std::optional<std::string_view> bracketed(char open);  // what stands between a bracket and its partner
  // One step on: a string or a comment as a whole, else a character.
  void step();

 private:
  bool skip_string();

  std::string_view text_;
  std::size_t at_;
};

// `a = 1, "b" = ..., c`: values by name, a unit's value is empty. Nothing where the text is no such list.
std::optional<std::map<std::string, std::string_view>> attributes_of(std::string_view dictionary);
// Split at the commas of the outer level; blank for none.
std::optional<std::vector<std::string_view>> list_of(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace millrace::front
