// SPDX-License-Identifier: Apache-2.0
// What a finding speaks of, in the skeleton of the run that it was found in, and the orders that show it.
#pragma once

#include <string>
#include <vector>

#include "explore/skeleton.h"
#include "explore/stretches.h"
#include "millrace/report.h"

namespace millrace::explore {

// A schedule in which the first of each pair happens before the second shows the finding.
struct Showing {
  std::string what;  // "the core read comes first"
  std::vector<Pair> orders;
};

// Of a race both orders; of a DMA left over, or that outlives its memory, in some schedules only: one in which it is
// late. Empty for other findings, and for what is in no run of the skeleton.
std::vector<Showing> showings(const Skeleton& skeleton, const Finding& finding);

}  // namespace millrace::explore
