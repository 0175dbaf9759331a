// SPDX-License-Identifier: Apache-2.0
// What is left where a scope or the kernel ends, in runs of a few events, each beside the twin that leaves nothing.
#include "check/leftovers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "story.h"

namespace millrace::test {
namespace {

using checkers::Leftovers;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Two arrays, a buffer, a DMA semaphore array and a regular semaphore, all for the whole kernel.
struct Kernel {
  Leftovers observer;
  Story story{observer};
  event::MemoryId in = story.memory("in0"), out = story.memory("out0"), buffer = story.memory("scratch0");
  event::MemoryId arrived = story.semaphores("scratch1", true, {2}), ready = story.semaphores("scratch2", false);
  event::Semaphore first{arrived, 0}, second{arrived, 1}, count{ready, 0};

  std::vector<Finding> findings() {
    story.end();
    return observer.findings();
  }
};

TEST(Leftovers, AStoreThatNobodyAwaitsIsLeftAndItsAwaitedTwinIsNot) {
  Kernel faulty, twin;
  faulty.story.start(faulty.buffer, faulty.out, faulty.second, 4096, 11);
  twin.story.start(twin.buffer, twin.out, twin.second, 4096, 11);
  twin.story.wait(twin.second, 4096);
  const auto found = faulty.findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "leftover.dma");
  EXPECT_EQ(found[0].memory, "out0");
  EXPECT_EQ(found[0].semaphore, "scratch1[1]");
  EXPECT_EQ(found[0].bytes, 4096);
  EXPECT_EQ(found[0].first->access, "DMA");
  EXPECT_EQ(found[0].first->at, "k.py:11");
  EXPECT_EQ(found[0].schedules, "all");
  EXPECT_EQ(found[0].clause, "S4.6");
  EXPECT_THAT(found[0].message, HasSubstr("started at line 11 may still be on its way when the kernel ends"));
  EXPECT_THAT(twin.findings(), IsEmpty());
}

TEST(Leftovers, OneWaitOfTwoStoresLeavesEitherInSomeSchedules) {
  Kernel k, twin;
  for (Kernel* one : {&k, &twin}) {
    one->story.start(one->in, one->out, one->first, 4096, 1);
    one->story.start(one->in, one->out, one->first, 4096, 2);
    one->story.wait(one->first, 4096);
  }
  twin.story.wait(twin.first, 4096);
  const auto found = k.findings();
  ASSERT_THAT(found, SizeIs(2));
  for (const Finding& f : found) {
    EXPECT_EQ(f.schedules, "some");
    EXPECT_EQ(f.bytes, 4096);  // what the semaphore will hold, not what the DMA brings
  }
  EXPECT_THAT(twin.findings(), IsEmpty());
}

TEST(Leftovers, TheStartsOfOnePlaceOnOneSemaphoreAreOneFindingAndOfTwoElementsTwo) {
  Kernel k;
  for (int i = 0; i < 3; ++i) {
    k.story.start(k.in, k.buffer, k.first, 4096, 5);
    if (i == 0) k.story.wait(k.first, 4096);
  }
  k.story.start(k.in, k.buffer, k.second, 64, 5);
  const auto found = k.findings();
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].semaphore, "scratch1[0]");
  EXPECT_EQ(found[0].first->nth, 1u);
  EXPECT_EQ(found[0].bytes, 8192);
  EXPECT_EQ(found[1].first->nth, 3u);
  EXPECT_EQ(found[1].bytes, 64);
}

TEST(Leftovers, AWaitForLessThanTheLastGranuleLeavesTheDma) {
  Kernel all_but_one, one_more;
  for (Kernel* k : {&all_but_one, &one_more}) k->story.start(k->in, k->buffer, k->first, 4096, 3);
  all_but_one.story.wait(all_but_one.first, 4064);
  one_more.story.wait(one_more.first, 4065);
  EXPECT_EQ(all_but_one.findings().at(0).id, "leftover.dma");
  const auto found = one_more.findings();  // it is there, but not all was waited for
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "leftover.semaphore");
  EXPECT_EQ(found[0].count, 31);
  EXPECT_EQ(found[0].at, "k.py:3");
  EXPECT_THAT(found[0].message, HasSubstr("31 bytes"));
}

TEST(Leftovers, ADmaThatSignalsOnceIsProvenByAnyOfItsBytes) {
  Kernel k;
  k.story.start(k.in, k.buffer, k.first, 8192, 3, 8192);
  k.story.wait(k.first, 4096);
  const auto found = k.findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "leftover.semaphore");
  EXPECT_EQ(found[0].count, 4096);
}

TEST(Leftovers, ASemaphoreAboveZeroIsLeftByTheLastToRaiseIt) {
  Kernel k, twin;
  for (Kernel* one : {&k, &twin}) {
    one->story.signal(one->count, 1, 6);
    one->story.signal(one->count, 2, 7);
    one->story.wait(one->count, 2);
  }
  twin.story.wait(twin.count, 1);
  const auto found = k.findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "leftover.semaphore");
  EXPECT_EQ(found[0].semaphore, "scratch2");
  EXPECT_EQ(found[0].memory, "");
  EXPECT_EQ(found[0].count, 1);
  EXPECT_EQ(found[0].at, "k.py:7");
  EXPECT_THAT(twin.findings(), IsEmpty());
}

TEST(Leftovers, ADmaOnARegularSemaphoreCountsOne) {
  Kernel k, twin;
  for (Kernel* one : {&k, &twin}) one->story.start(one->in, one->out, one->count, 1, 4);
  twin.story.wait(twin.count, 1);
  const auto found = k.findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "leftover.dma");
  EXPECT_EQ(found[0].bytes, 1);
  EXPECT_THAT(twin.findings(), IsEmpty());
}

