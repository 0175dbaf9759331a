// SPDX-License-Identifier: Apache-2.0
// Bars of one lane that overlap, one below the other: a DMA's takes the line of its slot, where that is free at its
// beginning, every other bar the first line that is.
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

}  // namespace millrace::view
