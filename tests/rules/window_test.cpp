// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "judged.h"

namespace millrace::rules {
namespace {

std::vector<Finding> blocks(const Shape& array, const Shape& block) {
  const BlockSpec spec{
      block, [rank = block.size()](Index i) { return rank == 1 ? millrace::block(i) : millrace::block(i, 0); }};
  const Kernel k = grid_kernel("k", [](Ref x, Ref o) { o.store(x.load()); },
                               {.grid = {1}, .in = {spec}, .out = {spec}, .out_arrays = {{DType::f32, array}}});
  return judged(k, {{DType::f32, array}});
}

TEST(BlockShape, CutsWholeTilesOrTakesAll) {
  EXPECT_TRUE(blocks({24, 384}, {8, 128}).empty());
  EXPECT_TRUE(blocks({24, 100}, {8, 100}).empty());
  EXPECT_TRUE(blocks({5, 384}, {5, 128}).empty());
  EXPECT_FALSE(blocks({24, 384}, {4, 128}).empty());
  EXPECT_FALSE(blocks({24, 384}, {8, 64}).empty());
  EXPECT_FALSE(blocks({24, 384}, {3, 5}).empty());
}

TEST(BlockShape, OfAVectorIsAllOrRound) {
  EXPECT_TRUE(blocks({1000}, {128}).empty());
  EXPECT_TRUE(blocks({100}, {100}).empty());
  EXPECT_TRUE(blocks({4096}, {3072}).empty());
  EXPECT_FALSE(blocks({1000}, {100}).empty());
  EXPECT_FALSE(blocks({1000}, {384}).empty());
}

TEST(BlockShape, SaysWhichOperandAndWhatWouldDo) {
  const auto found = blocks({24, 384}, {4, 128});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].id, "target.block-shape");
  EXPECT_EQ(found[0].memory, "in0");
  EXPECT_EQ(found[1].memory, "out0");
  EXPECT_NE(found[0].message.find("dimension 0 of its block is 4; take a multiple of 8, or all 24 of the array"),
            std::string::npos)
      << found[0].message;
}

}  // namespace
}  // namespace millrace::rules
