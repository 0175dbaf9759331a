// SPDX-License-Identifier: Apache-2.0
// Lanes, slots, what limits a run, and where its faults are.
#include "timing/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cases.h"
#include "kernels.h"
#include "laid_out.h"
#include "runs.h"
#include "timing/coarse.h"
#include "timing/recorder.h"

namespace millrace::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using timing::kNone;
using timing::LaneKind;
using timing::Time;
using timing::Timeline;

std::vector<std::string> lanes_of(const Timeline& t) {
  std::vector<std::string> names;
  for (const timing::Lane& l : t.lanes) names.push_back(name_of(t, l));
  return names;
}

std::vector<std::string> labels_in(const Timeline& t, const std::string& lane) {
  std::vector<std::string> labels;
  for (const timing::Bar& b : t.bars)
    if (name_of(t, t.lanes[b.lane]) == lane && !(lane == "wait" && b.end == b.begin)) labels.push_back(b.label);
  return labels;
}

Laid axpy_laid(int slots = 2) {
  return laid_out(pipelined_axpy(slots, 2), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)});
}

TEST(Timeline, HasALaneForEachDirectionAndOperandAndForWorkAndWaiting) {
  EXPECT_THAT(lanes_of(axpy_laid().timeline), ElementsAre("load in0", "load in1", "compute", "store out0", "wait"));
}

TEST(Timeline, NamesBuffersByLettersAndSlotsByDigits) {
  const Timeline t = axpy_laid().timeline;
  EXPECT_THAT(labels_in(t, "load in0"), ElementsAre("A0", "A1", "A0", "A1", "A0", "A1", "A0", "A1", "A0"));
  EXPECT_EQ(labels_in(t, "load in1")[1], "B1");
  EXPECT_EQ(labels_in(t, "store out0")[2], "C0");
  EXPECT_EQ(labels_in(t, "compute")[0], "A0 B0>C0");
  EXPECT_EQ(labels_in(axpy_laid(3).timeline, "load in0")[2], "A2");
}

TEST(Timeline, ABarSaysWhichBlockItMoves) {
  const Timeline t = axpy_laid().timeline;
  std::vector<std::string> blocks;
  for (const timing::Bar& b : t.bars)
    if (t.lanes[b.lane].operand == "out0") blocks.push_back(block_text(t, b.block));
  EXPECT_THAT(blocks, ElementsAre("block (0, 0)", "block (0, 1)", "block (0, 2)", "block (1, 0)", "block (1, 1)",
                                  "block (1, 2)", "block (2, 0)", "block (2, 1)", "block (2, 2)"));
}

TEST(Timeline, WindowsOfAGridHaveSlotsToo) {
  const Timeline t = laid_out(softmax_rows(), {counted(f32, {32, 512})}).timeline;
  EXPECT_THAT(lanes_of(t), ElementsAre("load in0", "compute", "store out0", "wait"));
  EXPECT_THAT(labels_in(t, "load in0"), ElementsAre("A0", "A1", "A0", "A1"));
  EXPECT_THAT(labels_in(t, "compute"), ElementsAre("A0>B0", "A1>B1", "A0>B0", "A1>B1"));
  EXPECT_EQ(step_text(t, t.bars.back().step), "");
  EXPECT_EQ(t.steady.steps, "grid steps");
}

// What may be put on record of a slot: filled, used, known to be free, and only then filled again. Broken where a store
// is still under way when its slot is written again.
std::vector<std::string> slots_reused_too_early(const Timeline& t) {
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i + 1 < t.tenancies.size(); ++i) {
    const timing::Tenancy &a = t.tenancies[i], &b = t.tenancies[i + 1];
    if (a.row != b.row || a.slot != b.slot || a.count > 1) continue;
    if (a.reusable < 0 || a.reusable > b.begin) wrong.push_back(slot_of(t, a));
  }
  return wrong;
}

