// SPDX-License-Identifier: Apache-2.0
// What each wait proved, on kernels of a few lines; always in agreement with the order that the race checkers keep.
#include "check/wait_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases.h"
#include "runs.h"

namespace millrace::test {
namespace {

using checkers::WaitSite;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<WaitSite> waits(const Kernel& kernel, const std::string& schedule = "canonical") {
  checkers::WaitProofs observer;
  run(kernel, {counted(f32, {64, 128})}, {schedule, {&observer}});
  return observer.sites();
}

// A body that sees x in HBM, two slots of (8, 128) and two semaphores. `shared`: both loads raise the first.
Kernel two_loads(bool shared, bool both_first) {
  return kernel("two_loads", {hbm(f32, {64, 128})}, {hbm(f32, {64, 128})},
                [=](Ref x, Ref, Ref buf, Semaphores sem) {
                  auto a = make_async_copy(x.rows(0, 8), buf[0], sem[0]);
                  auto b = make_async_copy(x.rows(8, 8), buf[1], sem[shared ? 0 : 1]);
                  a.start();
                  if (!both_first) a.wait();
                  b.start();
                  if (both_first) a.wait();
                  b.wait();
                },
                {.scratch = {vmem(f32, {2, 8, 128}), dma_semaphores(2)}});
}

TEST(WaitProofs, AWaitOfItsOwnProvesItsLoad) {
  for (const bool shared : {false, true}) {
    const auto sites = waits(two_loads(shared, false));
    ASSERT_THAT(sites, SizeIs(2));
    for (const WaitSite& w : sites) {
      EXPECT_EQ(w.semaphore, "scratch1");
      EXPECT_TRUE(w.bytes);
      EXPECT_EQ(w.waits, 1u);
      EXPECT_EQ(w.least, 4096);
      EXPECT_EQ(w.most, 4096);
      EXPECT_EQ(w.proved_none, 0u);
      EXPECT_THAT(w.proved, SizeIs(1));
      EXPECT_THAT(w.open, IsEmpty());
    }
    EXPECT_NE(sites[0].proved[0].at, sites[1].proved[0].at);
  }
}

TEST(WaitProofs, OfTwoLoadsOnOneSemaphoreTheFirstWaitProvesNeitherAndTheSecondBoth) {
  for (const std::string& schedule : schedules(3)) {
    const auto sites = waits(two_loads(true, true), schedule);
    ASSERT_THAT(sites, SizeIs(2));
    EXPECT_THAT(sites[0].proved, IsEmpty());
    EXPECT_EQ(sites[0].proved_none, 1u);
    EXPECT_EQ(sites[0].first_without_proof, 0u);
    EXPECT_THAT(sites[0].open, SizeIs(2));
    EXPECT_THAT(sites[1].proved, SizeIs(2));
    EXPECT_THAT(sites[1].open, IsEmpty());
  }
}

TEST(WaitProofs, OnAnotherSemaphoreNothingIsLeftOpen) {
  for (const WaitSite& w : waits(two_loads(false, true))) EXPECT_THAT(w.open, IsEmpty());
}

// Eight rows of blocks through two slots; with one semaphore for both the next load is under way at each wait but the
// last.
Kernel ring(bool shared) {
  return kernel("ring", {hbm(f32, {64, 128})}, {hbm(f32, {64, 128})},
                [=](Ref x, Ref, Ref buf, Semaphores sem) {
                  auto load = [&](Index i) {
                    return make_async_copy(x.rows(8 * i, 8), buf[i % 2], shared ? sem[0] : sem[i % 2]);
                  };
                  load(0).start();
                  for_range(0, 8, [&](Index i) {
                    when(i + 1 < 8, [&] { load(i + 1).start(); });
                    load(i).wait();
                  });
                },
                {.scratch = {vmem(f32, {2, 8, 128}), dma_semaphores(2)}});
}

TEST(WaitProofs, ALoopIsOneEntryWithItsCountsAndTheFirstException) {
  const auto good = waits(ring(false));
  ASSERT_THAT(good, SizeIs(1));
  EXPECT_EQ(good[0].waits, 8u);
  EXPECT_EQ(good[0].proved_none, 0u);
  ASSERT_THAT(good[0].proved, SizeIs(2));  // the prologue's start, and the loop's
  EXPECT_EQ(good[0].proved[0].dmas, 1u);
  EXPECT_EQ(good[0].proved[1].dmas, 7u);
  EXPECT_EQ(good[0].proved[1].first_wait, 1u);
  EXPECT_THAT(good[0].open, IsEmpty());

  const auto shared = waits(ring(true));
  ASSERT_THAT(shared, SizeIs(1));
  EXPECT_EQ(shared[0].waits, 8u);
  EXPECT_EQ(shared[0].proved_none, 7u);
  EXPECT_EQ(shared[0].first_without_proof, 0u);
  ASSERT_THAT(shared[0].proved, SizeIs(2));
  EXPECT_EQ(shared[0].proved[1].first_wait, 7u);
  ASSERT_THAT(shared[0].open, SizeIs(2));
  EXPECT_EQ(shared[0].open[0].waits, 7u);
  EXPECT_EQ(shared[0].open[1].first_wait, 0u);
  EXPECT_EQ(shared[0].open[1].first_dma, 0u);
}

TEST(WaitProofs, OfSignalsThereIsNothingToProve) {
  const auto sites = waits(kernel("signals", {hbm(f32, {64, 128})}, {hbm(f32, {64, 128})},
                                  [](Ref, Ref, Semaphore s) {
                                    signal(s, 3);
                                    wait(s, 3);
                                  },
                                  {.scratch = {semaphore()}}));
  ASSERT_THAT(sites, SizeIs(1));
  EXPECT_FALSE(sites[0].bytes);
  EXPECT_EQ(sites[0].most, 3);
  EXPECT_THAT(sites[0].proved, IsEmpty());
  EXPECT_THAT(sites[0].open, IsEmpty());
}

TEST(WaitProofs, TheGridsOwnPipelineIsLeftOut) {
  auto rows = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }};
  EXPECT_THAT(waits(grid_kernel("copy", [](Ref x, Ref out) { out.store(x.load()); },
                                {.grid = {8}, .in = {rows}, .out = {rows}})),
              IsEmpty());
}

// A wait that leaves a DMA open is what a race "in some schedules" comes from.
TEST(WaitProofs, RacesInSomeSchedulesComeWithAWaitThatLeavesSomethingOpen) {
  int seen = 0;
  for (const auto& folder : folders_in(std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests/cases/faults_small")) {
    const Case c = read_case(folder);
    if (std::none_of(c.findings.begin(), c.findings.end(), [](const auto& f) { return f.ends_with("| some"); }))
      continue;
    checkers::WaitProofs observer;
    run(c.module, c.inputs, c.outputs, {"canonical", {&observer}});
    bool open = false;
    for (const WaitSite& w : observer.sites()) open |= !w.open.empty();
    EXPECT_TRUE(open) << c.name;
    ++seen;
  }
  EXPECT_GE(seen, 5);
}

}  // namespace
}  // namespace millrace::test
