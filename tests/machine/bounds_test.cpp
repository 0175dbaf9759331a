// SPDX-License-Identifier: Apache-2.0
// A kernel that leaves its memory ends there, with the box, the memory and its shape; a run that goes on for ever
// ends too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;

Kernel rows_of(int turns) {
  return kernel("rows", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [turns](Ref x, Ref out) {
    for_range(0, turns, [&](Index i) { sync_copy(x.rows(8 * i, 8), out.rows(8 * i, 8)); });
  });
}

TEST(Bounds, ADmaOneBlockTooFarStopsTheRunAndSaysWhere) {
  EXPECT_TRUE(run(rows_of(2), {counted(f32, {16, 128})}).outcome.ended());
  const Ran ran = run(rows_of(3), {counted(f32, {16, 128})});
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->id, "bounds.dma");
  EXPECT_EQ(ran.outcome.fault->message, "in0[16:24, 0:128] leaves in0, which has the shape (16, 128)");
  EXPECT_EQ(ran.lines_with("kernel ends"), 0u);
}

TEST(Bounds, ALoadOrStoreOutsideItsMemoryIsAnAccessFault) {
  auto load = [](int turns) {
    return kernel("load", {vmem(f32, {16, 128})}, {vmem(f32, {8, 128})}, [turns](Ref x, Ref out) {
      for_range(0, turns, [&](Index i) { out.store(x.rows(8 * i, 8).load()); });
    });
  };
  EXPECT_TRUE(run(load(2), {counted(f32, {16, 128})}).outcome.ended());
  const Ran bad = run(load(3), {counted(f32, {16, 128})});
  ASSERT_TRUE(bad.outcome.fault);
  EXPECT_EQ(bad.outcome.fault->id, "bounds.access");
  EXPECT_THAT(bad.outcome.fault->message, HasSubstr("[16:24, 0:128] leaves"));

  const Kernel scalar =
      kernel("scalar", {}, {smem(i32, {4})}, [](Ref out) { for_range(0, 5, [&](Index i) { out.store(i, i); }); });
  ASSERT_TRUE(run(scalar, {}).outcome.fault);
  EXPECT_EQ(run(scalar, {}).outcome.fault->id, "bounds.access");
}

TEST(Bounds, ASemaphoreBeyondItsArrayIsAnAccessFault) {
  const Kernel k =
      kernel("far", {}, {smem(i32, {1})}, [](Ref, Semaphores s) { for_range(0, 4, [&](Index i) { signal(s[i], 1); }); },
             {.scratch = {semaphores(3)}});
  const Ran ran = run(k, {});
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->id, "bounds.access");
  EXPECT_EQ(ran.lines_with("signal core"), 3u);
}

TEST(Bounds, AnIndexMapThatNamesABlockThatIsNotThereIsABlockFault) {
  auto shifted = [](int by) {
    return grid_kernel("shifted", [](Ref x, Ref out) { out.store(x.load()); },
                       {.grid = {2},
                        .in = {{{8, 128}, [by](Index i) { return block(i + by, 0); }}},
                        .out = {{{8, 128}, [](Index i) { return block(i, 0); }}},
                        .out_arrays = {{f32, {16, 128}}}});
  };
  EXPECT_TRUE(run(shifted(0), {counted(f32, {16, 128})}).outcome.ended());
  for (int by : {1, -1}) {
    const Ran ran = run(shifted(by), {counted(f32, {16, 128})});
    ASSERT_TRUE(ran.outcome.fault);
    EXPECT_EQ(ran.outcome.fault->id, "bounds.block");
    EXPECT_THAT(ran.outcome.fault->message, HasSubstr(by == 1 ? "asks for block 2" : "asks for block -1"));
    EXPECT_THAT(ran.outcome.fault->message, HasSubstr("which has 2 blocks of 8"));
  }
}

TEST(Bounds, ALoopThatNeverEndsIsStoppedAfterMaxSteps) {
  const Kernel forever = kernel("forever", {}, {smem(i32, {1})}, [](Ref out) {
    while_loop(
        carry(Index(0)), [](Index i) { return i >= 0; },
        [&](Index i) {
          out.store(i, 0);
          return carry(i * 1);
        });
  });
  EXPECT_THAT(error_of([&] {
                run(forever, {}, {"canonical", {}, 1000});
              }),
              testing::StartsWith("user: stopped after 1000 instructions"));
}

TEST(Bounds, MaxStepsIsTheNumberOfInstructionsThatMayRun) {
  const Kernel k = rows_of(2);
  const std::uint64_t steps = run(k, {counted(f32, {16, 128})}).outcome.work.steps;
  EXPECT_TRUE(run(k, {counted(f32, {16, 128})}, {"canonical", {}, steps}).outcome.ended());
  EXPECT_THAT(error_of([&] {
                run(k, {counted(f32, {16, 128})}, {"canonical", {}, steps - 1});
              }),
              HasSubstr("stopped after"));
}

}  // namespace
}  // namespace millrace::test
