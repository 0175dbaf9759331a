// SPDX-License-Identifier: Apache-2.0
// Squeezed dimensions, prefetched scalars, aliases and what grid axes promise: the modules they leave, and their
// refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mosaic/io.h"
#include "traced.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;

void copy(Ref x, Ref out) { out.store(x.load()); }

BlockSpec rows() {
  return {{8, 128}, [](Index i) { return block(i, 0); }};
}

Kernel gathered(BlockSpec in, std::vector<ArraySpec> out_arrays = {{f32, {16, 128}}}) {
  return grid_kernel("k", [](Ref, Ref x, Ref out) { out.store(x.load()); },
                     {.grid = {2}, .prefetch = 1, .in = {in}, .out = {rows()}, .out_arrays = out_arrays});
}

std::string gather_refusal(BlockSpec in) {
  return refusal_of([&] { dsl::trace(gathered(in), {{i32, {2}}, {f32, {16, 128}}}); });
}

TEST(Blocks, AMapTakesThePrefetchedScalarsAfterItsIndices) {
  BlockSpec chosen{{8, 128}, [](Index i, Ref order) { return block(Index(order.load(i)), 0); }};
  auto m = module_of(gathered(chosen), {{i32, {2}}, {f32, {16, 128}}});
  EXPECT_EQ(*mosaic::as_integer(m->kernel()->find("scalar_prefetch")), 1);
  const mosaic::Function& map = *m->find("transform_0");
  ASSERT_EQ(map.body.arguments.size(), 2u);
  EXPECT_EQ(mosaic::to_string(map.values[map.body.arguments[1]]), "memref<2xi32, #tpu.memory_space<smem>>");
  EXPECT_EQ(m->find("transform_1")->body.arguments.size(), 2u);  // also where the map does not ask for them
}

TEST(Blocks, AMapOnlyReads) {
  BlockSpec writes{{8, 128}, [](Index i, Ref order) {
                     order.store(i, 0);
                     return block(i, 0);
                   }};
  EXPECT_THAT(gather_refusal(writes), HasSubstr("store to input 0, i32 (1,) in an index map, which only reads"));
}

TEST(Blocks, AMapTakesAllPrefetchedScalarsOrNone) {
  BlockSpec two{{8, 128}, [](Index i, Ref, Ref) { return block(i, 0); }};
  EXPECT_THAT(
      gather_refusal(two),
      HasSubstr("the index map of input 1 of k takes 2 Refs after its indices; there are 1 prefetched operands"));
}

TEST(Blocks, AMapOfAPipelineTakesIndicesOnly) {
  Kernel k = kernel("k", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [](Ref x, Ref out) {
    BlockSpec in{{8, 128}, [](Index i, Ref order) { return block(Index(order.load(i)), 0); }};
    emit_pipeline(copy, {.grid = {2}, .in = {in}, .out = {rows()}})(x, out);
  });
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(k, {{f32, {16, 128}}});
              }),
              HasSubstr("takes 1 Refs after its indices; there are 0 prefetched operands"));
}

TEST(Blocks, AnOutputWhoseBlocksDataNamesNeedsAShape) {
  BlockSpec out{{8, 128}, [](Index i, Ref order) { return block(Index(order.load(i)), 0); }};
  Kernel k = grid_kernel("k", [](Ref, Ref x, Ref y) { y.store(x.load()); },
                         {.grid = {2}, .prefetch = 1, .in = {rows()}, .out = {out}});
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(k, {{i32, {2}}, {f32, {16, 128}}});
              }),
              HasSubstr("its index map computes what is known only in the kernel; give .out_arrays"));
}

TEST(Blocks, PrefetchCountsLeadingInputs) {
  EXPECT_THAT(refusal_of([] {
                dsl::trace(gathered(rows()), {{f32, {16, 128}}});
              }),
              HasSubstr("k takes 2 inputs; it is given 1"));
  EXPECT_THAT(
      refusal_of([] { grid_kernel("k", copy, {.grid = {2}, .prefetch = -1, .in = {rows()}, .out = {rows()}}); }),
      HasSubstr("prefetch is -1; take 0 or more"));
}

