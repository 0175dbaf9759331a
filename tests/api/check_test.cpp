// SPDX-License-Identifier: Apache-2.0
// check(): a fault of the kernel is in the report, never thrown; a fault of the caller is thrown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/run.h"
#include "runs.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Loads into a buffer; `early` reads it before the wait, `again` waits a second time.
Kernel loading(bool early, bool again) {
  return kernel("loading", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})},
                [=](Ref x, Ref out, Ref buf, Semaphore s) {
                  auto load = make_async_copy(x, buf, s);
                  load.start();
                  if (early) out.store(buf.load());
                  load.wait();
                  if (!early) out.store(buf.load());
                  if (again) load.wait();
                },
                {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
}

// Two i16 lie in one i32 of the buffer: which of its 16 rows of i16 are written, and from which on they are read.
Kernel halves(int written, int first) {
  return kernel("halves", {hbm(i16, {16, 128})}, {vmem(i16, {8, 128})},
                [=](Ref x, Ref out, Ref buf, Ref tile) {
                  sync_copy(x, tile);
                  if (written > 0) buf.bitcast(i16).rows(0, written).store(tile.rows(0, written).load());
                  out.store(buf.bitcast(i16).rows(first, 8).load());
                },
                {.scratch = {vmem(i32, {8, 128}), vmem(i16, {16, 128})}});
}

Report checked(const Kernel& k) { return check(k, {counted(f32, {8, 128})}); }

TEST(Check, ACorrectKernelIsCleanAndHasItsOutputs) {
  const Report report = checked(loading(false, false));
  EXPECT_EQ(report.verdict, Verdict::kClean);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_TRUE(same_bits(report.outputs[0], counted(f32, {8, 128})));
  EXPECT_EQ(report.work.dmas, 2u);  // the load, and the output's own window
}

TEST(Check, ARaceMakesTheVerdictFaultyAndStillGivesOutputs) {
  const Report report = checked(loading(true, false));
  EXPECT_EQ(report.verdict, Verdict::kFaulty);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "race.read-write");
  EXPECT_THAT(report.findings[0].first->where, HasSubstr("check_test.cpp:"));
  EXPECT_FALSE(report.findings[0].hint.empty());
  EXPECT_EQ(report.outputs.size(), 1u);
}

TEST(Check, ADeadlockIsReportedBesideTheRacesBeforeItAndHasNoOutputs) {
  const Report report = checked(loading(true, true));
  EXPECT_EQ(report.verdict, Verdict::kFaulty);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].id, "race.read-write");
  const Finding& deadlock = report.findings[1];
  EXPECT_EQ(deadlock.id, "deadlock");
  ASSERT_EQ(deadlock.waiters.size(), 1u);
  EXPECT_EQ(deadlock.waiters[0].semaphore, "scratch1");
  EXPECT_THAT(deadlock.waiters[0].at, HasSubstr("check_test.cpp:"));
  EXPECT_EQ(deadlock.waiters[0].nth, 0u);
  EXPECT_EQ(deadlock.waiters[0].has, 0);
  EXPECT_EQ(deadlock.waiters[0].needs, 4096);
  EXPECT_TRUE(report.outputs.empty());
}

TEST(Check, LeavingItsMemoryIsAFindingWithItsPlaceBoxAndTurn) {
  auto far = [](std::int64_t to) {
    return kernel("far", {hbm(f32, {8, 128})}, {hbm(f32, {16, 128})}, [to](Ref x, Ref out) {
      for_range(0, 2, [&](Index i) { sync_copy(x.rows(0, 8), out.rows(to * i, 8)); });
    });
  };
  EXPECT_TRUE(checked(far(8)).findings.empty());
  const Report report = checked(far(9));
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& f = report.findings[0];
  EXPECT_EQ(f.id, "bounds.dma");
  EXPECT_EQ(f.memory, "out0");
  EXPECT_EQ(f.second->access, "DMA write");
  EXPECT_THAT(f.second->at, HasSubstr("check_test.cpp:"));
  EXPECT_EQ(f.second->nth, 1u);
  EXPECT_EQ(f.box, (std::vector<Range>{{9, 17}, {0, 128}}));
  EXPECT_EQ(f.extent, (std::vector<std::int64_t>{16, 128}));
  EXPECT_EQ(f.schedules, "all");
  EXPECT_TRUE(report.outputs.empty());
}

TEST(Check, AnAccessOfAWindowGoesByTheOperandAndCountsItsTurns) {
  auto far = [](std::int64_t rows) {
    return kernel("far", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [rows](Ref x, Ref out) {
      for_range(0, 8, [&](Index i) { out.rows(i, 1).store(x.rows(i + (rows - 1), 1).load()); });
    });
  };
  EXPECT_TRUE(checked(far(1)).findings.empty());
  const Report report = checked(far(2));
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& f = report.findings[0];
  EXPECT_EQ(f.id, "bounds.access");
  EXPECT_EQ(f.memory, "in0");
  EXPECT_EQ(f.second->access, "core read");
  EXPECT_EQ(f.second->nth, 7u);
  EXPECT_EQ(f.box, (std::vector<Range>{{8, 9}, {0, 128}}));
}

