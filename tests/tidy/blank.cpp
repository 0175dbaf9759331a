// SPDX-License-Identifier: Apache-2.0
#include "blank.h"

#include <algorithm>
#include <cctype>

namespace millrace::tidy {

namespace {

class Blanker {
 public:
  explicit Blanker(std::string_view text) : in_(text), out_(text) {}

  std::string run() {
    while (at_ < in_.size()) {
      if (starts("//")) {
        blank_to(in_.find('\n', at_));
      } else if (starts("/*")) {
        blank_to(after(in_.find("*/", at_ + 2), 2));
      } else if (starts("R\"") && !in_word()) {
        blank_raw_string();
      } else if (in_[at_] == '"' || (in_[at_] == '\'' && !in_word())) {
        blank_literal(in_[at_]);
      } else if (in_[at_] == '#' && first_on_line()) {
        blank_directive();
      } else {
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  bool starts(std::string_view what) const { return in_.substr(at_).starts_with(what); }

  // So that 1'000 opens no literal.
  bool in_word() const {
    return at_ > 0 && (std::isalnum(static_cast<unsigned char>(in_[at_ - 1])) || in_[at_ - 1] == '_');
  }

  bool first_on_line() const {
    std::size_t i = at_;
    while (i > 0 && (in_[i - 1] == ' ' || in_[i - 1] == '\t')) --i;
    return i == 0 || in_[i - 1] == '\n';
  }

  static std::size_t after(std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? found : found + length;
  }

  void blank_to(std::size_t end) {
    for (end = std::min(end, in_.size()); at_ < end; ++at_) {
      if (out_[at_] != '\n') out_[at_] = ' ';
    }
  }

  void blank_literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < in_.size() && in_[end] != quote && in_[end] != '\n') end += in_[end] == '\\' ? 2 : 1;
    blank_to(end + 1);
  }

  void blank_raw_string() {
    const std::size_t open = in_.find('(', at_);
    if (open == in_.npos) return blank_to(in_.size());
    const std::string close = ")" + std::string(in_.substr(at_ + 2, open - at_ - 2)) + "\"";
    blank_to(after(in_.find(close, open), close.size()));
  }

  void blank_directive() {
    std::size_t end = in_.find('\n', at_);
    while (end != in_.npos && end > 0 && in_[end - 1] == '\\') end = in_.find('\n', end + 1);
    blank_to(end);
  }

  std::string_view in_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string blank_out(std::string_view text) { return Blanker(text).run(); }

}  // namespace millrace::tidy
