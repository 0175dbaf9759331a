// SPDX-License-Identifier: Apache-2.0
// Everything that may vary asks the choice source: a correct kernel gives the same bits under each schedule, and one
// schedule gives the same events in every run.
#include <gtest/gtest.h>

#include <filesystem>

#include "cases.h"
#include "runs.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

class CorrectKernels : public testing::TestWithParam<fs::path> {};

TEST_P(CorrectKernels, GiveTheSameBitsUnderEverySchedule) {
  const Case c = read_case(GetParam());
  const Ran right = run(c.module, c.inputs, c.outputs);
  ASSERT_TRUE(right.outcome.ended());
  for (const std::string& schedule : schedules(50)) {
    const Ran ran = run(c.module, c.inputs, c.outputs, {schedule});
    ASSERT_TRUE(ran.outcome.ended()) << schedule;
    for (std::size_t i = 0; i < c.outputs.size(); ++i) EXPECT_TRUE(same_bits(ran.out(i), right.out(i))) << schedule;
  }
}

TEST_P(CorrectKernels, GiveTheSameEventsTwice) {
  const Case c = read_case(GetParam());
  for (const std::string& schedule : schedules(2))
    EXPECT_EQ(run(c.module, c.inputs, c.outputs, {schedule}).stream,
              run(c.module, c.inputs, c.outputs, {schedule}).stream)
        << schedule;
}

INSTANTIATE_TEST_SUITE_P(Data, CorrectKernels,
                         testing::ValuesIn(folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/data/kernels")),
                         [](const auto& info) { return info.param.filename().string(); });

Case by_hand() { return read_case(fs::path(MILLRACE_SOURCE_DIR) / "tests/data/kernels/double_buffer_by_hand"); }

TEST(Schedule, RandomSeedsDifferFromEachOtherAndFromCanonical) {
  const Case c = by_hand();
  auto stream = [&](const std::string& schedule) { return run(c.module, c.inputs, c.outputs, {schedule}).stream; };
  EXPECT_NE(stream("random:1"), stream("random:2"));
  EXPECT_NE(stream("random:1"), stream("canonical"));
  EXPECT_NE(stream("eager"), stream("lazy"));
}

TEST(Schedule, EagerMovesEachDmaAsItIsStartedAndLazyOnlyWhenAWaitNeedsIt) {
  const Kernel k = kernel("two", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})},
                          [](Ref x, Ref out, Semaphores s) {
                            auto a = make_async_copy(x.rows(0, 8), out.rows(0, 8), s[0]);
                            auto b = make_async_copy(x.rows(8, 8), out.rows(8, 8), s[1]);
                            a.start();
                            b.start();
                            b.wait();
                            a.wait();
                          },
                          {.scratch = {dma_semaphores(2)}});
  auto at = [&](const std::string& schedule, const char* words) {
    return run(k, {counted(f32, {16, 128})}, {schedule}).stream.find(words);
  };
  EXPECT_LT(at("eager", "dma0 wrote"), at("eager", "issue dma1"));
  EXPECT_GT(at("canonical", "dma0 wrote"), at("canonical", "issue dma1"));
  EXPECT_LT(at("canonical", "dma0 wrote"), at("canonical", "dma1 wrote"));  // the oldest first
  EXPECT_GT(at("lazy", "dma0 wrote"), at("lazy", "dma1 wrote"));            // what the wait needs first
}

TEST(Schedule, ARunThatFailedLeavesTheNextOneAsInAFreshProcess) {
  const Case c = by_hand();
  const std::string fresh = run(c.module, c.inputs, c.outputs, {"random:5"}).stream;
  const Kernel stuck = kernel("stuck", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})},
                              [](Ref x, Ref out, Semaphore s) {
                                make_async_copy(x, out, s).start();
                                make_async_copy(x, out, s).wait();
                                make_async_copy(x, out, s).wait();
                              },
                              {.scratch = {dma_semaphore()}});
  EXPECT_FALSE(run(stuck, {counted(f32, {8, 128})}, {"random:5"}).outcome.ended());
  EXPECT_NE(error_of([&] { run(c.module, c.inputs, c.outputs, {"random:5", {}, 10}); }), "no error");
  EXPECT_EQ(run(c.module, c.inputs, c.outputs, {"random:5"}).stream, fresh);
}

TEST(Schedule, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  for (const char* name :
       {"", "Canonical", "random", "random:", "random:-1", "random:1x", "random:18446744073709551616"})
    EXPECT_EQ(error_of([&] { machine::choice_named(name); }),
              std::string("user: schedule '") + name +
                  "' is unknown: take canonical, eager, lazy, random:SEED (SEED from 0 to 2^64-1) or replay:FILE");
  EXPECT_NE(machine::choice_named("random:18446744073709551615"), nullptr);
}

TEST(Schedule, ObserversChangeNothing) {
  const Case c = by_hand();
  event::Observer idle;
  const Ran alone = run(c.module, c.inputs, c.outputs, {"random:9"});
  const Ran watched = run(c.module, c.inputs, c.outputs, {"random:9", {&idle, &idle}});
  EXPECT_EQ(alone.stream, watched.stream);
  EXPECT_EQ(alone.outcome.work.steps, watched.outcome.work.steps);
}

}  // namespace
}  // namespace millrace::test
