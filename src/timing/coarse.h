// SPDX-License-Identifier: Apache-2.0
// A timeline with fewer bars. The time of the run is cut into equal buckets; bars of one lane that begin in one bucket
// become one bar, which says for how many it stands and how long they take together. What a fault points at stays as it
// is, and so does a wait that is never met.
#pragma once

#include "timing/timeline.h"

namespace millrace::timing {

// Unchanged where it has no more than `most` bars. Else there are as many buckets as give each lane its share of half
// of `most`. Arrows between bars that were joined go away; counters keep the largest value of each bucket.
Timeline coarse(Timeline timeline, std::size_t most);

}  // namespace millrace::timing