TEST(Timeline, ACorrectKernelFillsASlotOnlyWhenItIsFree) {
  for (const char* name :
       {"faults_small/slot_rewritten_after_store", "faults_small/ring_complete",
        "faults_small/other_slot_read_before_prefetch", "faults_small/three_in_flight_in_three_slots",
        "kernels_small/rmsnorm_bf16", "kernels_small/semaphore_array"})
    EXPECT_THAT(slots_reused_too_early(laid_out(small_case(name)).timeline), ElementsAre()) << name;
  EXPECT_THAT(slots_reused_too_early(axpy_laid(3).timeline), ElementsAre());
}

TEST(Timeline, AFaultyKernelFillsASlotThatIsStillInUse) {
  EXPECT_FALSE(
      slots_reused_too_early(laid_out(small_case("faults_small/slot_rewritten_under_store")).timeline).empty());
}

std::vector<std::filesystem::path> many_cases() {
  std::vector<std::filesystem::path> all;
  for (const char* group : {"faults_small", "kernels_small", "two_cores", "random_small"})
    for (const auto& folder : folders_in(small_case(group))) all.push_back(folder);
  return all;
}

class EveryCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryCase, ItsCriticalPathTakesAllOfItsTimeAndBarsLieWithinIt) {
  const Laid l = laid_out(GetParam(), timing::costs_of("v5e"));
  const Timeline& t = l.timeline;
  Time sum = 0;
  for (const timing::PathPart& p : t.path) sum += p.time;
  EXPECT_EQ(sum, t.end);
  for (const timing::Bar& b : t.bars) {
    EXPECT_LE(0, b.begin);
    EXPECT_LE(b.begin, b.moves);
    EXPECT_LE(b.moves, b.end);
    EXPECT_LE(b.end, t.end);
  }
  for (const timing::Arrow& a : t.arrows) EXPECT_LE(t.bars[a.copy].end, t.bars[a.wait].end);
  EXPECT_GE(t.overlap, 0);
  EXPECT_LE(t.overlap, 1);
}

