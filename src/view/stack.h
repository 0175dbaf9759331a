// SPDX-License-Identifier: Apache-2.0
// What overlaps, one below the other. Of a lane's bars a DMA's takes the line of its slot, where that is free at its
// beginning, every other bar the first line that is. Contents of one slot overlap only where a kernel is faulty.
#pragma once

#include <vector>

#include "timing/timeline.h"

namespace millrace::view {

struct Stacked {
  std::vector<std::uint32_t> line;   // by bar of the timeline
  std::vector<std::uint32_t> lines;  // by lane: how many there are, at least 1
};

// At most `most` lines a lane; what finds none free goes into the last.
Stacked stacked(const timing::Timeline& timeline, std::uint32_t most = 16);

struct StackedSlots {
  std::vector<std::uint32_t> line;                // by content (Timeline::tenancies)
  std::vector<std::vector<std::uint32_t>> lines;  // by row and slot: how many there are, at least 1
};

// Moments of findings, told above the lanes: by line, from left to right. Each takes the first line that is free, of
// `most` at most.
struct Mark {
  std::size_t fault = 0, moment = 0;
  timing::Time begin = 0, end = 0;
};
std::vector<std::vector<Mark>> stacked_marks(const timing::Timeline& timeline, std::size_t most = 4);

// A content takes its line from its beginning to its last use.
StackedSlots stacked_slots(const timing::Timeline& timeline, std::uint32_t most = 4);

}  // namespace millrace::view
