// SPDX-License-Identifier: Apache-2.0
// Which copies a pipeline starts and waits for, and when: docs/semantics.md, on pipelines.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.h"
#include "replay.h"
#include "traced.h"

namespace millrace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void add_one(Ref x, Ref out) { out.store(1 + x.load()); }

// A pipeline over f32 (rows, 128) in blocks of 8 rows, one axis, one input and one output.
std::vector<std::string> happenings(std::int64_t rows, const Shape& grid, BlockSpec in, BlockSpec out,
                                    bool synchronous = false) {
  auto body = [=](Ref x, Ref y) {
    emit_pipeline(add_one, {.grid = grid, .in = {in}, .out = {out}, .no_pipelining = synchronous})(x, y);
  };
  Kernel k = kernel("k", {hbm(f32, {rows, 128})}, {hbm(f32, {rows, 128})}, body);
  return replay_text(*module_of(k, {{f32, {rows, 128}}}));
}

BlockSpec rows_of_8(int buffers) {
  return {{8, 128}, [](Index i) { return block(i, 0); }, Buffered{buffers}};
}

std::string in(int block, int slot) {
  return fmt::format("a0[{}+8, 0+128] -> m0[{}, 0+8, 0+128] on s0[{}]", 8 * block, slot, slot);
}
std::string out(int block, int slot) {
  return fmt::format("m1[{}, 0+8, 0+128] -> a1[{}+8, 0+128] on s1[{}]", slot, 8 * block, slot);
}
std::string load(int slot) { return fmt::format("load m0[{}, 0+8, 0+128]", slot); }
std::string store(int slot) { return fmt::format("store m1[{}, 0+8, 0+128]", slot); }

TEST(Pipeline, TwoWindowsLoadTheNextBlockWhileThisOneIsUsed) {
  EXPECT_THAT(
      happenings(24, {3}, rows_of_8(2), rows_of_8(2)),
      ElementsAre("start " + in(0, 0),  //
                  "start " + in(1, 1), "wait " + in(0, 0), load(0), store(0), "start " + out(0, 0), "start " + in(2, 0),
                  "wait " + in(1, 1), load(1), store(1), "start " + out(1, 1), "wait " + out(0, 0),  //
                  "wait " + in(2, 0), load(0), store(0), "start " + out(2, 0), "wait " + out(1, 1),
                  "wait " + out(2, 0)));
}

TEST(Pipeline, AThirdWindowLoadsTwoBlocksAhead) {
  EXPECT_THAT(
      happenings(24, {3}, rows_of_8(3), rows_of_8(2)),
      ElementsAre("start " + in(0, 0), "start " + in(1, 1),  //
                  "start " + in(2, 2), "wait " + in(0, 0), load(0), store(0), "start " + out(0, 0), "wait " + in(1, 1),
                  load(1), store(1), "start " + out(1, 1), "wait " + out(0, 0), "wait " + in(2, 2), load(2), store(0),
                  "start " + out(2, 0), "wait " + out(1, 1), "wait " + out(2, 0)));
}

TEST(Pipeline, OneWindowEachCopiesAndWaitsWithinTheStep) {
  EXPECT_THAT(happenings(16, {2}, rows_of_8(1), rows_of_8(1)),
              ElementsAre("start " + in(0, 0), "wait " + in(0, 0), load(0), store(0), "start " + out(0, 0),
                          "wait " + out(0, 0),  //
                          "start " + in(1, 0), "wait " + in(1, 0), load(0), store(0), "start " + out(1, 0),
                          "wait " + out(1, 0)));
}

TEST(Pipeline, ManyWindowsNeverLoadBeyondTheGrid) {
  EXPECT_THAT(happenings(16, {2}, rows_of_8(5), rows_of_8(2)),
              ElementsAre("start " + in(0, 0), "start " + in(1, 1),  //
                          "wait " + in(0, 0), load(0), store(0), "start " + out(0, 0), "wait " + in(1, 1), load(1),
                          store(1), "start " + out(1, 1), "wait " + out(0, 0), "wait " + out(1, 1)));
}

TEST(Pipeline, ABlockThatStaysIsNotMovedAndKeepsItsWindow) {
  BlockSpec halves{{8, 128}, [](Index i) { return block(i / 2, 0); }, Buffered{2}};
  EXPECT_THAT(happenings(16, {4}, halves, halves),
              ElementsAre("start " + in(0, 0),                    //
                          "wait " + in(0, 0), load(0), store(0),  // the next block is the same
                          "start " + in(1, 1), load(0), store(0), "start " + out(0, 0), "wait " + in(1, 1), load(1),
                          store(1), "wait " + out(0, 0), load(1), store(1), "start " + out(1, 1),  //
                          "wait " + out(1, 1)));
}

TEST(Pipeline, ABlockThatIsTheWholeArrayIsCopiedOnceAroundTheLoop) {
  auto whole = BlockSpec::whole();
  EXPECT_THAT(happenings(8, {3}, whole, whole),
              ElementsAre("start " + in(0, 0), "wait " + in(0, 0), load(0), store(0), load(0), store(0), load(0),
                          store(0), "start " + out(0, 0), "wait " + out(0, 0)));
}

