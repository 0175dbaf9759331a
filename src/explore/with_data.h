// SPDX-License-Identifier: Apache-2.0
// Exploring where control depends on what a race may change. A skeleton then speaks only of the runs that go the way
// that it was recorded on. So of each order of the races that may reach what steers control a run is made, with data;
// one that goes another way gives another skeleton, which is explored in turn, until there is no other.
//
// Why nothing is missed: take any run, and the longest beginning of it that some skeleton here shares. That beginning
// is in one of the skeleton's orders, and the run that was made of that order holds the same values there, so it goes
// on as the other does: its skeleton shares more. A core of several that turns off is stopped there until all others
// have done all that they can without it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explore/coverage.h"
#include "explore/explore.h"

namespace millrace::explore {

struct Recorded {
  Skeleton skeleton;
  std::string stopped;  // not empty: why the run was not carried to its end, as the schedule could not be followed
};
using RunUnder = std::function<Recorded(const std::string& schedule)>;  // the text of one

// Runs that go another way than all before, and a schedule of one of them.
struct OtherWay {
  Skeleton skeleton;
  std::string schedule;
};

struct WithData {
  Result result;  // over all ways
  std::vector<OtherWay> others;
  std::uint64_t runs = 0;
};

WithData explore_with_data(const Skeleton& first, const Facts& facts, const RunUnder& run, const Options& options,
                           std::uint64_t max_runs);

}  // namespace millrace::explore
