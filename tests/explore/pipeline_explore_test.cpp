// SPDX-License-Identifier: Apache-2.0
// Pipelines of any length: a correct one is one class, a faulty one as many as its stretches multiply to.
#include <gtest/gtest.h>

#include "explore/explore.h"
#include "sketch.h"

namespace millrace::test {
namespace {

using explore::explore;
using explore::Options;
using explore::Result;

constexpr std::int64_t kBytes = 4096;

// Blocks copied in and out through `buffers` slots each, each slot with a semaphore of its own, or all with one a
// direction. The copy in of step i is started buffers - 1 steps ahead. `without_wait`: a step whose wait for the copy
// in is left out.
struct Pipeline {
  int steps, buffers;
  bool one_semaphore = false;
  int without_wait = -1;
  int inputs = 1;
};

Touch whole(int memory) { return {memory, 0, 4, 1}; }

Sketch pipeline(const Pipeline& p) {
  const int kIn = 0, kOut = 1,
            slots = 2;  // memories: the arrays, then the slots of each input, then those of the output
  const auto in_slot = [&](int input, int i) { return whole(slots + input * p.buffers + i % p.buffers); };
  const auto out_slot = [&](int i) { return whole(slots + p.inputs * p.buffers + i % p.buffers); };
  const auto in_semaphore = [&](int input, int i) { return p.one_semaphore ? 0 : input * p.buffers + i % p.buffers; };
  const auto out_semaphore = [&](int i) { return p.one_semaphore ? 1 : p.inputs * p.buffers + i % p.buffers; };
  const auto block = [](int memory, int i) { return Touch{memory, i, i + 1, 1}; };
  std::vector<Act> acts;
  const auto fetch = [&](int i) {
    if (i >= p.steps) return;
    for (int k = 0; k < p.inputs; ++k) acts.push_back(start(block(kIn, i), in_slot(k, i), in_semaphore(k, i), kBytes));
  };
  for (int i = 0; i + 1 < p.buffers; ++i) fetch(i);
  for (int i = 0; i < p.steps; ++i) {
    fetch(i + p.buffers - 1);
    for (int k = 0; k < p.inputs; ++k)
      if (i != p.without_wait) acts.push_back(wait(in_semaphore(k, i), kBytes));
    if (i >= p.buffers) acts.push_back(wait(out_semaphore(i), kBytes));
    for (int k = 0; k < p.inputs; ++k) acts.push_back(read(in_slot(k, i)));
    acts.push_back(write(out_slot(i)));
    acts.push_back(start(out_slot(i), block(kOut, i), out_semaphore(i), kBytes));
  }
  for (int i = std::max(0, p.steps - p.buffers); i < p.steps; ++i) acts.push_back(wait(out_semaphore(i), kBytes));
  return {{acts}, std::vector<bool>(static_cast<std::size_t>((p.inputs + 1) * p.buffers + 2), true)};
}

TEST(Pipelines, ThatAreCorrectAreOneClassWhateverTheirLengthAndBuffers) {
  for (int buffers : {1, 2, 3, 4})
    for (int steps : {1, 2, 10, 100})
      for (int inputs : {1, 2}) {
        const Result r = explore(skeleton_of(pipeline({steps, buffers, false, -1, inputs})));
        EXPECT_EQ(r.classes, 1u) << steps << " steps, " << buffers << " buffers";
        EXPECT_EQ(r.classes_deadlocked, 0u);
        EXPECT_TRUE(r.complete);
      }
}

TEST(Pipelines, AreOneClassWhereTwoCopiesShareASemaphoreAndBothAreAwaited) {
  std::vector<Act> acts;
  for (int i = 0; i < 50; ++i) {
    acts.push_back(start(whole(0), whole(2), 0, kBytes)), acts.push_back(start(whole(1), whole(3), 0, kBytes));
    acts.push_back(wait(0, kBytes)), acts.push_back(wait(0, kBytes));
    acts.push_back(read(whole(2))), acts.push_back(read(whole(3)));
  }
  EXPECT_EQ(explore(skeleton_of({{acts}, {true}})).classes, 1u);
}

// The same, read after the first wait: every step is a race of its own, and all steps are alike.
TEST(Pipelines, MultiplyTheClassesOfTheirSteps) {
  std::vector<Act> acts;
  for (int i = 0; i < 40; ++i) {
    acts.push_back(start(whole(0), whole(2), 0, kBytes)), acts.push_back(start(whole(1), whole(3), 0, kBytes));
    acts.push_back(wait(0, kBytes)), acts.push_back(read(whole(2))), acts.push_back(wait(0, kBytes));
  }
  const Result r = explore(skeleton_of({{acts}, {true}}));
  EXPECT_EQ(r.classes, std::uint64_t{1} << 40);
  EXPECT_EQ(r.met, 2u);  // one step was explored, the other 39 are the same
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.races.size(), 40u);
}

// Bytes have no names: those of the block ahead may meet the wait for this one.
TEST(Pipelines, ThatShareOneSemaphoreBetweenBlocksInFlightAreNot) {
  Options options;
  options.max_classes = 1000;
  EXPECT_GT(explore(skeleton_of(pipeline({4, 2, true})), options).classes, 1u);
  EXPECT_EQ(explore(skeleton_of(pipeline({4, 1, true})), options).classes, 1u);  // with one buffer none is ahead
}

TEST(Pipelines, WithOneWaitLeftOutAreEnumerated) {
  const Sketch faulty = pipeline({3, 1, false, 1, 1});
  const AllRuns all = all_runs(faulty, false, 100'000);
  ASSERT_TRUE(all.all);
  const Result r = explore(skeleton_of(faulty));
  EXPECT_GT(r.classes, 1u);
  EXPECT_EQ(r.classes, all.complete.size());
}

TEST(Pipelines, StopAtTheBoundAndSaySo) {
  std::vector<Act> acts;
  for (int i = 0; i < 12; ++i) acts.push_back(start(whole(0), whole(1), 0, kBytes));
  Options options;
  options.max_classes = 1000;
  const Result r = explore(skeleton_of({{acts}, {true}}), options);
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.classes, 1000u);
  EXPECT_EQ(r.stopped, "stopped after 1000 classes");
  options.max_classes = 1'000'000, options.max_work = 5000;
  EXPECT_FALSE(explore(skeleton_of({{acts}, {true}}), options).complete);
}

TEST(Pipelines, OfManyStepsAreSweptInOnePass) {
  const Result r = explore(skeleton_of(pipeline({32'768, 4, false, -1, 2})));
  EXPECT_EQ(r.classes, 1u);
  EXPECT_TRUE(r.complete);
}

}  // namespace
}  // namespace millrace::test
