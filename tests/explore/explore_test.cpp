// SPDX-License-Identifier: Apache-2.0
// The explorer against all interleavings of small programs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explore/explore.h"
#include "sketch.h"

namespace millrace::test {
namespace {

using explore::explore;
using explore::Options;
using explore::Result;

// Empty where the explorer counts what there is: by stretches and as one piece.
std::string difference(const Sketch& sketch, const AllRuns& runs, bool whole) {
  if (!runs.all) return "";
  for (const bool by_stretches : {false, true}) {
    Options options;
    options.whole_signals = whole, options.by_stretches = by_stretches;
    const Result got = explore(skeleton_of(sketch), options);
    if (!got.complete || got.classes != runs.complete.size() || got.classes_deadlocked != runs.deadlocked.size())
      return fmt::format("{} and {} deadlocked, but there are {} and {}{} ({}):\n{}", got.classes,
                         got.classes_deadlocked, runs.complete.size(), runs.deadlocked.size(), whole ? ", whole" : "",
                         got.stopped, to_string(sketch));
  }
  return "";
}

// What the programs are like: a test on programs without races, or without deadlocks, would prove little.
struct Kinds {
  int racy = 0, clean = 0, deadlocked = 0, both = 0;
  void count(const AllRuns& runs) {
    if (!runs.all) return;
    racy += runs.complete.size() > 1, clean += runs.complete.size() == 1, deadlocked += !runs.deadlocked.empty();
    both += !runs.deadlocked.empty() && !runs.complete.empty();
  }
};

struct Shape {
  int cores, acts;
  bool contended;
};

Kinds agree_on(int programs, const Shape& shape) {
  Kinds kinds;
  for (int seed = 1; seed <= programs; ++seed) {
    const Genome genome = random_genome(static_cast<std::uint64_t>(seed), shape.cores, shape.acts);
    const Sketch sketch = sketch_of(genome, shape.contended);
    const bool whole = seed % 3 == 0;
    const AllRuns runs = all_runs(sketch, whole);
    const std::string why = difference(sketch, runs, whole);
    EXPECT_EQ(why, "") << "seed " << seed;
    if (!why.empty()) break;
    kinds.count(runs);
  }
  return kinds;
}

TEST(Explore, AgreesWithAllInterleavingsOnOneCore) {
  const Kinds kinds = agree_on(3000, {1, 9, false});
  EXPECT_GT(kinds.racy, 300);
  EXPECT_GT(kinds.clean, 300);
  EXPECT_GT(kinds.deadlocked, 300);
}

TEST(Explore, AgreesWithAllInterleavingsOnTwoCores) {
  const Kinds kinds = agree_on(1000, {2, 4, false});
  EXPECT_GT(kinds.racy, 100);
  EXPECT_GT(kinds.clean, 100);
  EXPECT_GT(kinds.deadlocked, 50);
}

TEST(Explore, AgreesWhereTwoCoresAwaitOneSemaphore) {
  const Kinds kinds = agree_on(4000, {2, 4, true});
  EXPECT_GT(kinds.racy, 100);
  EXPECT_GT(kinds.deadlocked, 30);
  EXPECT_GT(kinds.both, 10);  // some runs end, others do not
}

RC_GTEST_PROP(Explore, CountsWhatThereIs, ()) {
  const auto numbers = rc::gen::resize(24, rc::gen::arbitrary<std::vector<std::uint8_t>>());
  const Genome genome = {*numbers};
  const Sketch sketch = sketch_of(genome, false);
  RC_ASSERT(difference(sketch, all_runs(sketch, false), false) == "");
}

}  // namespace
}  // namespace millrace::test
