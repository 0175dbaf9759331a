// SPDX-License-Identifier: Apache-2.0
// run(): results, who wrote them, errors with their codes; nothing stays behind from one run to the next.
#include "millrace/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Kernel twice() {
  return kernel("twice", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})},
                [](Ref x, Ref out) { out.store(2.0f * x.load()); });
}

Kernel two_outputs() {
  return kernel("two", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128}), smem(i32, {1})}, [](Ref x, Ref out, Ref n) {
    out.store(x.load());
    n.store(3, 0);
  });
}

// Waits for twice the bytes that come.
Kernel stuck() {
  return kernel("stuck", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})},
                [](Ref x, Ref out, Semaphore s) {
                  make_async_copy(x, out, s).start();
                  make_async_copy(x, out, s).wait();
                  make_async_copy(x, out, s).wait();
                },
                {.scratch = {dma_semaphore()}});
}

Kernel pipelined() {
  return kernel("axpy", {hbm(f32, {24, 128})}, {hbm(f32, {24, 128})}, [](Ref x, Ref out) {
    auto tile = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }, Buffered{2}};
    emit_pipeline([](Ref a, Ref b) { b.store(a.load() + 1.0f); }, {.grid = {3}, .in = {tile}, .out = {tile}})(x, out);
  });
}

TEST(Run, TheOnlyOutputIsTheResult) {
  const Array out = millrace::run(twice(), {counted(f32, {8, 128})});
  EXPECT_EQ(out.flat(5), 10);
}

TEST(Run, SeveralOutputsAreTakenByNumberAndAreNoSingleArray) {
  const Results r = millrace::run(two_outputs(), {counted(f32, {8, 128})});
  ASSERT_EQ(r.arrays.size(), 2u);
  EXPECT_EQ(r[0].flat(7), 7);
  EXPECT_EQ(r[1].flat(0), 3);
  EXPECT_THAT(error_of([&] { Array all = r; }), AllOf(StartsWith("user: "), HasSubstr("2 outputs")));
}

TEST(Run, ItsWorkIsCounted) {
  const Results r = millrace::run(pipelined(), {counted(f32, {24, 128})});
  EXPECT_EQ(r.work.dmas, 6u);
  EXPECT_EQ(r.work.dma_bytes, 6u * 4096u);
  EXPECT_GT(r.work.steps, 0u);
  EXPECT_TRUE(r.races.empty());
}

TEST(Run, AnInputOfAnotherShapeIsAUserError) {
  EXPECT_THAT(error_of([&] { millrace::run(twice(), {counted(f32, {16, 128})}); }), StartsWith("user: "));
  EXPECT_THAT(error_of([&] { millrace::run(twice(), {}); }), StartsWith("user: "));
  EXPECT_THAT(error_of([&] { millrace::run(twice(), {counted(i32, {8, 128})}); }), StartsWith("user: "));
}

TEST(Prepared, RunsAgainOnOtherDataAndRefusesOtherShapesAndTypes) {
  const Prepared prepared(twice(), {counted(f32, {8, 128})});
  EXPECT_EQ(prepared.run({counted(f32, {8, 128}, 1)})[0].flat(5), 12);
  EXPECT_EQ(prepared.run({counted(f32, {8, 128}, 2)})[0].flat(5), 14);
  EXPECT_THAT(error_of([&] {
                prepared.run({counted(f32, {4, 128})});
              }),
              "user: input 0 is f32 (4, 128), but the kernel was prepared for f32 (8, 128)");
  EXPECT_THAT(error_of([&] {
                prepared.run({counted(i32, {8, 128})});
              }),
              "user: input 0 is i32 (8, 128), but the kernel was prepared for f32 (8, 128)");
  EXPECT_THAT(error_of([&] { prepared.run({}); }), "user: prepared for 1 inputs, but 0 were given");
}

TEST(Run, AScheduleThatIsUnknownIsAUserError) {
  RunOptions options;
  options.schedule = "fastest";
  EXPECT_THAT(error_of([&] {
                millrace::run(twice(), {counted(f32, {8, 128})}, options);
              }),
              StartsWith("user: schedule 'fastest' is unknown"));
}

TEST(Run, ADeadlockIsAFindingThatSaysWhoWaitsForWhat) {
  EXPECT_THAT(error_of([&] {
                millrace::run(stuck(), {counted(f32, {8, 128})});
              }),
              AllOf(StartsWith("finding: deadlock: core 0 waits for ever on scratch0 at "), HasSubstr("run_test.cpp:"),
                    HasSubstr("it has 0, needs 4096")));
}

