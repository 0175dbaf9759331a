// SPDX-License-Identifier: Apache-2.0
// What wrong grids, block specs and pipelines are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.h"
#include "traced.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;

void copy(Ref x, Ref out) { out.store(x.load()); }

// A grid kernel over one axis whose input has this spec; traced for an f32 array of this shape.
std::string grid_refusal(const BlockSpec& in, const Shape& array = {16, 128}) {
  BlockSpec out{{8, 128}, [](Index i) { return block(i, 0); }};
  return refusal_of([&] {
    dsl::trace(grid_kernel("k", copy, {.grid = {2}, .in = {in}, .out = {out}}), {{f32, array}});
  });
}

std::string pipeline_refusal(const BlockSpec& in, const BlockSpec& out, const Shape& array = {16, 128}) {
  auto body = [&](Ref x, Ref y) { emit_pipeline(copy, {.grid = {2}, .in = {in}, .out = {out}})(x, y); };
  return refusal_of([&] { dsl::trace(kernel("k", {hbm(f32, array)}, {hbm(f32, array)}, body), {{f32, array}}); });
}

BlockSpec rows(int buffers = 2) {
  return {{8, 128}, [](Index i) { return block(i, 0); }, Buffered{buffers}};
}

TEST(MisuseOfBlocks, TheMapReturnsAPlaceForEachDimensionAndSaysWhere) {
  std::string place = here();
  BlockSpec three{{8, 128}, [](Index i) { return block(i, 0, 0); }};
  std::string said = grid_refusal(three);
  EXPECT_THAT(said, HasSubstr("index map of input 0 of k returns 3 numbers for a block of rank 2"));
  EXPECT_THAT(said, testing::StartsWith("misuse_kernel_test.cpp:"));
}

TEST(MisuseOfBlocks, TheMapTakesAnIndexForEachAxisOfTheGrid) {
  EXPECT_THAT(grid_refusal({{8, 128}, [](Index i, Index j) { return block(i, j); }}),
              HasSubstr("the index map of input 0 of k takes 2 indices; the grid has 1 axes"));
}

TEST(MisuseOfBlocks, ABlockFitsItsArray) {
  EXPECT_THAT(grid_refusal({{32, 128}, [](Index i) { return block(i, 0); }}),
              HasSubstr("the block (32, 128) of input 0 of k does not fit the array (16, 128): axis 0 takes 1 to 16"));
  EXPECT_THAT(grid_refusal({{8}, [](Index i) { return block(i); }}),
              HasSubstr("the block (8,) of input 0 of k has rank 1; the array (16, 128) has rank 2"));
}

TEST(MisuseOfBlocks, AGridKernelHasAtMostTwoWindows) {
  EXPECT_THAT(grid_refusal(rows(3)),
              HasSubstr("a block spec asks for 3 buffers; the windows of a grid kernel have 1 or 2"));
}

TEST(MisuseOfPipelines, OutputsHaveAtMostTwoWindows) {
  EXPECT_THAT(
      pipeline_refusal(rows(2), rows(3)),
      HasSubstr("output 0 of emit_pipeline asks for 3 buffers; outputs have at most 2 (an output is awaited one "
                "step after it was sent)"));
  EXPECT_THAT(pipeline_refusal(rows(0), rows(2)),
              HasSubstr("input 0 of emit_pipeline asks for 0 buffers; it needs at least 1"));
}

TEST(MisuseOfPipelines, ARaggedArrayNeedsBlocksOfWholeTiles) {
  BlockSpec odd{{6, 128}, [](Index i) { return block(i, 0); }};
  EXPECT_THAT(
      pipeline_refusal(odd, odd),
      HasSubstr("the array's 16 along axis 0 is no multiple of the block's 6; ragged blocks are copied in tiles, "
                "so the block must be a multiple of 8 there"));
}

TEST(MisuseOfPipelines, TheCallHasAnArrayForEachSpec) {
  auto body = [](Ref x, Ref) { emit_pipeline(copy, {.grid = {2}, .in = {rows()}, .out = {rows()}})(x); };
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(kernel("k", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, body), {{f32, {16, 128}}});
              }),
              HasSubstr("emit_pipeline: it is called with 1 arrays for 1 inputs and 1 outputs"));
}

TEST(MisuseOfKernels, TheBodyTakesWhatIsDeclared) {
  EXPECT_EQ(refusal_of([] {
              kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref) {});
            }),
            here() + "k: the body takes 1 parameters; inputs, outputs and scratch make 2");
  Kernel k = kernel("k", {}, {vmem(f32, {8, 128})}, [](Ref, Ref) {}, {.scratch = {semaphores(2)}});
  EXPECT_THAT(
      refusal_of([&] { dsl::trace(k, {}); }),
      HasSubstr("the body of k takes memory (a Ref) as parameter 1; it is given a semaphore array (a Semaphores)"));
}

TEST(MisuseOfKernels, InputsAreThoseDeclared) {
  EXPECT_THAT(refusal_of([] {
                dsl::trace(pipelined_axpy(2, 2), {{f32, {24, 384}}, {bf16, {24, 384}}});
              }),
              HasSubstr("axpy: input 1 is bf16 (24, 384); the kernel takes f32 (24, 384)"));
  EXPECT_THAT(refusal_of([] {
                dsl::trace(pipelined_axpy(2, 2), {{f32, {24, 384}}});
              }),
              HasSubstr("axpy takes 2 inputs; it is given 1"));
}

TEST(MisuseOfKernels, AnOutputShapeThatOnlyTheKernelKnowsIsAskedFor) {
  BlockSpec out{{8, 128}, [](Index i) { return block(Index(cast(cast(i, f32), i32)), 0); }};
  Kernel k = grid_kernel("k", copy, {.grid = {2}, .in = {rows()}, .out = {out}});
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(k, {{f32, {16, 128}}});
              }),
              HasSubstr("the shape of output 0 of k cannot be told from its blocks"));
}

}  // namespace
}  // namespace millrace::test
