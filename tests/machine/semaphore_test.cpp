// SPDX-License-Identifier: Apache-2.0
// Semaphores count; a wait that nothing can meet any more is reported at once, with what there is and what is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

Kernel counting(const std::function<void(Semaphore, Semaphores)>& body) {
  return kernel("counting", {}, {hbm(f32, {8, 128})}, [body](Ref, Semaphore one, Semaphores many) { body(one, many); },
                {.scratch = {semaphore(), semaphores(3)}});
}

TEST(Semaphore, SignalsAddUpAndWaitsTakeAway) {
  const Ran ran = run(counting([](Semaphore s, Semaphores) {
                        signal(s, 3);
                        wait(s, 2);
                        wait(s, 1);
                      }),
                      {});
  EXPECT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.lines_with("waited"), 2u);
}

TEST(Semaphore, AWaitForNothingReturnsAtOnce) {
  const Ran ran = run(counting([](Semaphore s, Semaphores) { for_range(0, 1, [&](Index i) { wait(s, i); }); }), {});
  EXPECT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.lines_with("for 0 "), 1u);
}

TEST(Semaphore, AnAmountBelowZeroIsRefusedWhereItIsMet) {
  auto by = [](bool signals, int first) {
    return counting([=](Semaphore s, Semaphores) {
      for_range(0, 1, [&](Index i) { signals ? signal(s, i + first) : wait(s, i + first); });
    });
  };
  EXPECT_TRUE(run(by(true, 0), {}).outcome.ended());
  for (bool signals : {true, false}) {
    const std::string error = error_of([&] { run(by(signals, -2), {}); });
    EXPECT_THAT(error, testing::StartsWith("user: "));
    EXPECT_THAT(error, testing::HasSubstr("semaphore_test.cpp:"));
    EXPECT_THAT(error, testing::HasSubstr("signalled or awaited by -2; amounts are 0 or more"));
  }
}

TEST(Semaphore, AnAmountThatIsReadIsTheCount) {
  const Kernel k = kernel("count", {}, {smem(i32, {1})},
                          [](Ref out, Semaphore s) {
                            signal(s, 5);
                            out.store(semaphore_read(s), 0);
                            wait(s, 5);
                          },
                          {.scratch = {semaphore()}});
  EXPECT_EQ(run(k, {}).out().flat(0), 5);
}

TEST(Semaphore, AWaitForMoreThanThereIsIsADeadlockWithItsNumbers) {
  for (const std::string& schedule : schedules(3)) {
    const Ran ran = run(counting([](Semaphore, Semaphores many) {
                          signal(many[2], 1);
                          wait(many[2], 3);
                          signal(many[0], 1);
                        }),
                        {}, {schedule});
    ASSERT_EQ(ran.outcome.waiters.size(), 1u);
    EXPECT_FALSE(ran.outcome.ended());
    EXPECT_EQ(ran.outcome.waiters[0].has, 1);
    EXPECT_EQ(ran.outcome.waiters[0].needs, 3);
    EXPECT_EQ(ran.outcome.waiter_names[0], "scratch1[2]");
    EXPECT_EQ(ran.outcome.waiter_nth[0], 0u);
    EXPECT_EQ(ran.lines_with("blocked"), 1u);
    EXPECT_EQ(ran.lines_with("signal core"), 1u);  // nothing runs after it
    EXPECT_EQ(ran.lines_with("kernel ends"), 0u);
  }
}

TEST(Semaphore, ADeadlockInALoopSaysWhichTurn) {
  const Ran ran = run(counting([](Semaphore s, Semaphores) {
                        signal(s, 2);
                        for_range(0, 5, [&](Index) { wait(s, 1); });
                      }),
                      {});
  ASSERT_EQ(ran.outcome.waiter_nth.size(), 1u);
  EXPECT_EQ(ran.outcome.waiter_nth[0], 2u);
}

TEST(Semaphore, AWaitOnBytesRunsEveryDmaBeforeItGivesUp) {
  const Kernel k = kernel("more", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})},
                          [](Ref x, Ref out, Semaphore s) {
                            make_async_copy(x.rows(0, 8), out.rows(0, 8), s).start();
                            make_async_copy(x, out, s).wait();
                          },
                          {.scratch = {dma_semaphore()}});
  for (const std::string& schedule : schedules(5)) {
    const Ran ran = run(k, {counted(f32, {16, 128})}, {schedule});
    ASSERT_EQ(ran.outcome.waiters.size(), 1u);
    EXPECT_EQ(ran.outcome.waiters[0].has, 4096);
    EXPECT_EQ(ran.outcome.waiters[0].needs, 8192);
    EXPECT_EQ(ran.lines_with("dma0 wrote"), 1u);
  }
}

TEST(Semaphore, OneWaitMayTakeTheBytesOfSeveralDmas) {
  const Kernel k = kernel("sum", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})},
                          [](Ref x, Ref out, Semaphore s) {
                            make_async_copy(x.rows(0, 8), out.rows(0, 8), s).start();
                            make_async_copy(x.rows(8, 8), out.rows(8, 8), s).start();
                            make_async_copy(x, out, s).wait();
                          },
                          {.scratch = {dma_semaphore()}});
  for (const std::string& schedule : schedules(5)) {
    const Ran ran = run(k, {counted(f32, {16, 128})}, {schedule});
    EXPECT_TRUE(ran.outcome.ended());
    EXPECT_TRUE(same_bits(ran.out(), counted(f32, {16, 128}))) << schedule;
  }
}

TEST(Semaphore, BytesMayArriveAllButTheLastGranuleBeforeTheDataIsThere) {
  const Kernel k = kernel("half", {hbm(f32, {16, 128})}, {vmem(f32, {8, 128})},
                          [](Ref x, Ref out, Ref buf, Semaphore s) {
                            buf.store(zeros_like(buf));
                            make_async_copy(x, buf, s).start();
                            make_async_copy(x.rows(0, 8), out, s).wait();  // half of the bytes
                            out.store(buf.rows(8, 8).load());
                            make_async_copy(x.rows(0, 8), out, s).wait();
                          },
                          {.scratch = {vmem(f32, {16, 128}), dma_semaphore()}});
  const Array right = run(k, {counted(f32, {16, 128})}).out();
  EXPECT_EQ(right.flat(0), 1024);
  int early = 0;
  for (const std::string& schedule : schedules(40))
    early += run(k, {counted(f32, {16, 128})}, {schedule}).out().flat(0) == 0;
  EXPECT_GT(early, 0);
}

}  // namespace
}  // namespace millrace::test
