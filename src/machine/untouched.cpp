// SPDX-License-Identifier: Apache-2.0
#include "machine/untouched.h"

#include <algorithm>
#include <cstring>

namespace millrace::machine {

void Untouched::begin_line(std::int64_t line) {
  std::uint8_t& known = lines_[static_cast<std::size_t>(line)];
  if (known == 0) {
    const std::int64_t begin = line * kLine, end = std::min(begin + kLine, bytes_);
    fill_with_poison(data_ + begin, static_cast<std::size_t>(end - begin), element_);
  }
  known = 1;
}

void Untouched::write(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  const std::int64_t first = begin / kLine, last = (end - 1) / kLine;
  if (begin % kLine != 0) begin_line(first);
  if (end % kLine != 0 && end != bytes_) begin_line(last);
  std::memset(lines_.data() + first, 1, static_cast<std::size_t>(last - first + 1));
}

void Untouched::fill() {
  const std::uint8_t *const lines = lines_.data(), *const end = lines + lines_.size();
  for (const std::uint8_t* at = lines; at != end;) {
    const auto* begin = static_cast<const std::uint8_t*>(std::memchr(at, 0, static_cast<std::size_t>(end - at)));
    if (!begin) return;
    at = std::find(begin, end, 1);
    const std::int64_t from = (begin - lines) * kLine, to = std::min((at - lines) * kLine, bytes_);
    fill_with_poison(data_ + from, static_cast<std::size_t>(to - from), element_);
  }
}

}  // namespace millrace::machine