TEST(Leftovers, ADmaOfNoBytesAndAWaitForNoneLeaveNothing) {
  Kernel k;
  k.story.start(k.in, k.out, k.first, 0, 4);
  k.story.wait(k.first, 0);
  EXPECT_THAT(k.findings(), IsEmpty());
}

TEST(Leftovers, TheWindowsOfAGridLeaveNothing) {
  Kernel k;
  k.story.move(0, 0, k.in, {0}, Story::rows(0, 8), false);
  EXPECT_THAT(k.findings(), IsEmpty());
}

TEST(Leftovers, ASemaphoreIsJudgedWhereItsScopeEnds) {
  Kernel k;
  for (int turn = 0; turn < 2; ++turn) {  // the second turn's semaphore begins at zero
    const auto s = k.story.semaphores("scopedsem0");
    k.story.start(k.in, k.buffer, {s, 0}, 4096, 9);
    k.story.free(s);
  }
  const auto found = k.findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].semaphore, "scopedsem0");
  EXPECT_EQ(found[0].first->nth, 0u);
  EXPECT_EQ(found[0].bytes, 4096);
  EXPECT_THAT(found[0].message, HasSubstr("when its scope ends"));
}

TEST(Leftovers, ADmaThatOutlivesItsMemoryIsFoundThoughItIsAwaitedLater) {
  auto run = [](bool inside) {
    Kernel k;
    const auto buffer = k.story.memory("scoped0");
    k.story.start(k.in, buffer, k.first, 4096, 8);
    if (inside) k.story.wait(k.first, 4096);
    k.story.free(buffer);
    if (!inside) k.story.wait(k.first, 4096);
    return k.findings();
  };
  const auto found = run(false);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "scope.use-after");
  EXPECT_EQ(found[0].memory, "scoped0");
  EXPECT_EQ(found[0].first->access, "DMA write");
  EXPECT_EQ(found[0].first->at, "k.py:8");
  EXPECT_EQ(found[0].box, (std::vector<Range>{{0, 8}}));
  EXPECT_EQ(found[0].schedules, "all");
  EXPECT_THAT(run(true), IsEmpty());
}

// Whoever calls memories by the words of the kernel's author may call them anything.
TEST(Leftovers, WhatIsOfAScopeIsToldByWhoAllocatedItNotByItsName) {
  const auto freed_under_a_dma = [](const std::string& name, event::PlaceId line) {
    Kernel k;
    constexpr event::MemoryId buffer = 50;
    k.observer.on(event::RegionAllocated{buffer, name, event::MemoryKind::kVmem, DType::f32, false, {64}, line});
    k.story.start(k.in, buffer, k.first, 4096, 8);
    k.story.free(buffer);
    k.story.wait(k.first, 4096);
    return k.findings();
  };
  ASSERT_THAT(freed_under_a_dma("inner", 5), SizeIs(1));
  EXPECT_EQ(freed_under_a_dma("inner", 5)[0].memory, "inner");
  EXPECT_THAT(freed_under_a_dma("scoped_by_its_author", 0), IsEmpty());
}

TEST(Leftovers, ADmaLeftOverInAScopeIsAlsoOneThatOutlivesItsMemoryInWhicheverOrderTheyEnd) {
  for (const bool semaphore_first : {false, true}) {
    Kernel k;
    const auto buffer = k.story.memory("scoped0");
    const auto s = k.story.semaphores("scopedsem0");
    k.story.start(buffer, k.out, {s, 0}, 4096, 8);
    k.story.start(k.in, k.out, {s, 0}, 4096, 9);
    k.story.wait({s, 0}, 4096);
    k.story.free(semaphore_first ? s : buffer);
    k.story.free(semaphore_first ? buffer : s);
    const auto found = k.findings();
    ASSERT_THAT(found, SizeIs(3));
    EXPECT_EQ(found[0].id, "leftover.dma");
    EXPECT_EQ(found[2].id, "scope.use-after");
    EXPECT_EQ(found[2].first->access, "DMA read");
    EXPECT_EQ(found[2].schedules, "some");  // the wait may have been met by this one
  }
}

TEST(Leftovers, ACopyWithinOneScopeOutlivesItOnceAndTwoOperandsOfOnePlaceTwice) {
  Kernel k;
  const auto a = k.story.memory("scoped0"), b = k.story.memory("scoped1");
  k.story.start(a, b, k.first, 4096, 8);
  k.story.free(b);
  k.story.free(a);
  EXPECT_THAT(k.findings(), SizeIs(2));  // with the leftover

  Kernel pipeline;
  const auto x = pipeline.story.memory("scoped0"), y = pipeline.story.memory("scoped1");
  pipeline.story.start(pipeline.in, x, pipeline.first, 4096, 8);
  pipeline.story.start(pipeline.in, y, pipeline.second, 4096, 8);
  pipeline.story.free(y);
  pipeline.story.free(x);
  EXPECT_THAT(pipeline.findings(), SizeIs(4));
}

TEST(Leftovers, MemoryOfTheWholeKernelHasNoScopeToOutlive) {
  Kernel k;
  k.story.start(k.in, k.buffer, k.first, 4096, 8);
  k.story.free(k.buffer);
  EXPECT_THAT(k.findings(), SizeIs(1));  // the leftover alone
}

}  // namespace
}  // namespace millrace::test
