// SPDX-License-Identifier: Apache-2.0
// What DMAs make undefined where their ends were laid out before the run: the views that definedness asks for are made
// only then, from where the bytes begin. A random schedule resolves every view, and has to say the same.
#include <gtest/gtest.h>

#include "uses.h"

namespace millrace::test {
namespace {

// Fills rows 2 to 6 of each of three slots, and copies four rows of each, from `first` on.
std::string uses_of(const std::function<Index(Index)>& first, const std::string& schedule) {
  const Kernel k = kernel("slices", {hbm(f32, {4, 128})}, {hbm(f32, {3, 4, 128})},
                          [&](Ref x, Ref out, Ref slots, Semaphore s) {
                            for_range(0, 3, [&](Index i) {
                              AsyncCopy in = make_async_copy(x, slots[i].rows(2, 4), s);
                              in.start(), in.wait();
                              AsyncCopy back = make_async_copy(slots[i].rows(first(i), 4), out[i], s);
                              back.start(), back.wait();
                            });
                          },
                          {.scratch = {vmem(f32, {3, 8, 128}), dma_semaphore()}});
  Uses uses;
  run(k, {counted(f32, {4, 128})}, {.schedule = schedule, .observers = {&uses}, .definedness = true});
  return uses.all();
}

TEST(LocatedDma, TakesWhatIsUndefinedWhereItBeginsInThisRun) {
  for (const std::string& schedule : schedules(2)) {
    EXPECT_EQ(uses_of([](Index i) { return i; }, schedule),
              "out0[0, 0:2, 0:128] <- scratch0; out0[1, 0, 0:128] <- scratch0")
        << schedule;
    EXPECT_EQ(uses_of([](Index i) { return 2 + 0 * i; }, schedule), "") << schedule;
  }
}

}  // namespace
}  // namespace millrace::test
