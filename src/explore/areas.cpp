// SPDX-License-Identifier: Apache-2.0
#include "explore/areas.h"

#include <algorithm>

namespace millrace::explore {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::int64_t value) {
  hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

bool apart(const Range& a, const Range& b) { return std::max(a.begin, b.begin) >= std::min(a.end, b.end); }

}  // namespace

AreaId Areas::add(event::MemoryId memory, const event::Box& box, const std::vector<event::Box>& more) {
  const std::size_t first = ranges_.size();
  ranges_.insert(ranges_.end(), box.span().begin(), box.span().end());
  for (const event::Box& b : more) ranges_.insert(ranges_.end(), b.span().begin(), b.span().end());
  std::uint64_t hash = mixed(memory, static_cast<std::int64_t>(more.size()));
  for (std::size_t i = first; i < ranges_.size(); ++i)
    hash = mixed(mixed(mixed(hash, ranges_[i].begin), ranges_[i].end), ranges_[i].stride);
  const auto rank = static_cast<std::uint32_t>(box.rank);
  const auto boxes = static_cast<std::uint32_t>(1 + more.size());
  const auto [begin, end] = known_.equal_range(hash);
  for (auto i = begin; i != end; ++i) {
    const Area& a = areas_[i->second];
    if (a.memory != memory || a.rank != rank || a.boxes != boxes) continue;
    const auto old = ranges_.begin() + static_cast<std::ptrdiff_t>(a.first);
    if (!std::equal(ranges_.begin() + static_cast<std::ptrdiff_t>(first), ranges_.end(), old)) continue;
    ranges_.resize(first);
    return i->second;
  }
  const auto none = [&](const event::Box& b) {
    return std::ranges::any_of(b.span(), [](const Range& r) { return r.begin >= r.end; });
  };
  areas_.push_back({memory, rank, boxes, first, none(box) && std::ranges::all_of(more, none)});
  known_.emplace(hash, static_cast<AreaId>(areas_.size() - 1));
  return static_cast<AreaId>(areas_.size() - 1);
}

event::Box Areas::box_of(const Area& a, std::uint32_t i) const {
  event::Box b{static_cast<int>(a.rank), {}};
  std::copy_n(box(a, i), a.rank, b.ranges.begin());
  return b;
}

bool Areas::overlap(AreaId left, AreaId right) const {
  const Area &a = areas_[left], &b = areas_[right];
  if (a.memory != b.memory) return false;
  if (left == right) return !a.empty;
  for (std::uint32_t i = 0; i < a.boxes; ++i)
    for (std::uint32_t j = 0; j < b.boxes; ++j) {
      const Range *x = box(a, i), *y = box(b, j);
      bool meet = true, dense = true;
      for (std::uint32_t d = 0; d < a.rank && meet; ++d) {
        meet = !apart(x[d], y[d]);
        dense &= x[d].stride == 1 && y[d].stride == 1;
      }
      if (meet && (dense || event::overlap(box_of(a, i), box_of(b, j)))) return true;
    }
  return false;
}

std::string Areas::text(AreaId area) const {
  std::string text;
  for (std::uint32_t i = 0; i < areas_[area].boxes; ++i) {
    if (i > 0) text += " ";
    text += event::to_string(box_of(areas_[area], i));
  }
  return text;
}

}  // namespace millrace::explore
