// SPDX-License-Identifier: Apache-2.0
// The modeled clock: gives each thing of a trace its time, by the costs of a chip. It models, it does not measure;
// which wait takes which copy follows from the modeled times, whatever schedule the trace was recorded under.
#pragma once

#include <vector>

#include "timing/costs.h"
#include "timing/trace.h"

namespace millrace::timing {

struct CopyTimes {
  Time start = 0;        // the core has started it
  Time begin = 0;        // its first byte moves
  Time end = 0;          // its last byte is there, and its semaphore says so
  Index behind = kNone;  // the copy in the same queue that it had to wait for
  Index met = kNone;     // the wait that took its last byte off the semaphore
};

struct ActionTimes {
  Time begin = 0, end = 0;
  // Of a wait: until when the core stood still, and what ended that: a copy, or a signal (the core and its action).
  Time blocked = 0;
  Index by_copy = kNone, by_core = kNone, by_action = kNone;
};

struct Times {
  std::vector<std::vector<ActionTimes>> cores;  // by core, by action
  std::vector<CopyTimes> copies;
  Time end = 0;  // all cores are through, or stuck, and all DMAs
};

// How long a core computes at this, with nothing in its way: the unit that has most to do decides.
Time duration_of(const Compute& compute, const Costs& costs);

Times run_clock(const Trace& trace, const Costs& costs);

}  // namespace millrace::timing
