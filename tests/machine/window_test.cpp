// SPDX-License-Identifier: Apache-2.0
// The window pipeline of a grid kernel: which blocks move, when, through which slot; edges; staged operands.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "cases.h"
#include "runs.h"

namespace millrace::test {
namespace {

const BlockSpec kRows{{8, 128}, [](Index i) { return block(i, 0); }};

// Counts what moves through the windows of each operand, and notes from where the body reads.
class Moves final : public event::Observer {
 public:
  void on(const event::RegionAllocated& e) override { names_[e.memory] = e.name; }
  void on(const event::DmaIssued& e) override {
    if (!e.window) return;
    ++moved[names_[e.target.memory].starts_with("out") && names_[e.target.memory].size() == 4
                ? names_[e.target.memory]
                : names_[e.source.memory]];
    order.push_back(names_[e.source.memory] + ">" + names_[e.target.memory]);
  }
  void on(const event::Access& e) override {
    if (e.kind == event::AccessKind::kRead) order.push_back("read " + names_[e.memory]);
  }
  void on(const event::StepBegan&) override { order.push_back("step"); }

  std::map<std::string, int> moved;  // by operand
  std::vector<std::string> order;

 private:
  std::map<event::MemoryId, std::string> names_;
};

Kernel twice(BlockSpec in, BlockSpec out, Shape grid, Shape shape) {
  return grid_kernel("twice", [](Ref x, Ref o) { o.store(2.0f * x.load()); },
                     {.grid = grid, .in = {in}, .out = {out}, .out_arrays = {{f32, shape}}});
}

Moves moves_of(const Kernel& kernel, const std::vector<Array>& inputs) {
  Moves moves;
  EXPECT_TRUE(run(kernel, inputs, {"canonical", {&moves}}).outcome.ended());
  return moves;
}

TEST(Window, TheNextBlockIsFetchedBeforeThisStepReads) {
  const Moves m = moves_of(twice(kRows, kRows, {3}, {24, 128}), {counted(f32, {24, 128})});
  EXPECT_EQ(m.order, (std::vector<std::string>{"in0>in0.window0", "step", "in0>in0.window1", "read in0.window0",
                                               "out0.window0>out0", "step", "in0>in0.window0", "read in0.window1",
                                               "out0.window1>out0", "step", "read in0.window0", "out0.window0>out0"}));
}

TEST(Window, ABlockThatDoesNotChangeIsFetchedOnceAndStaysInItsSlot) {
  const BlockSpec halves{{8, 128}, [](Index i) { return block(i / 2, 0); }};
  const Moves m = moves_of(twice(halves, kRows, {4}, {32, 128}), {counted(f32, {16, 128})});
  EXPECT_EQ(m.moved.at("in0"), 2);
  EXPECT_EQ(m.moved.at("out0"), 4);
  std::vector<std::string> reads;
  for (const std::string& o : m.order)
    if (o.starts_with("read")) reads.push_back(o);
  EXPECT_EQ(reads,
            (std::vector<std::string>{"read in0.window0", "read in0.window0", "read in0.window1", "read in0.window1"}));
}

TEST(Window, AnOutputBlockIsWrittenBackOnlyWhenItIsLeft) {
  const Kernel sums = grid_kernel("sums",
                                  [](Ref x, Ref out) {
                                    when(program_id(1) == 0, [&] { out.store(zeros_like(out)); });
                                    out.store(out.load() + x.load());
                                  },
                                  {.grid = {2, 3},
                                   .in = {{{8, 128}, [](Index i, Index k) { return block(i, k); }}},
                                   .out = {{{8, 128}, [](Index i, Index) { return block(i, 0); }}}});
  Moves m;
  const Ran ran = run(sums, {counted(f32, {16, 384})}, {"canonical", {&m}});
  EXPECT_EQ(m.moved.at("in0"), 6);
  EXPECT_EQ(m.moved.at("out0"), 2);
  EXPECT_EQ(ran.out().at({9, 5}), 3.0 * (9 * 384 + 5 + 128));  // columns 5, 133 and 261
}

TEST(Window, OneSlotFetchesOnlyWhenItsStepHasBegun) {
  const BlockSpec single{{8, 128}, [](Index i) { return block(i, 0); }, Buffered{1}};
  const Moves m = moves_of(twice(single, single, {2}, {16, 128}), {counted(f32, {16, 128})});
  EXPECT_EQ(m.order, (std::vector<std::string>{"step", "in0>in0.window0", "read in0.window0", "out0.window0>out0",
                                               "step", "in0>in0.window0", "read in0.window0", "out0.window0>out0"}));
}

TEST(Window, BeyondTheEdgeAnInputIsPoisonAndAnOutputIsDropped) {
  const Kernel k = grid_kernel("edge",
                               [](Ref x, Ref out, Ref sums) {
                                 out.store(2.0f * x.load());
                                 sums.store(sum(x.load(), over(0)));
                               },
                               {.grid = {2},
                                .in = {kRows},
                                .out = {kRows, {{1, 128}, [](Index i) { return block(i, 0); }}},
                                .out_arrays = {{f32, {10, 128}}, {f32, {2, 128}}}});
  for (const std::string& schedule : schedules(5)) {
    const Ran ran = run(k, {counted(f32, {10, 128})}, {schedule});
    ASSERT_TRUE(ran.outcome.ended());
    EXPECT_EQ(ran.out(0).at({9, 127}), 2 * (9 * 128 + 127));
    EXPECT_EQ(ran.out(1).at({0, 0}), 28 * 128);  // rows 0 to 7 are all there
    EXPECT_TRUE(is_nan(ran.out(1), 128));
    EXPECT_EQ(ran.outcome.work.grid_steps, 2u);
  }
}

TEST(Window, AnEdgeBlockFindsPoisonEvenWhereItsSlotHeldNumbersBefore) {
  const Kernel k = grid_kernel("edge", [](Ref x, Ref sums) { sums.store(sum(x.load(), over(0))); },
                               {.grid = {3},
                                .in = {kRows},
                                .out = {{{1, 128}, [](Index i) { return block(i, 0); }}},
                                .out_arrays = {{f32, {3, 128}}}});
  const Array out = run(k, {counted(f32, {20, 128})}).out();
  EXPECT_FALSE(is_nan(out, 128));
  EXPECT_TRUE(is_nan(out, 256));  // slot 0 held rows 0 to 7
}

TEST(Window, AnOutputSlotForgetsItsBlockWhenTheGridMovesOn) {
  const Kernel k = grid_kernel("once", [](Ref x, Ref out) { when(program_id(0) == 0, [&] { out.store(x.load()); }); },
                               {.grid = {3}, .in = {kRows}, .out = {kRows}});
  const Array out = run(k, {counted(f32, {24, 128})}).out();
  EXPECT_EQ(out.at({7, 0}), 7 * 128);
  EXPECT_TRUE(is_nan(out, 8 * 128));
  EXPECT_TRUE(is_nan(out, 16 * 128));
}

TEST(Window, ScratchKeepsItsContentsFromStepToStep) {
  const Kernel k = grid_kernel("running",
                               [](Ref x, Ref out, Ref total) {
                                 when(program_id(0) == 0, [&] { total.store(zeros_like(total)); });
                                 total.store(total.load() + x.load());
                                 out.store(total.load());
                               },
                               {.grid = {3}, .in = {kRows}, .out = {kRows}, .scratch = {vmem(f32, {8, 128})}});
  const Array out = run(k, {counted(f32, {24, 128})}).out();
  EXPECT_EQ(out.at({16, 0}), (0 + 8 + 16) * 128);
}

TEST(Window, OperandsInFastMemoryAreCopiedInBeforeAndOutAfter) {
  const Kernel k = kernel("staged", {vmem(f32, {8, 128}), smem(i32, {3})}, {vmem(f32, {8, 128}), smem(i32, {1})},
                          [](Ref x, Ref n, Ref out, Ref m) {
                            out.store(x.load());
                            m.store(n.load(2), 0);
                          });
  Moves moves;
  const Ran ran = run(k, {counted(f32, {8, 128}), counted(i32, {3}, 5)}, {"canonical", {&moves}});
  EXPECT_TRUE(same_bits(ran.out(0), counted(f32, {8, 128})));
  EXPECT_EQ(ran.out(1).flat(0), 7);
  for (const char* operand : {"in0", "in1", "out0", "out1"}) EXPECT_EQ(moves.moved.at(operand), 1) << operand;
}

TEST(Window, ThePrefetchedScalarsChooseTheBlocks) {
  const Case c = read_case(std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests/data/kernels/prefetch_gather");
  for (const std::string& schedule : schedules(3)) {
    const Ran ran = run(c.module, c.inputs, c.outputs, {schedule});
    ASSERT_TRUE(ran.outcome.ended());
    for (std::int64_t step = 0; step < 6; ++step) {
      const auto row = static_cast<std::int64_t>(c.inputs[0].flat(step)) * 8;
      EXPECT_EQ(ran.out().at({step * 8 + 7, 255}), c.inputs[1].at({row + 7, 255})) << schedule << " step " << step;
    }
  }
}

TEST(Window, AGridWithALongLastAxisCountsItFastest) {
  Moves unused;
  const Kernel k =
      grid_kernel("ids", [](Ref out) { out.store(program_id(0) * 10 + program_id(1), 0, 0); },
                  {.grid = {2, 3},
                   .out = {BlockSpec({1, 1}, [](Index i, Index j) { return block(i, j); }).in(Space::kSmem)},
                   .out_arrays = {{i32, {2, 3}}}});
  const Ran ran = run(k, {}, {"canonical", {&unused}});
  EXPECT_EQ(ran.out().at({1, 2}), 12);
  const std::size_t first = ran.stream.find("step (0, 2)"), second = ran.stream.find("step (1, 0)");
  EXPECT_LT(first, second);
  EXPECT_NE(second, std::string::npos);
}

}  // namespace
}  // namespace millrace::test
