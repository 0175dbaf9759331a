// SPDX-License-Identifier: Apache-2.0
// Sets of elements of memories, each kept once: a run of many steps touches the same few again and again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "event/event.h"

namespace millrace::explore {

using AreaId = std::uint32_t;

class Areas {
 public:
  AreaId add(event::MemoryId memory, const event::Box& box, const std::vector<event::Box>& more = {});
  event::MemoryId memory(AreaId area) const { return areas_[area].memory; }
  std::size_t size() const { return areas_.size(); }
  bool overlap(AreaId a, AreaId b) const;  // exact, strides included
  std::string text(AreaId area) const;     // "[0:8, 0:128]", and what follows it where there are several boxes

 private:
  struct Area {
    event::MemoryId memory;
    std::uint32_t rank, boxes;
    std::size_t first;  // in ranges_: `boxes` times `rank` of them
    bool empty;
  };
  const Range* box(const Area& a, std::uint32_t i) const { return ranges_.data() + a.first + std::size_t{i} * a.rank; }
  event::Box box_of(const Area& a, std::uint32_t i) const;

  std::vector<Area> areas_;
  std::vector<Range> ranges_;
  std::unordered_multimap<std::uint64_t, AreaId> known_;  // by hash; never walked
};

}  // namespace millrace::explore
