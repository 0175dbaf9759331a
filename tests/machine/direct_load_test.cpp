// SPDX-License-Identifier: Apache-2.0
// A load may hand its reader the memory itself; nobody may be able to tell.
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

Kernel over_two_tiles(const std::function<void(Ref, Ref)>& body) {
  return kernel("direct", {vmem(f32, {16, 128})}, {vmem(f32, {16, 128})}, [body](Ref x, Ref out) { body(x, out); });
}

TEST(DirectLoad, AValueKeepsWhatTheMemoryHeldWhenItWasLoaded) {
  const Kernel k = over_two_tiles([](Ref x, Ref out) {
    Value before = x.load();
    x.store(zeros_like(x));
    out.store(before + 1.0f);
  });
  for (const std::string& schedule : schedules(3))
    EXPECT_EQ(run(k, {counted(f32, {16, 128}, 5)}, {schedule}).out().flat(7), 13) << schedule;
}

TEST(DirectLoad, AValueLoadedInARoundOfALoopIsNotTheNextRounds) {
  const Kernel k = over_two_tiles([](Ref x, Ref out) {
    auto [last] = for_range(0, 3, carry(zeros_like(x)), [&](Index i, Value sum) {
      Value row = x.rows(i, 1).load();
      return carry(sum + row);
    });
    out.store(last * 2.0f);
  });
  EXPECT_EQ(run(k, {counted(f32, {16, 128})}).out().flat(0), 2 * (0 + 128 + 256));
}

TEST(DirectLoad, ReadsColumnsThatDoNotLieSideBySide) {
  const Kernel k = kernel("columns", {vmem(f32, {16, 256})}, {vmem(f32, {16, 128})}, [](Ref x, Ref out) {
    Value right = x.slice({0, 128}, {16, 128}).load();
    out.store(right + right);
  });
  EXPECT_EQ(run(k, {counted(f32, {16, 256})}).out().at({1, 0}), 2 * (256 + 128));
}

}  // namespace
}  // namespace millrace::test
