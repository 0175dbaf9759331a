// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "event/event.h"

namespace millrace::checkers {

// Copies what counts of a box: most have two or three dimensions of the eight that there is room for.
inline void assign(event::Box& to, const event::Box& from) {
  to.rank = from.rank;
  std::copy_n(from.ranges.begin(), from.rank, to.ranges.begin());
}

}  // namespace millrace::checkers
