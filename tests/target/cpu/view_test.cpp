// SPDX-License-Identifier: Apache-2.0
// A measured timeline says that it is measured, and on what; its bars are real times that fit together.
#include <gtest/gtest.h>

#include <algorithm>

#include "front/view_on_cpu.h"
#include "view/svg.h"
#include "view/text.h"

namespace millrace::front {
namespace {

using timing::LaneKind;

timing::Timeline measured(const char* name) {
  KernelRequest request;
  request.module = std::string(MILLRACE_SOURCE_DIR "/tests/cases/kernels_small/") + name;
  return view_on_cpu(request);
}

TEST(MeasuredTimeline, NeverCallsItselfModeled) {
  const timing::Timeline t = measured("nested_loops");
  EXPECT_EQ(t.execution, "measured");
  EXPECT_FALSE(t.device.empty());
  for (const std::string& drawn : {view::to_text(t, {}), view::to_svg(t, {})}) {
    EXPECT_NE(drawn.find("measured on " + t.device), std::string::npos);
    EXPECT_EQ(drawn.find("odeled"), std::string::npos);
  }
}

TEST(MeasuredTimeline, HasACopyOfEachBlockAndABarOfEachStep) {
  const timing::Timeline t = measured("edge_2d");
  std::size_t bodies = 0, loads = 0, stores = 0;
  for (const timing::Bar& b : t.bars) {
    EXPECT_LE(b.begin, b.end);
    EXPECT_LE(b.end, t.end);
    const LaneKind kind = t.lanes[b.lane].kind;
    bodies += kind == LaneKind::kCompute, loads += kind == LaneKind::kLoad, stores += kind == LaneKind::kStore;
    EXPECT_EQ(b.bytes > 0, kind == LaneKind::kLoad || kind == LaneKind::kStore);
  }
  EXPECT_EQ(bodies, t.steps.size());
  EXPECT_GE(loads, 1u);
  EXPECT_GE(stores, 1u);
  EXPECT_TRUE(std::ranges::is_sorted(t.bars, {}, [](const timing::Bar& b) { return std::pair{b.lane, b.begin}; }));
  EXPECT_LE(t.overlapped, std::min(t.moving, t.computing));
}

// Spans made by hand: what overlaps is what lies under both.
TEST(MeasuredTimeline, CountsAsOverlappedWhatLiesUnderBoth) {
  cpu::Plan plan;
  plan.program.windows.resize(1);
  plan.program.windows[0].name = "in0";
  using Kind = cpu::Span::Kind;
  const timing::Timeline t = timeline_of(plan, {{Kind::kCopyIn, 0, 0, 0, 0, 10, 64},
                                                {Kind::kBody, 0, 0, 0, 10, 30, 0},
                                                {Kind::kCopyIn, 0, 1, 0, 15, 20, 64},
                                                {Kind::kWait, 0, 1, 1, 30, 32, 0}});
  EXPECT_EQ(t.moving, 15'000);
  EXPECT_EQ(t.computing, 20'000);
  EXPECT_EQ(t.overlapped, 5'000);
  EXPECT_EQ(t.waiting, 2'000);
  EXPECT_NEAR(t.overlap, 1.0 / 3, 1e-12);
  EXPECT_EQ(t.end, 32'000);
}

TEST(MeasuredTimeline, HasTheKernelsOwnDmas) {
  const timing::Timeline t = measured("wait_by_lookalike");
  std::size_t loads = 0, stores = 0, waits = 0;
  for (const timing::Bar& b : t.bars) {
    const LaneKind kind = t.lanes[b.lane].kind;
    loads += kind == LaneKind::kLoad, stores += kind == LaneKind::kStore, waits += kind == LaneKind::kWait;
    EXPECT_EQ(b.amount > 0, kind == LaneKind::kWait);
  }
  EXPECT_GE(loads, 1u);
  EXPECT_GE(stores, 1u);
  EXPECT_EQ(waits, loads + stores);
}

TEST(MeasuredTimeline, HasTheLanesOfEachCore) {
  KernelRequest request;
  request.module = MILLRACE_SOURCE_DIR "/tests/cases/two_cores/second_core_is_told";
  const timing::Timeline t = view_on_cpu(request);
  EXPECT_EQ(t.cores, 2);
  for (const int core : {0, 1})
    EXPECT_TRUE(std::ranges::any_of(
        t.lanes, [&](const timing::Lane& l) { return l.core == core && l.kind == LaneKind::kCompute; }));
}

// The page has its findings from the simulator, whose times it does not show.
TEST(MeasuredReport, IsMeasuredAndTellsNoModeledTime) {
  KernelRequest request;
  request.module = MILLRACE_SOURCE_DIR "/tests/cases/kernels_small/edge_2d";
  const auto data = view::report_data(report_on_cpu(request));
  EXPECT_EQ(data["execution"], "measured");
  EXPECT_EQ(data["timeline"]["execution"], "measured");
  EXPECT_EQ(data["basis"].get<std::string>().find("measured on "), 0u);
  EXPECT_EQ(data["check"]["verdict"], "clean");
  EXPECT_TRUE(data["timeline"]["parameters"].empty());
  EXPECT_EQ(data["left_out"].dump().find("HBM"), std::string::npos);
}

}  // namespace
}  // namespace millrace::front