TEST_P(EveryCase, HasABarForEachCopyAndWaitAndPlacesItsFindings) {
  const Laid l = laid_out(GetParam());
  std::map<LaneKind, std::size_t> bars;
  for (const timing::Bar& b : l.timeline.bars) ++bars[l.timeline.lanes[b.lane].kind];
  EXPECT_EQ(bars[LaneKind::kWait], l.trace.waits.size());
  std::size_t copies = 0;
  for (const auto& [kind, n] : bars)
    if (kind != LaneKind::kWait && kind != LaneKind::kCompute) copies += n;
  EXPECT_EQ(copies, l.trace.copies.size());
  for (const timing::Fault& f : l.timeline.faults) {
    if (f.id.starts_with("race.")) {
      ASSERT_EQ(f.moments.size(), 2u) << f.message;
      EXPECT_NE(f.moments[0].bar, kNone) << f.message;
      EXPECT_NE(f.moments[1].bar, kNone) << f.message;
    }
    EXPECT_FALSE(f.id == "deadlock" && f.moments.empty()) << f.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, EveryCase, testing::ValuesIn(many_cases()), [](const auto& info) {
  return info.param.parent_path().filename().string() + "_" + info.param.filename().string();
});

TEST(Timeline, ARaceIsDrawnAtBothOfItsAccesses) {
  const Timeline t = laid_out(small_case("faults_small/slot_rewritten_under_store")).timeline;
  ASSERT_FALSE(t.faults.empty());
  const timing::Fault& f = t.faults[0];
  EXPECT_EQ(f.id, "race.read-write");
  ASSERT_EQ(f.moments.size(), 2u);
  std::set<LaneKind> kinds;
  for (const timing::Moment& m : f.moments) kinds.insert(t.lanes[t.bars[m.bar].lane].kind);
  EXPECT_THAT(kinds, ElementsAre(LaneKind::kStore, LaneKind::kCompute));
}

TEST(Timeline, ADeadlockIsAWaitThatIsNeverMet) {
  const Timeline t = laid_out(small_case("faults_small/wait_for_more_bytes")).timeline;
  ASSERT_EQ(t.faults.size(), 1u);
  ASSERT_EQ(t.faults[0].moments.size(), 1u);
  const timing::Bar& b = t.bars[t.faults[0].moments[0].bar];
  EXPECT_TRUE(b.never);
  EXPECT_LT(b.has, b.amount);
  EXPECT_EQ(b.end, t.end);
  EXPECT_THAT(t.faults[0].moments[0].what, HasSubstr("has "));
}

TEST(Timeline, AWaitSaysWhatItProves) {
  const Timeline t = laid_out(double_buffer(4), {rows_of(4)}).timeline;
  std::size_t proved = 0;
  for (const timing::Bar& b : t.bars) {
    if (t.lanes[b.lane].kind != LaneKind::kWait) continue;
    EXPECT_EQ(b.proves.size(), 1u);
    EXPECT_EQ(b.leaves_open, 0u);
    proved += b.proves.size();
  }
  EXPECT_EQ(proved, 8u);  // four loads, four stores
}

// Both loads raise one semaphore: the first wait proves neither.
TEST(Timeline, AWaitThatProvesNothingSaysSo) {
  const Timeline t = laid_out(small_case("faults_small/kv_share_one_semaphore")).timeline;
  bool none = false;
  for (const timing::Bar& b : t.bars)
    if (t.lanes[b.lane].kind == LaneKind::kWait) none |= b.proves.empty() && b.leaves_open > 0;
  EXPECT_TRUE(none);
}

TEST(Timeline, CountsVmemAndDmasInFlight) {
  const Timeline t = axpy_laid().timeline;
  std::map<std::string, std::int64_t> most;
  for (const timing::Counter& c : t.counters) most[c.name] = c.most;
  EXPECT_EQ(most["VMEM"], (2 + 2 + 2) * 8 * 128 * 4);
  EXPECT_GE(most["DMAs in flight"], 2);
  for (const timing::Counter& c : t.counters) EXPECT_EQ(c.points.back().value, 0) << c.name;
}

TEST(Timeline, NothingOverlapsInASynchronousPipelineAndMuchInABufferedOne) {
  const std::vector<Array> in = {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)};
  EXPECT_EQ(laid_out(pipelined_axpy(2, 2, true), in).timeline.overlap, 0);
  EXPECT_GT(laid_out(pipelined_axpy(2, 2), in).timeline.overlap, 0.5);
}

// docs/timing.md: where nothing overlaps, theory and simulation agree to the picosecond.
TEST(Steady, OfASynchronousPipelineIsTheSumOfItsParts) {
  const Laid l = laid_out(pipelined_axpy(2, 2, true), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)});
  EXPECT_EQ(l.timeline.steady.steps, "pipeline steps");
  EXPECT_EQ(l.timeline.steady.count, 9u);
  EXPECT_NEAR(static_cast<double>(l.timeline.steady.simulated), static_cast<double>(l.timeline.steady.theory), 2);
  EXPECT_THAT(l.timeline.steady.bounded_by, HasSubstr("one after the other"));
}

TEST(Steady, IsBoundByBandwidthWhereBytesTakeLongest) {
  const Laid l = laid_out(pipelined_axpy(3, 2), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)},
                          round_costs({{"dma-latency", 0}}));
  EXPECT_THAT(l.timeline.steady.bounded_by, HasSubstr("bandwidth"));
  EXPECT_THAT(l.timeline.bounded_by, HasSubstr("transfer"));
  EXPECT_NEAR(static_cast<double>(l.timeline.steady.simulated), 3 * 4096, 3 * 4096 * 0.1);
}

TEST(Steady, IsBoundByComputeWhereWorkTakesLongest) {
  const Laid l = laid_out(pipelined_axpy(2, 2), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)},
                          round_costs({{"vector-rate", 1}}));
  EXPECT_THAT(l.timeline.bounded_by, HasSubstr("compute"));
  EXPECT_THAT(l.timeline.steady.bounded_by, HasSubstr("compute"));
}

