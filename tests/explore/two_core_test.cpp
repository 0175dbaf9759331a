// SPDX-License-Identifier: Apache-2.0
// Small programs of two cores whose classes can be counted by hand.
#include <gtest/gtest.h>

#include "explore/explore.h"
#include "sketch.h"

namespace millrace::test {
namespace {

using explore::explore;
using explore::Result;

const Touch kShared{0, 0, 4, 1};

Result explored(const Sketch& sketch) { return explore(skeleton_of(sketch)); }

TEST(TwoCores, UnorderedWritesOfTheSameElementsAreTwoClasses) {
  const Result r = explored({{{write(kShared)}, {write(kShared)}}, {}});
  EXPECT_EQ(r.classes, 2u);
  EXPECT_EQ(r.races.size(), 1u);
}

TEST(TwoCores, ASignalAndAWaitMakeOneClass) {
  const Result r = explored({{{write(kShared), signal(0, 1)}, {wait(0, 1), read(kShared)}}, {false}});
  EXPECT_EQ(r.classes, 1u);
  EXPECT_TRUE(r.races.empty());
}

TEST(TwoCores, AWaitBeforeTheOtherWaitsInACircleIsADeadlock) {
  const Sketch circle{{{wait(0, 1), signal(1, 1)}, {wait(1, 1), signal(0, 1)}}, {false, false}};
  const Result r = explored(circle);
  EXPECT_EQ(r.classes, 0u);
  EXPECT_EQ(r.classes_deadlocked, 1u);
}

// Core 0 signals, then signals again; either may have met core 1's wait, but only the first write comes before both.
TEST(TwoCores, AWaitProvesOnlyWhatEverySignalProves) {
  const Touch first{0, 0, 1, 1}, second{0, 1, 2, 1};
  const Result r = explored(
      {{{write(first), signal(0, 1), write(second), signal(0, 1)}, {wait(0, 1), read(first), read(second)}}, {false}});
  EXPECT_EQ(r.classes, 2u);
  EXPECT_EQ(r.races.size(), 1u);
}

TEST(TwoCores, ASendSemaphoreProvesTheReadAlone) {
  const Touch mine{1, 0, 4, 1};
  const Sketch sent{{{start(mine, kShared, 1, 64, 0), wait(0, 64), write(mine)}, {read(kShared)}}, {true, true}};
  const Result r = explored(sent);
  EXPECT_EQ(r.classes, 2u);  // the read and the write of the shared memory; `mine` is read before it is written
  ASSERT_EQ(r.races.size(), 1u);
  EXPECT_EQ(r.races[0].first.kind, explore::Step::Kind::kDmaWrite);
}

TEST(OneCore, ACopyThatIsSentToItselfIsKnownByBothItsSemaphores) {
  const Touch source{0}, target{1};
  const Sketch sketch{{{start(source, target, 0, 4096, 1), wait(1, 4096), write(source), wait(0, 4096), read(target)}},
                      {true, true}};
  const Result r = explore::explore(skeleton_of(sketch));
  EXPECT_EQ(r.classes, 1u);
  EXPECT_EQ(r.classes_deadlocked, 0u);
}

// What awaits the send semaphore comes after the read, not after the write: of the pairs only the writes are open.
TEST(OneCore, TwoCopiesWhoseSendingIsAwaitedRaceInTheirWritesAlone) {
  const Touch source{0}, target{1};
  const Act send = start(source, target, 0, 96, 1);
  const Result r = explored({{{write(source), send, wait(1, 96), write(source), send, wait(1, 96)}}, {true, true}});
  EXPECT_EQ(r.classes, 2u);
  ASSERT_EQ(r.races.size(), 1u);
  EXPECT_EQ(r.races[0].first.kind, explore::Step::Kind::kDmaWrite);
  EXPECT_EQ(r.races[0].second.kind, explore::Step::Kind::kDmaWrite);
}

// The last copy is in no race itself, but the others are awaited with what it sends.
TEST(OneCore, WhatACopyOutsideOfAllPairsSendsIsThereForTheirWaits) {
  const Touch source{0}, target{1}, other{2}, elsewhere{3};
  const Act first = start(source, target, 0, 96);
  const Sketch s{
      {{first, first, start(other, elsewhere, 1, 32, 0), wait(0, 96), wait(0, 96), wait(0, 32), wait(1, 32)}},
      {true, true}};
  const AllRuns all = all_runs(s, false, 1'000'000);
  ASSERT_TRUE(all.all);
  const Result r = explored(s);
  EXPECT_EQ(r.classes, 2u);
  EXPECT_EQ(r.classes, all.complete.size());
  EXPECT_EQ(r.races.size(), 1u);
}

// One signal for two cores: whoever comes first goes on, the other is blocked. Two deadlocks, each in one order.
TEST(TwoCores, ASignalForOneOfTwoCoresIsADeadlockOfEither) {
  const Result r = explored({{{wait(0, 1), write(kShared)}, {wait(0, 1), write(kShared)}, {signal(0, 1)}}, {false}});
  EXPECT_EQ(r.classes, 0u);
  EXPECT_EQ(r.classes_deadlocked, 1u);  // no pair ran whole in either
}

// The core that signals again must come first.
TEST(TwoCores, WhoIsServedFirstMayDecideWhetherTheRunEnds) {
  const Result r =
      explored({{{signal(0, 1), wait(0, 1), write(kShared), signal(0, 1)}, {wait(0, 1), write(kShared)}}, {false}});
  EXPECT_EQ(r.classes, 1u);
  EXPECT_EQ(r.classes_deadlocked, 1u);
  EXPECT_TRUE(r.complete);
}

TEST(TwoCores, ThatRunForTooLongAreNotExploredAndSaySo) {
  std::vector<Act> acts;
  for (int i = 0; i < 300; ++i) acts.push_back(write(kShared)), acts.push_back(signal(0, 1));
  explore::Options options;
  options.max_work = 10'000;
  const Result r = explore(skeleton_of({{acts, {wait(0, 300), read(kShared)}}, {false}}), options);
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.stopped, "too long to be explored as one piece");
}

// Found by all_runs: the deadlock where core 0 took both signals has one pair more than the others, always in order.
TEST(TwoCores, DeadlocksWithOtherPairsAreOtherClasses) {
  const Touch own{1, 0, 4, 1};
  const Sketch s{{{start(own, kShared, 0, 96), wait(0, 96), wait(0, 96), start(own, kShared, 0, 32)},
                  {start(own, kShared, 0, 96), wait(0, 96)}},
                 {true}};
  const AllRuns all = all_runs(s, true);
  ASSERT_TRUE(all.all);
  explore::Options whole;
  whole.whole_signals = true;
  EXPECT_EQ(explore(skeleton_of(s), whole).classes_deadlocked, all.deadlocked.size());
}

}  // namespace
}  // namespace millrace::test
