// SPDX-License-Identifier: Apache-2.0
// Accesses that are several boxes of a memory, and windows, which race with the body only.
#include <gtest/gtest.h>

#include "check/last_writer.h"
#include "check/races.h"
#include "runs.h"

namespace millrace::checkers {
namespace {

using event::AccessKind;
using event::Box;

const std::vector<event::Place> kPlaces = {{"start.py:1", "start.py:1"}, {"load.py:2", "load.py:2"}};

Box rows(std::int64_t begin, std::int64_t end) {
  Box b;
  b.rank = 1;
  b.ranges[0] = {begin, end, 1};
  return b;
}

// A DMA from memory 0 to the rows 0:4 and 8:12 of memory 1.
event::DmaIssued in_two(event::DmaId id, bool window) {
  event::DmaIssued e{id, {}, {0, rows(0, 8)}, {1, rows(0, 4), {rows(8, 12)}}, {2, 0}, 32, {}, 0};
  if (window) e.window.emplace();
  return e;
}

template <class Observer>
void begin(Observer& o) {
  o.on(event::RunBegan{kPlaces});
  for (event::MemoryId m : {0u, 1u})
    o.on(event::RegionAllocated{m, m == 0 ? "in0" : "out0", event::MemoryKind::kHbm, DType::f32, false, {16}, 0});
}

std::vector<Finding> races_with_a_read_of(const Box& box, std::vector<Box> more) {
  Races races;
  begin(races);
  races.on(in_two(0, false));
  races.on(event::Access{{}, 1, box, AccessKind::kRead, 1, std::move(more)});
  races.on(event::DmaRead{0});
  races.on(event::DmaWrote{0});
  return races.findings();
}

TEST(Boxes, ARaceOnASecondBoxIsFoundThere) {
  for (const auto& findings :
       {races_with_a_read_of(rows(10, 14), {}), races_with_a_read_of(rows(4, 8), {rows(10, 12)})}) {
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].id, "race.read-write");
    EXPECT_EQ(findings[0].box[0].begin, 10);
    EXPECT_EQ(findings[0].box[0].end, 12);
  }
}

TEST(Boxes, WhatLiesBetweenTheBoxesIsInNoRace) {
  EXPECT_TRUE(races_with_a_read_of(rows(4, 8), {rows(12, 16)}).empty());
}

TEST(Boxes, TheLastWriteOfAnElementMayBeInASecondBox) {
  LastWriter writers;
  begin(writers);
  writers.on(in_two(0, false));
  writers.on(event::DmaWrote{0});
  EXPECT_NE(writers.find("out0", {9}), nullptr);
  EXPECT_EQ(writers.find("out0", {5}), nullptr);
}

TEST(Boxes, TwoWindowsDoNotRaceButAWindowAndACopyOfTheBodyDo) {
  for (bool window : {true, false}) {
    Races races;
    begin(races);
    races.on(in_two(0, true));
    races.on(in_two(1, window));
    for (event::DmaId id : {0u, 1u}) races.on(event::DmaRead{id}), races.on(event::DmaWrote{id});
    EXPECT_EQ(races.findings().size(), window ? 0u : 1u);
  }
}

// Stores to the first half of `out` while the same rows are loaded through `x`.
Kernel through_two_names() {
  return kernel("two names", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 128}), dma_semaphores(2), [&](Ref buf, Semaphores s) {
      buf[0].store(zeros_like(buf[0]));
      auto store = make_async_copy(buf[0], out.rows(0, 8), s[0]);
      auto load = make_async_copy(x.rows(4, 8), buf[1], s[1]);
      store.start(), load.start();
      store.wait(), load.wait();
    });
  });
}

TEST(Boxes, TwoNamesOfOneArrayRaceAndTwoArraysDoNot) {
  for (bool aliased : {true, false}) {
    Races races;
    test::How how{.observers = {&races}};
    if (aliased) how.environment.aliases = {{0, 0}};
    ASSERT_TRUE(test::run(through_two_names(), {test::counted(f32, {16, 128})}, how).outcome.ended());
    const auto findings = races.findings();
    ASSERT_EQ(findings.size(), aliased ? 1u : 0u);
    if (!aliased) continue;
    EXPECT_EQ(findings[0].memory, "out0");
    EXPECT_EQ(findings[0].box[0].begin, 4);
    EXPECT_EQ(findings[0].box[0].end, 8);
  }
}

}  // namespace
}  // namespace millrace::checkers