TEST(Steady, TheoryIsNeverAboveTheSimulation) {
  const std::vector<Array> in = {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)};
  for (const int slots : {2, 3})
    for (const double latency : {0.0, 0.001, 0.1, 1.0}) {
      const timing::Steady s =
          laid_out(pipelined_axpy(slots, 2), in, round_costs({{"dma-latency", latency}})).timeline.steady;
      EXPECT_LE(static_cast<double>(s.theory), 1.02 * static_cast<double>(s.simulated)) << slots << " " << latency;
    }
}

TEST(Coarse, LeavesFewBarsAsTheyAre) {
  const Timeline t = axpy_laid().timeline;
  const Timeline same = timing::coarse(t, 1000);
  EXPECT_FALSE(same.coarse.is);
  EXPECT_EQ(same.bars.size(), t.bars.size());
}

// One turn of two slots need not wait for a slot: "at least" half of a slot's round would be more than it takes.
TEST(Steady, IsNotToldWhereNoSlotNeedGoRound) {
  const auto slots = [](const Timeline& t) {
    return std::ranges::count_if(t.steady.terms, [](const auto& term) { return term.what.starts_with("slots of"); });
  };
  const Timeline few = laid_out(double_buffer(3), {rows_of(3)}).timeline;
  const Timeline more = laid_out(double_buffer(16), {rows_of(16)}).timeline;
  EXPECT_EQ(few.steady.steps, "");
  EXPECT_EQ(few.steady.middle, 0u);
  EXPECT_EQ(slots(few), 0);
  EXPECT_GE(slots(more), 2);
}

TEST(Coarse, JoinsManyBarsAndLosesNoneOfThem) {
  const Timeline t = laid_out(double_buffer(400), {rows_of(400)}).timeline;
  const Timeline few = timing::coarse(t, 200);
  EXPECT_TRUE(few.coarse.is);
  EXPECT_LE(few.bars.size(), 200u);
  std::uint64_t count = 0;
  std::int64_t bytes = 0, all = 0;
  for (const timing::Bar& b : few.bars) count += b.count, bytes += b.bytes;
  for (const timing::Bar& b : t.bars) all += b.bytes;
  EXPECT_EQ(count, t.bars.size());
  EXPECT_EQ(bytes, all);
  EXPECT_EQ(few.coarse.bars, t.bars.size());
  for (const timing::Counter& c : few.counters) EXPECT_EQ(c.points.back().value, 0);
}

TEST(Coarse, KeepsWhatAFaultPointsAt) {
  const Timeline t = laid_out(small_case("faults_small/slot_rewritten_under_store")).timeline;
  const Timeline few = timing::coarse(t, 1);
  ASSERT_EQ(few.faults.size(), t.faults.size());
  for (std::size_t m = 0; m < t.faults[0].moments.size(); ++m) {
    const timing::Bar& b = few.bars[few.faults[0].moments[m].bar];
    EXPECT_EQ(b.count, 1u);
    EXPECT_EQ(b.begin, t.faults[0].moments[m].begin);
  }
}

TEST(Recorder, SaysWhereItStoppedKeeping) {
  timing::Recorder recorder(20);
  run(double_buffer(16), {rows_of(16)}, {.observers = {&recorder}});
  const timing::Trace trace = recorder.take();
  EXPECT_TRUE(trace.cut);
  EXPECT_LE(trace.cores[0].actions.size(), 20u);
  const timing::Costs costs = round_costs();
  EXPECT_TRUE(timing::make_timeline(trace, timing::run_clock(trace, costs), costs).cut);
}

TEST(Letters, GoOnBehindZ) {
  EXPECT_EQ(timing::letter_of(0), "A");
  EXPECT_EQ(timing::letter_of(25), "Z");
  EXPECT_EQ(timing::letter_of(26), "AA");
  EXPECT_EQ(timing::letter_of(27), "AB");
  EXPECT_EQ(timing::letter_of(26 + 26 * 26), "AAA");
}

}  // namespace
}  // namespace millrace::test
