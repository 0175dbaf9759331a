// SPDX-License-Identifier: Apache-2.0
// Over all schedules: in how many ways can the runs of a skeleton order its conflicting accesses? (S4.10)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/stretches.h"

namespace millrace::explore {

struct Options {
  bool whole_signals = false;             // a DMA raises its semaphore once, when it is complete
  std::uint64_t max_classes = 1'000'000;  // met one by one; classes that multiply are not
  std::uint64_t max_work = 500'000'000;   // happenings tried: a few seconds
  std::size_t max_pairs = 100'000;        // of accesses in either order
  bool by_stretches = true;               // false: a single core as several are explored
};

struct Result {
  std::uint64_t classes = 0;             // of complete runs; as many as could be counted
  std::uint64_t classes_deadlocked = 0;  // of runs that end in a deadlock
  std::uint64_t met = 0;                 // classes that were met one by one
  bool complete = true;
  std::string stopped;      // why not complete: a sentence
  std::vector<Pair> races;  // pairs that come in one order in some runs, in the other in others
  bool with_data = false;   // runs that go another way are among them (with_data.h)
};

Result explore(const Skeleton& skeleton, const Options& options = {});

}  // namespace millrace::explore
