// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "event/event.h"

namespace millrace::event {

// Copies what counts of a box: most have two or three dimensions of the eight that there is room for. Three are copied
// whether they count or not, since a fixed number needs no loop.
inline void assign(Box& to, const Box& from) {
  constexpr int kFew = 3;
  to.rank = from.rank;
  for (int d = 0; d < kFew; ++d) to.ranges[d] = from.ranges[d];
  if (from.rank > kFew)
    std::copy(from.ranges.begin() + kFew, from.ranges.begin() + from.rank, to.ranges.begin() + kFew);
}

}  // namespace millrace::event