TEST(Blocks, ASqueezedDimensionIsOneInTheModuleAndGoneInTheBody) {
  Shape seen;
  BlockSpec planes{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
  auto body = [&](Ref x, Ref out) {
    seen = x.shape();
    out.store(x.load());
  };
  Kernel k = grid_kernel("k", body, {.grid = {4}, .in = {planes}, .out = {planes}});
  auto traced = dsl::trace(k, {{f32, {4, 8, 128}}});
  mosaic::verify_module(*traced.module);
  EXPECT_EQ(seen, (Shape{8, 128}));
  EXPECT_EQ(traced.outputs[0].shape, (Shape{4, 8, 128}));
  const auto& main = *traced.module->kernel();
  EXPECT_EQ(mosaic::to_string(main.values[main.body.arguments[1]]), "memref<1x8x128xf32, #tpu.memory_space<vmem>>");
}

TEST(Blocks, APipelinesWindowHasNoSqueezedDimension) {
  Kernel k = kernel("k", {hbm(f32, {4, 8, 128})}, {hbm(f32, {4, 8, 128})}, [](Ref x, Ref out) {
    BlockSpec planes{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
    emit_pipeline(copy, {.grid = {4}, .in = {planes}, .out = {planes}})(x, out);
  });
  auto m = module_of(k, {{f32, {4, 8, 128}}});
  std::string text = mosaic::write_module(*m, {mosaic::Form::kText, mosaic::Names::kPlain, 9, false});
  EXPECT_THAT(text, HasSubstr("memref<2x8x128xf32, #tpu.memory_space<vmem>>"));
}

TEST(Blocks, AVectorIsNotSqueezedToAScalar) {
  Kernel k = kernel("k", {hbm(f32, {128})}, {hbm(f32, {128})}, [](Ref x, Ref out) {
    BlockSpec one{{kSqueezed}, [](Index i) { return block(i); }};
    emit_pipeline(copy, {.grid = {4}, .in = {one}, .out = {one}})(x, out);
  });
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(k, {{f32, {128}}});
              }),
              HasSubstr("input 0 of emit_pipeline is squeezed to a scalar; VMEM holds vectors"));
}

TEST(Blocks, AGridKernelSeesArraysInHbmWhole) {
  EXPECT_THAT(gather_refusal(rows().in(Space::kHbm)), HasSubstr("input 1 of k has a block in HBM"));
}

TEST(Blocks, AxesSayWhetherTheirStepsMayBeReordered) {
  BlockSpec tile{{8, 128}, [](Index i, Index j) { return block(i, j); }};
  GridSpec spec{
      .grid = {2, 3}, .semantics = {Dimension::kParallel, Dimension::kArbitrary}, .in = {tile}, .out = {tile}};
  auto m = module_of(grid_kernel("k", copy, spec), {{f32, {16, 384}}});
  std::string text = mosaic::write_module(*m, {mosaic::Form::kText, mosaic::Names::kPlain, 9, false});
  EXPECT_THAT(text, HasSubstr("[#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>]"));
  spec.semantics.pop_back();
  EXPECT_THAT(refusal_of([&] { grid_kernel("k", copy, spec); }), HasSubstr("1 semantics for a grid of 2 axes"));
}

TEST(Blocks, AnAliasedOutputIsLikeItsInput) {
  Kernel k = grid_kernel("k", copy, {.grid = {2}, .in = {rows()}, .out = {rows()}, .aliases = {{0, 0}}});
  auto traced = dsl::trace(k, {{f32, {24, 128}}});  // the map reaches 16 rows only
  ASSERT_EQ(traced.aliases.size(), 1u);
  EXPECT_EQ(traced.outputs[0].shape, (Shape{24, 128}));
  Kernel other = grid_kernel(
      "k", copy, {.grid = {2}, .in = {rows()}, .out = {rows()}, .out_arrays = {{f32, {16, 128}}}, .aliases = {{0, 0}}});
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(other, {{f32, {24, 128}}});
              }),
              HasSubstr("output 0 is f32 (16, 128) and lies in input 0, which is f32 (24, 128); aliases are alike"));
}

TEST(Blocks, AliasesNameOperandsOnce) {
  auto refused = [](std::vector<Alias> aliases) {
    return refusal_of([&] {
      kernel("k", {hbm(f32, {8, 128}), hbm(i32, {8, 128})}, {hbm(f32, {8, 128})}, [](Ref, Ref, Ref) {},
             {.aliases = aliases});
    });
  };
  EXPECT_EQ(refused({{0, 0}}), "no error");
  EXPECT_THAT(refused({{2, 0}}), HasSubstr("names what is not there: inputs are 0 to 1, outputs 0 to 0"));
  EXPECT_THAT(refused({{0, 0}, {1, 0}}), HasSubstr("output 0 is aliased twice"));
  EXPECT_THAT(refused({{1, 0}}), HasSubstr("output 0 is f32 (8, 128) and lies in input 1, which is i32 (8, 128)"));
  EXPECT_THAT(refusal_of([] {
                grid_kernel("k", [](Ref, Ref, Ref) {},
                            {.grid = {2}, .prefetch = 1, .in = {rows()}, .out = {rows()}, .aliases = {{0, 0}}});
              }),
              HasSubstr("input 0 is prefetched and has no alias; aliases begin at input 1"));
}

}  // namespace
}  // namespace millrace::test