Report blocks(const std::function<Index(Index)>& map) {
  const BlockSpec there{{8, 128}, [](Index i) { return block(i, 0); }};
  const BlockSpec asked{{8, 128}, [map](Index i) { return block(map(i), 0); }};
  return check(
      grid_kernel("blocks", [](Ref x, Ref out) { out.store(x.load()); }, {.grid = {4}, .in = {asked}, .out = {there}}),
      {counted(f32, {32, 128})});
}

TEST(Check, ABlockThatIsNotThereIsAFindingOfItsStep) {
  EXPECT_TRUE(blocks([](Index i) { return i; }).findings.empty());
  const Report report = blocks([](Index i) { return i + 1; });
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& f = report.findings[0];
  EXPECT_EQ(f.id, "bounds.block");
  EXPECT_EQ(f.memory, "in0");
  EXPECT_EQ(f.block, (std::vector<std::int64_t>{4, 0}));
  EXPECT_EQ(f.blocks, (std::vector<std::int64_t>{4, 1}));
  EXPECT_EQ(f.grid_step, (std::vector<std::int64_t>{3}));
  EXPECT_FALSE(f.first || f.second);
}

TEST(Check, AMapThatGivesElementsIsToldSo) {
  const std::string told = "index maps count blocks, not elements";
  EXPECT_THAT(blocks([](Index i) { return 8 * i; }).findings.at(0).message, HasSubstr(told));
  EXPECT_THAT(blocks([](Index i) { return i + 1; }).findings.at(0).message, Not(HasSubstr(told)));
}

// Half of the load is awaited, then all of it is read.
Kernel half_awaited() {
  return kernel("half", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})},
                [](Ref x, Ref out, Ref buf, Semaphore s) {
                  make_async_copy(x, buf, s).start();
                  make_async_copy(x.rows(0, 4), buf.rows(0, 4), s).wait();
                  out.store(buf.load());
                },
                {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
}

TEST(Check, WhatIsAFindingOnlyAsBytesArriveSaysSoAndIsNoneInTheWholeForm) {
  const Report report = checked(half_awaited());
  ASSERT_EQ(report.findings.size(), 2u);
  for (const Finding& f : report.findings) {
    EXPECT_EQ(f.schedules, "some");
    EXPECT_THAT(f.message, HasSubstr("not under --dma-signal whole"));
  }
  RunOptions whole;
  whole.dma_signal = "whole";
  const Report other = check(half_awaited(), {counted(f32, {8, 128})}, whole);
  ASSERT_EQ(other.findings.size(), 1u);
  EXPECT_EQ(other.findings[0].id, "leftover.semaphore");
  EXPECT_EQ(other.findings[0].count, 2048);
  EXPECT_THAT(checked(loading(true, false)).findings.at(0).message, Not(HasSubstr("whole")));
}

TEST(Check, ADeadlockNamesThePlacesThatRaiseItsSemaphore) {
  EXPECT_THAT(checked(loading(false, true)).findings.at(0).message, HasSubstr("scratch1 is raised at check_test.cpp:"));
  const Kernel never =
      kernel("never", {}, {smem(i32, {1})}, [](Ref, Semaphore s) { wait(s, 1); }, {.scratch = {semaphore()}});
  EXPECT_THAT(check(never, {}).findings.at(0).message, HasSubstr("nothing in the kernel raises scratch0"));
}

TEST(Check, AFaultOfTheCallerIsThrown) {
  EXPECT_THAT(error_of([&] { check(loading(false, false), {}); }), StartsWith("user: "));
}

TEST(Check, TheReportIsTheSameAfterAFaultyRun) {
  const std::string first = checked(loading(true, true)).findings[0].message;
  checked(loading(false, true));
  EXPECT_EQ(checked(loading(true, true)).findings[0].message, first);
  EXPECT_EQ(checked(loading(false, false)).verdict, Verdict::kClean);
}

TEST(Check, WhatIsUndefinedInPartsOfElementsIsFoundWhereItLies) {
  const auto of = [](int written, int first) { return check(halves(written, first), {counted(i16, {16, 128})}); };
  for (const auto& [written, first] : {std::pair{16, 8}, {16, 0}, {8, 0}})
    EXPECT_EQ(of(written, first).verdict, Verdict::kClean);
  for (const auto& [written, first] : {std::pair{0, 8}, {0, 0}, {8, 8}}) {
    const Report report = of(written, first);
    ASSERT_EQ(report.findings.size(), 1u) << written << " " << first;
    EXPECT_EQ(report.findings[0].id, "uninitialized.read");
  }
}

}  // namespace
}  // namespace millrace::test