TEST(Pipeline, WithoutPipeliningEveryStepCopiesEverythingAndWaits) {
  BlockSpec first{{8, 128}, [](Index) { return block(0, 0); }};
  EXPECT_THAT(happenings(16, {2}, first, rows_of_8(2), true),
              ElementsAre("start " + in(0, 0), "wait " + in(0, 0), load(0), store(0), "start " + out(0, 0),
                          "wait " + out(0, 0),  //
                          "start " + in(0, 0), "wait " + in(0, 0), load(0), store(0), "start " + out(1, 0),
                          "wait " + out(1, 0)));
}

TEST(Pipeline, AGridWithoutStepsDoesNothing) {
  EXPECT_THAT(happenings(16, {0}, rows_of_8(2), rows_of_8(2)), IsEmpty());
}

TEST(Pipeline, TheLastBlockOfARaggedArrayIsCopiedInWholeTiles) {
  BlockSpec tall{{16, 128}, [](Index i) { return block(i, 0); }, Buffered{1}};
  EXPECT_THAT(
      happenings(17, {2}, tall, tall),  // 17 = 16 + 1, and one row takes a tile of 8
      ElementsAre(
          "start a0[0+16, 0+128] -> m0[0, 0+16, 0+128] on s0[0]", "wait a0[0+16, 0+128] -> m0[0, 0+16, 0+128] on s0[0]",
          "load m0[0, 0+16, 0+128]", "store m1[0, 0+16, 0+128]", "start m1[0, 0+16, 0+128] -> a1[0+16, 0+128] on s1[0]",
          "wait m1[0, 0+16, 0+128] -> a1[0+16, 0+128] on s1[0]", "start a0[16+8, 0+128] -> m0[0, 0+8, 0+128] on s0[0]",
          "wait a0[16+8, 0+128] -> m0[0, 0+8, 0+128] on s0[0]", "load m0[0, 0+16, 0+128]", "store m1[0, 0+16, 0+128]",
          "start m1[0, 0+8, 0+128] -> a1[16+8, 0+128] on s1[0]", "wait m1[0, 0+8, 0+128] -> a1[16+8, 0+128] on s1[0]"));
}

TEST(Pipeline, OperandsInTheirWindowsMemoryAreSeenInPlace) {
  auto body = [](Ref x, Ref y) {
    BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
    emit_pipeline(add_one, {.grid = {2}, .in = {rows}, .out = {rows}})(x, y);
  };
  Kernel k = kernel("k", {vmem(f32, {16, 128})}, {vmem(f32, {16, 128})}, body);
  EXPECT_THAT(
      replay_text(*module_of(k, {{f32, {16, 128}}})),
      ElementsAre("load a0[0+8, 0+128]", "store a1[0+8, 0+128]", "load a0[8+8, 0+128]", "store a1[8+8, 0+128]"));
}

TEST(Pipeline, TheBodySeesTheProgramIdsOfThePipelinesGrid) {
  auto body = [](Ref x) {
    auto count = [](Ref window) { window.store(cast(10 * program_id(0) + program_id(1) + num_programs(1), f32)); };
    BlockSpec blocks{{8, 128}, [](Index i, Index j) { return block(i, j); }};
    emit_pipeline(count, {.grid = {2, 3}, .out = {blocks}})(x);
  };
  auto m = module_of(kernel("k", {}, {hbm(f32, {16, 384})}, body), {});
  EXPECT_EQ(count(*m, "arith.sitofp"), 1u);
  EXPECT_EQ(count(*m, "arith.divsi") > 0, true);  // the step split into its two places
}

// Slots and places are remainders of counts; a signed one costs the TPU's scalar unit several times as much.
TEST(Pipeline, TakesRemaindersOfCountsWithoutASign) {
  auto body = [](Ref x, Ref y) {
    BlockSpec blocks{{8, 128}, [](Index i, Index j) { return block(i, j); }, Buffered{2}};
    emit_pipeline(add_one, {.grid = {4, 3}, .in = {blocks}, .out = {blocks}})(x, y);
  };
  auto m = module_of(kernel("k", {hbm(f32, {32, 384})}, {hbm(f32, {32, 384})}, body), {{f32, {32, 384}}});
  EXPECT_EQ(count(*m, "arith.remsi"), 0u);
  EXPECT_GT(count(*m, "arith.remui"), 4u);
}

TEST(Pipeline, CopiesCarryThePhaseAndTheLineOfTheCall) {
  int line = 0;
  auto body = [&](Ref x, Ref y) {
    line = __LINE__ + 1;
    emit_pipeline(add_one, {.grid = {2}, .in = {rows_of_8(2)}, .out = {rows_of_8(2)}})(x, y);
  };
  auto m = module_of(kernel("k", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, body), {{f32, {16, 128}}});
  std::vector<std::string> scopes;
  for (const auto& l : m->locations) {
    if (l.scope.ends_with("dma_start") || l.scope.ends_with("dma_wait")) {
      scopes.push_back(l.scope);
      EXPECT_EQ(l.file, "pipeline_test.cpp");
      EXPECT_EQ(l.line, line);
    }
  }
  EXPECT_THAT(scopes,
              testing::UnorderedElementsAre("ep_initialize_0/dma_start", "ep_copy_in/dma_start", "ep_wait_in/dma_wait",
                                            "ep_copy_out/dma_start", "ep_wait_out/dma_wait", "ep_finalize/dma_wait"));
}

}  // namespace
}  // namespace millrace::test
