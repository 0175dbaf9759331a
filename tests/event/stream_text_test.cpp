// SPDX-License-Identifier: Apache-2.0
// Every kind of event is a line of its own, and the line holds all that could differ between two runs.
#include "event/stream_text.h"

#include <gtest/gtest.h>

namespace millrace::event {
namespace {

Box rows(std::int64_t begin, std::int64_t end) {
  Box box;
  box.rank = 2;
  box.ranges[0] = {begin, end, 1};
  box.ranges[1] = {0, 128, 1};
  return box;
}

TEST(StreamText, TellsAnAllocationWithNameKindTypeAndPlace) {
  StreamText text;
  text.on(RegionAllocated{3, "scoped0", MemoryKind::kVmem, bf16, false, {8, 128}, 7});
  text.on(RegionFreed{3, 9});
  EXPECT_EQ(text.text(), "alloc m3 scoped0 kind=1 bf16(8, 128) @7\nfree m3 @9\n");
}

TEST(StreamText, TellsWhoReadsAndWritesWhichBox) {
  StreamText text;
  text.on(Access{{0, 1, {}}, 2, rows(0, 8), AccessKind::kRead, 4});
  text.on(Access{{0, 0, 5}, 2, rows(8, 16), AccessKind::kWrite, 4});
  EXPECT_EQ(text.text(), "read core0.1 m2[0:8, 0:128] @4\nwrite dma5 m2[8:16, 0:128] @4\n");
}

TEST(StreamText, TellsTheStagesOfADma) {
  StreamText text;
  text.on(
      DmaIssued{1, {0, 0, {}}, {0, rows(0, 8)}, {2, rows(8, 16)}, {3, 1}, 4096, WindowMove{4, 1, {0, 1}, false}, 6});
  text.on(DmaRead{1});
  text.on(DmaSignalled{1, {3, 1}, 4064, false});
  text.on(DmaWrote{1});
  text.on(DmaSignalled{1, {3, 1}, 32, true});
  EXPECT_EQ(text.text(),
            "issue dma1 by core0.0 m0[0:8, 0:128] -> m2[8:16, 0:128] raises m3[1] by 4096 window 4 (0, 1) @6\n"
            "dma1 read\ndma1 signals m3[1] by 4064\ndma1 wrote\ndma1 signals m3[1] by 32 last\n");
}

TEST(StreamText, TellsSignalsWaitsAndWhoIsBlocked) {
  StreamText text;
  text.on(Signalled{{0, 0, {}}, {1, 0}, 2, 3});
  text.on(Waited{{0, 0, {}}, {1, 0}, 2, 4});
  text.on(Blocked{{0, 0, {}}, {1, 0}, 0, 1, 5});
  EXPECT_EQ(text.text(),
            "signal core0.0 m1[0] by 2 @3\nwaited core0.0 m1[0] for 2 @4\nblocked core0.0 m1[0] has 0 needs 1 @5\n");
}

TEST(StreamText, TellsStepsAndScopesAndTheEnd) {
  StreamText text;
  const std::vector<std::int64_t> index = {2, 0};
  text.on(StepBegan{{0, 0, {}}, index});
  text.on(ScopeBegan{{0, 0, {}}, "ep_copy_in"});
  text.on(ScopeEnded{{0, 0, {}}});
  text.on(StepEnded{{0, 0, {}}});
  text.on(KernelEnded{});
  EXPECT_EQ(text.text(), "step (2, 0)\nscope ep_copy_in\nscope ends\nstep ends\nkernel ends\n");
}

}  // namespace
}  // namespace millrace::event
