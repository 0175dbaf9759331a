// SPDX-License-Identifier: Apache-2.0
// What a wait proves (rule 4): a DMA comes before what follows the wait exactly where the wait could not have returned
// without the DMA's last granule. Each example stands beside the twin that differs by one number.
#include "check/plain_order.h"

#include <gtest/gtest.h>

namespace millrace::checkers {
namespace {

constexpr event::Semaphore kArrived{9, 0}, kOther{9, 1};

// One core that starts DMAs, signals and waits.
class Story {
 public:
  explicit Story(Proof proof = Proof::kMust) : order_(proof) {}

  event::DmaId start(std::int64_t bytes, event::Semaphore s = kArrived) {
    event::DmaIssued e{};
    e.dma = next_++, e.raises = s, e.bytes = bytes;
    order_.issued(e);
    return e.dma;
  }
  void signal(std::int64_t amount, event::Semaphore s = kArrived) { order_.signalled({{}, s, amount, 0}); }
  void wait(std::int64_t amount, event::Semaphore s = kArrived) { order_.waited({{}, s, amount, 0}); }

  PlainOrder::Stamp core() const { return order_.now({0, 0, {}}); }
  PlainOrder::Stamp dma(event::DmaId d) const { return order_.now({0, 0, d}); }
  bool proven(event::DmaId d) const { return order_.before(dma(d), core()); }
  const PlainOrder& order() const { return order_; }

 private:
  PlainOrder order_;
  event::DmaId next_ = 0;
};

TEST(PlainOrder, WhatTheCoreDidBeforeAStartComesBeforeTheDmaAndWhatItDoesAfterDoesNot) {
  Story s;
  const auto before = s.core();
  const auto d = s.start(4096);
  const auto after = s.core();
  EXPECT_TRUE(s.order().before(before, s.dma(d)));
  EXPECT_FALSE(s.order().before(after, s.dma(d)));
  EXPECT_FALSE(s.order().before(s.dma(d), after));
}

TEST(PlainOrder, AWaitForAllOfTheBytesProvesTheDma) {
  Story s;
  const auto d = s.start(4096);
  const auto early = s.core();
  EXPECT_FALSE(s.proven(d));
  s.wait(4096);
  EXPECT_TRUE(s.proven(d));
  EXPECT_FALSE(s.order().before(s.dma(d), early));
}

TEST(PlainOrder, AWaitForHalfOfTheBytesProvesNothing) {
  Story s;
  const auto d = s.start(8192);
  s.wait(4096);
  EXPECT_FALSE(s.proven(d));
  s.wait(4096);
  EXPECT_TRUE(s.proven(d));
}

TEST(PlainOrder, AllButTheLastGranuleIsNotEnoughAndOneByteMoreIs) {
  Story s;
  const auto d = s.start(4096);
  s.wait(4064);
  EXPECT_FALSE(s.proven(d));
  s.wait(1);
  EXPECT_TRUE(s.proven(d));
}

TEST(PlainOrder, OneWaitOfTwoEqualDmasProvesNeitherAndTheSecondWaitBoth) {
  Story s;
  const auto a = s.start(4096), b = s.start(4096);
  s.wait(4096);
  EXPECT_FALSE(s.proven(a));
  EXPECT_FALSE(s.proven(b));
  s.wait(4096);
  EXPECT_TRUE(s.proven(a));
  EXPECT_TRUE(s.proven(b));
}

TEST(PlainOrder, OneWaitForTheSumOfTwoDmasProvesBoth) {
  Story s;
  const auto a = s.start(4096), b = s.start(8192);
  s.wait(4096 + 8192);
  EXPECT_TRUE(s.proven(a));
  EXPECT_TRUE(s.proven(b));
}

TEST(PlainOrder, ALargeWaitProvesNothingWhileSmallLoadsCouldMakeUpItsLastGranule) {
  Story s;  // the small one's bytes stand in for the large one's last
  const auto small = s.start(4096), large = s.start(8192);
  s.wait(8192);
  EXPECT_FALSE(s.proven(large));
  EXPECT_FALSE(s.proven(small));

  Story twin;  // a semaphore each
  const auto other = twin.start(4096, kOther), mine = twin.start(8192);
  twin.wait(8192);
  EXPECT_TRUE(twin.proven(mine));
  EXPECT_FALSE(twin.proven(other));
}

TEST(PlainOrder, APlainSignalMayStandInForADmasBytes) {
  Story s;
  const auto d = s.start(4096);
  s.signal(32);
  s.wait(4096);
  EXPECT_FALSE(s.proven(d));
  s.wait(32);
  EXPECT_TRUE(s.proven(d));
}

TEST(PlainOrder, ADmaStartedAfterAWaitIsNotProvenByIt) {
  Story s;
  const auto a = s.start(4096);
  s.wait(4096);
  const auto b = s.start(4096);
  EXPECT_TRUE(s.proven(a));
  EXPECT_FALSE(s.proven(b));
  EXPECT_TRUE(s.order().before(s.dma(a), s.dma(b)));  // through the core
}

TEST(PlainOrder, SumsAreTakenFromTheKernelsBeginning) {
  Story s;  // two rounds on one semaphore: the second is judged by all four sums
  s.start(4096);
  s.wait(4096);
  const auto b = s.start(4096), c = s.start(4096);
  s.wait(4096);
  EXPECT_FALSE(s.proven(b));
  s.wait(4096);
  EXPECT_TRUE(s.proven(c));
}

TEST(PlainOrder, OnARegularSemaphoreADmaCountsOneAndOneWaitProvesIt) {
  Story s;
  const auto a = s.start(1);
  s.wait(1);
  EXPECT_TRUE(s.proven(a));
  Story twin;
  const auto b = twin.start(1), c = twin.start(1);
  twin.wait(1);
  EXPECT_FALSE(twin.proven(b));
  twin.wait(1);
  EXPECT_TRUE(twin.proven(b) && twin.proven(c));
}

TEST(PlainOrder, AWaitOnAnotherSemaphoreProvesNothing) {
  Story s;
  const auto d = s.start(4096);
  s.start(4096, kOther);
  s.wait(4096, kOther);
  EXPECT_FALSE(s.proven(d));
}

TEST(PlainOrder, TwoDmasInFlightAreInNoOrder) {
  Story s;
  const auto a = s.start(4096), b = s.start(4096, kOther);
  EXPECT_FALSE(s.order().before(s.dma(a), s.dma(b)));
  EXPECT_FALSE(s.order().before(s.dma(b), s.dma(a)));
}

TEST(PlainOrder, AsMeantAWaitProvesAllThatWasStartedOnItsSemaphore) {
  Story s(Proof::kMeant);
  const auto a = s.start(4096), b = s.start(4096), c = s.start(4096, kOther);
  const auto early = s.core();
  s.wait(4096);
  EXPECT_TRUE(s.proven(a) && s.proven(b));
  EXPECT_FALSE(s.proven(c));
  EXPECT_FALSE(s.order().before(s.dma(a), early));  // what came before the wait still did
}

}  // namespace
}  // namespace millrace::checkers
