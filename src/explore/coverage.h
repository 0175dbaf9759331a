// SPDX-License-Identifier: Apache-2.0
// What an exploration is worth: of which runs it speaks, and whether of all of them. It knows one skeleton; where the
// order of a race may change what the kernel does next, others exist, and it says that it has not seen them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/explore.h"

namespace millrace::explore {

// What a skeleton does not say about the kernel that it is of.
struct Facts {
  std::vector<std::string> steered_by;  // memories whose values decide where control goes, or what is touched
  bool reads_semaphores = false;        // a count is read off a semaphore, which depends on the schedule
  bool parallel_axes = false;           // the grid has axes whose steps may come in another order
};

struct Coverage {
  std::uint64_t classes = 0;   // of both kinds: complete and deadlocked runs
  std::uint64_t explored = 0;  // those that were looked at, alone or as one factor of many
  bool complete = true;
  std::string for_what;                         // "these inputs", "all inputs", ...
  std::vector<std::string> control_depends_on;  // the facts' memories
  std::string why;                              // where not complete: a sentence
};

// Whether some runs may go another way than the skeleton's: a race may change what steers control.
bool goes_other_ways(const Skeleton& skeleton, const Result& result, const Facts& facts);

Coverage coverage(const Skeleton& skeleton, const Result& result, const Facts& facts);

}  // namespace millrace::explore
