// SPDX-License-Identifier: Apache-2.0
// Modeled times against formulas that are worked out by hand.
#include "timing/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.h"
#include "laid_out.h"
#include "runs.h"

namespace millrace::test {
namespace {

using timing::Time;

constexpr Time kLatency = 1000, kTile = 8 * 128 * 4;  // picoseconds: a byte takes one

const std::vector<Array>& matrices() {
  static const std::vector<Array> both = {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)};
  return both;
}

Time computing(const Laid& l) {
  Time sum = 0;
  for (const timing::Compute& c : l.trace.computes) sum += duration_of(c, l.costs);
  return sum;
}

// 9 steps of two loads and a store, each awaited before the next thing begins.
TEST(Clock, ASynchronousPipelineTakesTheSumOfAll) {
  const Laid l = laid_out(pipelined_axpy(2, 2, true), matrices());
  EXPECT_EQ(l.times.end, 27 * (kLatency + kTile) + computing(l));
}

TEST(Clock, EachStartAndEachWaitCostsTheCoreControl) {
  const Laid l = laid_out(pipelined_axpy(2, 2, true), matrices(), round_costs({{"control", 0.5}}));
  EXPECT_EQ(l.times.end, 27 * (kLatency + kTile + 2 * 500) + computing(l));
}

// 27 tiles have to pass the one path to HBM, and nothing else takes as long.
TEST(Clock, AtBestAllBytesPassThePathOneAfterTheOther) {
  const Laid l = laid_out(pipelined_axpy(3, 2), matrices(), round_costs({{"dma-latency", 0}}));
  EXPECT_GE(l.times.end, 27 * kTile);
  EXPECT_LT(l.times.end, 29 * kTile);
}

TEST(Clock, BufferingIsFasterThanWaitingAndAThirdSlotIsNeverSlower) {
  const Time one = laid_out(pipelined_axpy(2, 2, true), matrices()).times.end;
  const Time two = laid_out(pipelined_axpy(2, 2), matrices()).times.end;
  const Time three = laid_out(pipelined_axpy(3, 2), matrices()).times.end;
  EXPECT_LT(two, one);
  EXPECT_LE(three, two);
}

// Loads run one ahead, but each store is awaited in its step: a step is a store and what it is not hidden under.
TEST(Clock, ADoubleBufferByHandHidesItsLoadsUnderItsStores) {
  const int n = 16;
  const Laid l = laid_out(double_buffer(n), {rows_of(n)}, round_costs({{"dma-latency", 1}}));
  const Time latency = 1'000'000;
  EXPECT_EQ(l.trace.copies.size(), 2u * n);
  EXPECT_GT(l.times.end, (n + 1) * (latency + kTile));
  EXPECT_LT(l.times.end, (n + 2) * (latency + 2 * kTile) + computing(l));
}

// Work takes as long as the unit that has most of it: here 8 * 128 products and as many sums, at 1 element a ps.
TEST(Clock, AComputeTakesAsLongAsItsBusiestUnit) {
  const Laid l = laid_out(pipelined_axpy(2, 2, true), matrices(), round_costs({{"vector-rate", 1000}}));
  EXPECT_EQ(computing(l), 9 * 2 * 8 * 128);
}

TEST(Clock, AMatrixProductTakesItsMultiplyAddsOverTheMatrixRate) {
  const Laid l = laid_out(blocked_matmul(128, 128, 256), {counted(f32, {128, 256}), counted(f32, {256, 128})},
                          round_costs({{"matrix-rate", 2}}));  // 1 multiply-add a ps
  EXPECT_GE(computing(l), 2 * 128 * 128 * 128);
  EXPECT_LT(computing(l), 2 * 128 * 128 * 128 + 10'000);
}

// Which schedule the machine took is not the clock's affair.
TEST(Clock, TimesDoNotDependOnTheScheduleOfTheRunThatWasWatched) {
  for (const Kernel& k : {pipelined_axpy(3, 2), pipelined_axpy(2, 2, true)}) {
    const Laid first = laid_out(k, matrices());
    for (const std::string& schedule : schedules(3)) {
      const Laid other = laid_out(k, matrices(), round_costs(), schedule);
      EXPECT_EQ(other.times.end, first.times.end) << schedule;
      ASSERT_EQ(other.times.copies.size(), first.times.copies.size());
      for (std::size_t i = 0; i < first.times.copies.size(); ++i) {
        EXPECT_EQ(other.times.copies[i].start, first.times.copies[i].start) << schedule << i;
        EXPECT_EQ(other.times.copies[i].end, first.times.copies[i].end) << schedule << i;
      }
    }
  }
}

TEST(Clock, AWaitEndsWhenTheCopyThatMeetsItIsThere) {
  const Laid l = laid_out(double_buffer(4), {rows_of(4)});
  for (std::size_t c = 0; c < l.times.copies.size(); ++c) {
    const timing::CopyTimes& copy = l.times.copies[c];
    ASSERT_NE(copy.met, timing::kNone);
    EXPECT_GE(copy.begin - copy.start, kLatency);
    for (std::size_t i = 0; i < l.trace.cores[0].actions.size(); ++i) {
      const timing::Action& a = l.trace.cores[0].actions[i];
      if (a.act == timing::Act::kWait && a.index == copy.met) {
        EXPECT_GE(l.times.cores[0][i].end, copy.end);
      }
    }
  }
}

// The other core goes on when it is told, not before.
TEST(Clock, ACoreWaitsForTheSignalOfAnother) {
  const Laid l = laid_out(small_case("two_cores/second_core_is_told"));
  bool waited = false;
  for (const timing::ActionTimes& a : l.times.cores[1])
    if (a.by_core == 0) {
      waited = true;
      EXPECT_GE(a.blocked, l.times.cores[0][a.by_action].end);
    }
  EXPECT_TRUE(waited);
}

}  // namespace
}  // namespace millrace::test
