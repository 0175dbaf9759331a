// SPDX-License-Identifier: Apache-2.0
// Exact overlap of strided boxes: two dimensions meet where their arithmetic progressions share a term.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "event/event.h"

namespace millrace::event {

namespace {

// The smallest common term of two progressions, or empty. Walks the sparser one: at most `fine.stride` steps decide,
// since the residues repeat with that period.
std::optional<std::int64_t> first_common(const Range& a, const Range& b) {
  const Range& coarse = a.stride >= b.stride ? a : b;
  const Range& fine = a.stride >= b.stride ? b : a;
  std::int64_t low = std::max(a.begin, b.begin), high = std::min(a.end, b.end);
  if (low >= high) return {};
  if (coarse.stride == 1) return low;
  std::int64_t skipped = (low - coarse.begin + coarse.stride - 1) / coarse.stride;
  std::int64_t at = coarse.begin + skipped * coarse.stride;
  for (std::int64_t tried = 0; tried < fine.stride && at < high; ++tried, at += coarse.stride)
    if ((at - fine.begin) % fine.stride == 0) return at;
  return {};
}

}  // namespace

bool operator==(const Box& a, const Box& b) {
  return a.rank == b.rank && std::equal(a.ranges.begin(), a.ranges.begin() + a.rank, b.ranges.begin());
}

std::optional<Box> intersection(const Box& a, const Box& b) {
  Box both;
  both.rank = a.rank;
  for (int d = 0; d < a.rank; ++d) {
    auto first = first_common(a.ranges[d], b.ranges[d]);
    if (!first) return {};
    std::int64_t stride = std::lcm(a.ranges[d].stride, b.ranges[d].stride);
    std::int64_t end = std::min(a.ranges[d].end, b.ranges[d].end);
    std::int64_t last = *first + (end - 1 - *first) / stride * stride;
    both.ranges[d] = {*first, last + 1, last == *first ? 1 : stride};  // one element has no stride
  }
  return both;
}

bool overlap(const Box& a, const Box& b) {
  for (int d = 0; d < a.rank; ++d)
    if (!first_common(a.ranges[d], b.ranges[d])) return false;
  return true;
}

std::string to_string(const Box& box) {
  std::string text = "[";
  for (int d = 0; d < box.rank; ++d) {
    const Range& r = box.ranges[d];
    if (d > 0) text += ", ";
    if (r.end - r.begin == 1)
      text += fmt::format("{}", r.begin);
    else if (r.stride == 1)
      text += fmt::format("{}:{}", r.begin, r.end);
    else
      text += fmt::format("{}:{}:{}", r.begin, r.end, r.stride);
  }
  return text + "]";
}

}  // namespace millrace::event
