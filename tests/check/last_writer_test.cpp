// SPDX-License-Identifier: Apache-2.0
#include "check/last_writer.h"

#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

TEST(LastWriter, NamesTheLaterOfTwoCopiesAndTheSlotItCameFrom) {
  const Kernel twice = kernel("twice", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {2, 16, 128}), [&](Ref buf) {
      sync_copy(x, buf[0]);
      sync_copy(x, buf[1]);
      sync_copy(buf[0], out);
      sync_copy(buf[1].rows(8, 8), out.rows(8, 8));
    });
  });
  checkers::LastWriter writers;
  run(twice, {counted(f32, {16, 128})}, {"canonical", {&writers}});
  const auto* first = writers.find("out0", {7, 127});
  const auto* second = writers.find("out0", {8, 0});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->from, "scoped0");
  EXPECT_EQ(first->source->ranges[0], (Range{0, 1, 1}));
  EXPECT_EQ(second->source->ranges[0], (Range{1, 2, 1}));
  EXPECT_EQ(writers.find("out1", {0, 0}), nullptr);
  EXPECT_EQ(writers.find("out0", {16, 0}), nullptr);
}

TEST(LastWriter, KnowsNobodyWhereNothingWasWritten) {
  const Kernel half = kernel("half", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})},
                             [](Ref x, Ref out) { sync_copy(x.rows(0, 8), out.rows(0, 8)); });
  checkers::LastWriter writers;
  run(half, {counted(f32, {16, 128})}, {"canonical", {&writers}});
  EXPECT_NE(writers.find("out0", {7, 0}), nullptr);
  EXPECT_EQ(writers.find("out0", {8, 0}), nullptr);
}

TEST(LastWriter, CountsTheExecutionsOfAPlace) {
  const Kernel loop = kernel("loop", {hbm(f32, {32, 128})}, {hbm(f32, {32, 128})}, [](Ref x, Ref out) {
    for_range(0, 4, [&](Index i) { sync_copy(x.rows(8 * i, 8), out.rows(8 * i, 8)); });
  });
  checkers::LastWriter writers;
  run(loop, {counted(f32, {32, 128})}, {"canonical", {&writers}});
  EXPECT_EQ(writers.find("out0", {17, 3})->nth, 2u);
  EXPECT_EQ(writers.find("out0", {17, 3})->from, "in0");
}

}  // namespace
}  // namespace millrace::test