TEST(Run, LeavingItsMemoryIsAFinding) {
  const Kernel far = kernel("far", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})}, [](Ref x, Ref out) {
    for_range(0, 2, [&](Index i) { sync_copy(x.rows(8 * i, 8), out); });
  });
  EXPECT_THAT(error_of([&] {
                millrace::run(far, {counted(f32, {8, 128})});
              }),
              AllOf(StartsWith("finding: bounds.dma: in0[8:16, 0:128] leaves in0"), HasSubstr("run_test.cpp:")));
}

TEST(Run, RacesAreFoundOnRequestAndDoNotStopTheRun) {
  const Kernel early = kernel("early", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})},
                              [](Ref x, Ref out, Ref buf, Semaphore s) {
                                make_async_copy(x, buf, s).start();
                                out.store(buf.load());
                                make_async_copy(x, buf, s).wait();
                              },
                              {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
  EXPECT_TRUE(millrace::run(early, {counted(f32, {8, 128})}).races.empty());
  RunOptions options;
  options.detect_races = true;
  const Results r = millrace::run(early, {counted(f32, {8, 128})}, options);
  ASSERT_EQ(r.races.size(), 1u);
  EXPECT_EQ(r.races[0].memory, "scratch0");
}

TEST(Run, TheWriterOfAnElementIsNamedWithItsSlotAndTurn) {
  RunOptions options;
  options.track_writers = true;
  const Results r = millrace::run(pipelined(), {counted(f32, {24, 128})}, options);
  for (std::int64_t tile = 0; tile < 3; ++tile) {
    const auto writer = r.writer(0, tile * 1024 + 5);
    ASSERT_TRUE(writer);
    EXPECT_THAT(writer->where, HasSubstr("run_test.cpp:"));
    EXPECT_THAT(writer->from, StartsWith("scoped"));
    EXPECT_EQ(writer->slot, tile % 2) << tile;
  }
  EXPECT_THAT(error_of([&] { r.writer(0, 24 * 128); }), AllOf(StartsWith("user: "), HasSubstr("3072 elements")));
  EXPECT_THAT(error_of([&] { r.writer(0, -1); }), StartsWith("user: "));
}

TEST(Run, TheWriterIsAskedForBeforehandAndMayBeNobody) {
  const Kernel half = kernel("half", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})},
                             [](Ref x, Ref out) { sync_copy(x.rows(0, 8), out.rows(0, 8)); });
  EXPECT_THAT(error_of([&] {
                millrace::run(half, {counted(f32, {16, 128})}).writer(0, 0);
              }),
              AllOf(StartsWith("user: "), HasSubstr("track_writers")));
  RunOptions options;
  options.track_writers = true;
  const Results r = millrace::run(half, {counted(f32, {16, 128})}, options);
  EXPECT_TRUE(r.writer(0, 1023));
  EXPECT_FALSE(r.writer(0, 1024));
}

TEST(Run, ARunThatFailsLeavesTheNextOneBitForBitAsItWas) {
  RunOptions options;
  options.schedule = "random:11";
  const Results fresh = millrace::run(pipelined(), {counted(f32, {24, 128})}, options);
  EXPECT_NE(error_of([&] { millrace::run(stuck(), {counted(f32, {8, 128})}, options); }), "no error");
  RunOptions short_run = options;
  short_run.max_steps = 20;
  EXPECT_THAT(error_of([&] {
                millrace::run(pipelined(), {counted(f32, {24, 128})}, short_run);
              }),
              StartsWith("user: stopped after 20 instructions"));
  const Results again = millrace::run(pipelined(), {counted(f32, {24, 128})}, options);
  EXPECT_TRUE(same_bits(fresh[0], again[0]));
  EXPECT_EQ(fresh.work.steps, again.work.steps);
}

TEST(Run, ABoolArrayGoesInAndOutAsNumbers) {
  const Kernel flip =
      kernel("flip", {vmem(i1, {8, 128})}, {vmem(i1, {8, 128})}, [](Ref x, Ref out) { out.store(!Bool(x.load())); });
  Array mask(i1, {8, 128});
  mask.data()[3] = std::byte{1};
  const Array out = millrace::run(flip, {mask});
  EXPECT_EQ(out.flat(2), 1);
  EXPECT_EQ(out.flat(3), 0);
}

}  // namespace
}  // namespace millrace::test
