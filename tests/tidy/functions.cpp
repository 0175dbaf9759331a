// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <regex>

#include "blank.h"
#include "sizes.h"

namespace millrace::tidy {

namespace {

// Walks over blanked text and keeps the head: what has been read since the last statement or block ended.
class Finder {
 public:
  explicit Finder(std::string_view text) : text_(blank_out(text)) {}

  std::vector<Function> run() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '{' && parentheses_ == 0) {
        open();
      } else if (c == ';' && parentheses_ == 0) {
        head_.clear();
      } else {
        read(c);
      }
    }
    return std::move(found_);
  }

 private:
  void read(char c) {
    if (c == '(') ++parentheses_;
    if (c == ')' && parentheses_ > 0) --parentheses_;
    if (c == '}' && parentheses_ == 0) return head_.clear();  // of a namespace or a class
    if (head_.empty()) {
      if (std::isspace(static_cast<unsigned char>(c))) return;
      head_line_ = line_;
    }
    head_ += c == '\n' ? ' ' : c;
  }

  void open() {
    static const std::regex kContainer(R"(^(export |inline |template\s*<.*>\s*|typedef |static |const )*)"
                                       R"((namespace|class|struct|union|enum|extern)\b.*)");
    const bool called = head_.find('(') != std::string::npos;
    const bool container = std::regex_match(head_.substr(0, 200), kContainer);
    if (container) return head_.clear();
    const std::size_t last_line = skip_block();
    if (!called) return;  // an initialiser: `int a[] = {...}`, or a brace of a member's
    if (is_initializer_of_constructor()) {
      head_ += "{}";
      return;
    }
    found_.push_back({head_, head_line_, last_line});
    head_.clear();
  }

  // `Head() : a_{1}, b_{2} {`: the braces before the body belong to members.
  bool is_initializer_of_constructor() const {
    std::size_t next = at_ + 1;
    while (next < text_.size() && std::isspace(static_cast<unsigned char>(text_[next]))) ++next;
    return next < text_.size() && (text_[next] == ',' || text_[next] == '{');
  }

  // From an opening brace to the one that closes it; returns the line of that.
  std::size_t skip_block() {
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}' && --depth == 0) break;
    }
    return line_;
  }

  std::string text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t parentheses_ = 0;
  std::string head_;
  std::size_t head_line_ = 1;
  std::vector<Function> found_;
};

}  // namespace

std::vector<Function> functions_in(std::string_view text) { return Finder(text).run(); }

}  // namespace millrace::tidy
