// SPDX-License-Identifier: Apache-2.0
// Writes skeletons as a model for SPIN, a model checker of other people's: a second opinion on what can happen. Each
// core is a process, each DMA one, and its progress one more; a final state prints who came first in each conflicting
// pair:
//   FINAL 0 ended 1 2 0 ...      (the model's number; "ended" or "blocked"; by pair: 0 where one of them did not run)
// Run it with: spin -a F && cc -DPRINTF -DNOREDUCE -o pan pan.c && ./pan -E
#pragma once

#include <span>
#include <string>

#include "explore/skeleton.h"

namespace millrace::explore {

// All in one model, of which SPIN takes one after the other. For small skeletons: SPIN has 255 processes at most.
std::string promela_of(std::span<const Skeleton> skeletons, bool whole_signals = false);

}  // namespace millrace::explore
