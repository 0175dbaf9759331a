// SPDX-License-Identifier: Apache-2.0
// check(): a fault of the kernel is in the report, never thrown; a fault of the caller is thrown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/run.h"
#include "runs.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;
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

TEST(Check, LeavingItsMemoryIsAFindingWithItsPlace) {
  const Kernel far = kernel("far", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})}, [](Ref x, Ref out) {
    for_range(0, 2, [&](Index i) { sync_copy(x.rows(8 * i, 8), out); });
  });
  const Report report = checked(far);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "bounds.dma");
  EXPECT_THAT(report.findings[0].first->at, HasSubstr("check_test.cpp:"));
  EXPECT_TRUE(report.outputs.empty());
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

}  // namespace
}  // namespace millrace::test
