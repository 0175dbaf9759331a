// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/cover.h"

#include <algorithm>

namespace millrace::machine::shadow {

namespace {

using Boxes = std::vector<event::Box>;
using Shape = std::span<const std::int64_t>;

// Slices of one dimension that hold the same boxes of the dimensions after it.
struct Slices {
  Range range;
  Boxes inner;
};

std::int64_t count_of(Shape shape) {
  std::int64_t count = 1;
  for (std::int64_t n : shape) count *= n;
  return count;
}

event::Box whole(Shape shape) {
  event::Box box;
  for (std::int64_t n : shape) box.ranges[static_cast<std::size_t>(box.rank++)] = {0, n, 1};
  return box;
}

void add(std::vector<Slices>& list, std::int64_t begin, std::int64_t end, Boxes inner) {
  if (inner.empty()) return;
  if (!list.empty() && list.back().range.end == begin && list.back().inner == inner)
    list.back().range.end = end;
  else
    list.push_back({{begin, end, 1}, std::move(inner)});
}

// Single slices at equal distances become one, where they are three or more.
void join_strided(std::vector<Slices>& list) {
  std::vector<Slices> joined;
  for (std::size_t i = 0; i < list.size();) {
    const auto single = [&](std::size_t k) {
      return k < list.size() && list[k].range.end - list[k].range.begin == 1 && list[k].inner == list[i].inner;
    };
    std::size_t last = i;
    if (single(i) && single(i + 1)) {
      const std::int64_t step = list[i + 1].range.begin - list[i].range.begin;
      while (single(last + 1) && list[last + 1].range.begin - list[last].range.begin == step) ++last;
      if (last - i >= 2) {
        joined.push_back({{list[i].range.begin, list[last].range.end, step}, std::move(list[i].inner)});
        i = last + 1;
        continue;
      }
    }
    joined.push_back(std::move(list[i++]));
  }
  list = std::move(joined);
}

Boxes cover_from(std::span<const Stretch> stretches, Shape shape, std::int64_t base);

// The part of `stretches` from `begin` to `end`.
Boxes cover_part(std::span<const Stretch> stretches, Shape shape, std::int64_t begin, std::int64_t end) {
  std::vector<Stretch> part;
  const auto first =
      std::partition_point(stretches.begin(), stretches.end(), [&](const Stretch& r) { return r.end <= begin; });
  for (auto r = first; r != stretches.end() && r->begin < end; ++r)
    part.push_back({std::max(r->begin, begin), std::min(r->end, end)});
  return cover_from(part, shape, begin);
}

// Boxes of the array of this shape that begins at position `base`; all stretches lie in it.
Boxes cover_from(std::span<const Stretch> stretches, Shape shape, std::int64_t base) {
  if (stretches.empty()) return {};
  if (stretches.size() == 1 && stretches[0].end - stretches[0].begin == count_of(shape)) return {whole(shape)};
  const Shape rest = shape.subspan(1);
  const std::int64_t slice = count_of(rest);
  std::vector<Slices> list;
  std::int64_t done = 0;  // slices
  for (const Stretch& r : stretches) {
    const std::int64_t begin = r.begin - base, end = r.end - base;
    for (std::int64_t k = std::max(done, begin / slice); k * slice < end;) {
      const std::int64_t full = k * slice >= begin ? end / slice : k;  // slices up to here are in the set as a whole
      const std::int64_t next = std::max(full, k + 1);
      add(list, k, next,
          full > k ? Boxes{whole(rest)} : cover_part(stretches, rest, base + k * slice, base + next * slice));
      done = k = next;
    }
  }
  join_strided(list);
  Boxes boxes;
  for (const Slices& s : list)
    for (const event::Box& b : s.inner) {
      event::Box box;
      box.rank = b.rank + 1;
      box.ranges[0] = s.range;
      std::copy_n(b.ranges.begin(), b.rank, box.ranges.begin() + 1);
      boxes.push_back(box);
    }
  return boxes;
}

// Whether the two are one box, but cut along one dimension: b goes on where a ends.
bool continues(const event::Box& a, const event::Box& b) {
  int differ = -1;
  for (int d = 0; d < a.rank; ++d) {
    if (a.ranges[d] == b.ranges[d]) continue;
    if (differ >= 0) return false;
    differ = d;
  }
  if (differ < 0) return false;
  const Range &x = a.ranges[differ], &y = b.ranges[differ];
  return x.stride == 1 && y.stride == 1 && x.end == y.begin;
}

void join_cut(Boxes& boxes) {
  constexpr std::size_t kMost = 256;  // pairs of more take longer than they are worth
  if (boxes.size() > kMost) return;
  for (std::size_t i = 0; i < boxes.size();) {
    const auto next = std::find_if(boxes.begin(), boxes.end(), [&](const auto& b) { return continues(boxes[i], b); });
    if (next == boxes.end()) {
      ++i;
      continue;
    }
    for (int d = 0; d < boxes[i].rank; ++d)
      boxes[i].ranges[d].end = std::max(boxes[i].ranges[d].end, next->ranges[d].end);
    boxes.erase(next);
    i = 0;
  }
}

}  // namespace

void append(std::vector<Stretch>& stretches, std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  if (!stretches.empty() && stretches.back().end == begin)
    stretches.back().end = end;
  else
    stretches.push_back({begin, end});
}

std::vector<event::Box> cover(std::span<const Stretch> stretches, Shape shape) {
  Boxes boxes = cover_from(stretches, shape, 0);
  join_cut(boxes);
  std::sort(boxes.begin(), boxes.end(), [](const event::Box& a, const event::Box& b) {
    for (int d = 0; d < a.rank; ++d)
      if (a.ranges[d].begin != b.ranges[d].begin) return a.ranges[d].begin < b.ranges[d].begin;
    return false;
  });
  return boxes;
}

event::Box around(std::span<const event::Box> boxes) {
  event::Box box = boxes.front();
  for (const event::Box& b : boxes)
    for (int d = 0; d < box.rank; ++d) {
      Range& r = box.ranges[d];
      if (r == b.ranges[d]) continue;
      r = {std::min(r.begin, b.ranges[d].begin), std::max(r.end, b.ranges[d].end), 1};
    }
  return box;
}

}  // namespace millrace::machine::shadow
