// SPDX-License-Identifier: Apache-2.0
// The oracle against hand-worked answers and against a second way of rounding; the comparison against its definition.
#include "lab/oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lab/compare.h"
#include "lab/fixture.h"

namespace millrace::lab {
namespace {

Array matrix(std::vector<float> values) {
  const auto columns = static_cast<std::int64_t>(values.size());
  return Array::from(std::span<const float>(values), {1, columns});
}

TEST(Oracle, HasTheLessonsEndpoints) {
  const Pair lesson = lesson_pair(f32);
  const Array expected = oracle(lesson.x, lesson.y);
  EXPECT_EQ(expected.at({0, 0}), -1.75);
  EXPECT_EQ(expected.at({16, 256}), 2.25);
}

TEST(Oracle, RoundsBf16OnceAndToEven) {
  // 1 + 2^-8 lies halfway between bf16's 1 and 1 + 2^-7; 1 + 3 * 2^-8 halfway between odd and even above it.
  const Array half = matrix({0.5f, 0.5f}).cast(bf16);
  const Array rest = matrix({0.00390625f, 0.01171875f}).cast(bf16);
  const Array sum = oracle(half, rest);
  EXPECT_EQ(sum.flat(0), 1.0);
  EXPECT_EQ(sum.flat(1), 1.015625);
}

TEST(Oracle, OverflowsBf16ToInfinityAndKeepsNaN) {
  const float most = std::ldexp(1.9921875f, 127);
  const Array sum = oracle(matrix({most, NAN, 0.0f}).cast(bf16), matrix({most, 0.0f, NAN}).cast(bf16));
  EXPECT_TRUE(std::isinf(sum.flat(0)));
  EXPECT_TRUE(std::isnan(sum.flat(1)));
  EXPECT_TRUE(std::isnan(sum.flat(2)));
}

// x through every bf16, y = 0.25 and its like: the casts of Array round by another formula.
TEST(Oracle, AgreesWithAnotherRoundingForEveryBf16) {
  Array x(bf16, {256, 256});
  for (std::size_t i = 0; i < 65536; ++i) x.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
  for (const double addend : {0.25, -1.0, 3.0e38, 1.0e-40}) {
    const Array y = Array::full(bf16, x.shape(), addend);
    const Array wide_x = x.cast(f32), wide_y = y.cast(f32);
    Array wide(f32, x.shape());
    for (std::size_t i = 0; i < 65536; ++i) wide.as<float>()[i] = 2.0f * wide_x.as<float>()[i] + wide_y.as<float>()[i];
    EXPECT_TRUE(compare(oracle(x, y), wide.cast(bf16)).exact) << addend;
  }
}

TEST(Compare, FindsTheLargestErrorAndTheFirstElement) {
  const Comparison c = compare(matrix({1, 2, 3, 4}), matrix({1, 2.5f, 3, 6}));
  EXPECT_EQ(c.max_abs_error, 2);
  EXPECT_EQ(c.first_unequal, 1);
  EXPECT_FALSE(c.exact);
  EXPECT_FALSE(c.within_tolerance);
}

TEST(Compare, ToleratesLessThanAMillionthButCallsItUnequal) {
  const Comparison c = compare(matrix({1.0f}), matrix({std::nextafter(1.0f, 2.0f)}));
  EXPECT_TRUE(c.within_tolerance);
  EXPECT_FALSE(c.exact);
}

TEST(Compare, TellsTheTwoZerosApartWithoutAnError) {
  const Comparison c = compare(matrix({0.0f}), matrix({-0.0f}));
  EXPECT_FALSE(c.exact);
  EXPECT_TRUE(c.within_tolerance);
  EXPECT_EQ(c.max_abs_error, 0);
}

TEST(Compare, NaNEqualsNaNAndNothingElse) {
  EXPECT_TRUE(compare(matrix({NAN}), matrix({-NAN})).exact);
  const Comparison c = compare(matrix({NAN}), matrix({1.0f}));
  EXPECT_FALSE(c.within_tolerance);
  EXPECT_TRUE(std::isinf(c.max_abs_error));
}

TEST(Compare, AnInfinityIsFarFromEveryNumberAndFromItsOpposite) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(compare(matrix({infinity}), matrix({infinity})).exact);
  EXPECT_FALSE(compare(matrix({infinity}), matrix({3e38f})).within_tolerance);
  EXPECT_FALSE(compare(matrix({3e38f}), matrix({infinity})).within_tolerance);
  EXPECT_FALSE(compare(matrix({infinity}), matrix({-infinity})).within_tolerance);
}

TEST(FirstDifferingTile, GoesTileByTileNotRowByRow) {
  Array a(f32, {16, 256}), b(f32, {16, 256});
  EXPECT_FALSE(first_differing_tile(a, b, {8, 128}));
  b.as<float>()[1 * 256 + 200] = 1;  // row 1, in tile (0, 1)
  b.as<float>()[7 * 256 + 3] = 1;    // row 7, in tile (0, 0)
  const auto at = first_differing_tile(a, b, {8, 128});
  ASSERT_TRUE(at);
  EXPECT_EQ(at->tile_row, 0);
  EXPECT_EQ(at->tile_column, 0);
  EXPECT_EQ(at->row, 7);
  EXPECT_EQ(at->column, 3);
}

TEST(FirstDifferingTile, ReachesTheRaggedEdge) {
  Array a(f32, {17, 257}), b(f32, {17, 257});
  b.as<float>()[17 * 257 - 1] = 1;
  const auto at = first_differing_tile(a, b, {8, 128});
  ASSERT_TRUE(at);
  EXPECT_EQ(at->tile_row, 2);
  EXPECT_EQ(at->tile_column, 2);
}

TEST(Fixture, IsTheSameEveryTimeAndAnotherForAnotherSeed) {
  const Pair once = random_pair(9, 129, f32, 23), again = random_pair(9, 129, f32, 23);
  EXPECT_TRUE(same_bits(once.x, again.x));
  EXPECT_TRUE(same_bits(once.y, again.y));
  EXPECT_FALSE(same_bits(once.x, once.y));
  EXPECT_FALSE(same_bits(once.x, random_pair(9, 129, f32, 24).x));
}

TEST(Fixture, IsRoughlyNormal) {
  const Array x = random_pair(100, 100, f32, 1).x;
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    sum += x.flat(i);
    squares += x.flat(i) * x.flat(i);
  }
  EXPECT_NEAR(sum / 1e4, 0, 0.05);
  EXPECT_NEAR(squares / 1e4, 1, 0.05);
}

TEST(Fixture, TheOneTileCountsUpInHundredths) {
  const Pair tile = one_tile_pair();
  EXPECT_EQ(tile.x.shape(), (Shape{8, 128}));
  EXPECT_EQ(tile.x.at({7, 127}), static_cast<double>(10.23f));
  EXPECT_EQ(tile.y.at({7, 127}), 1);
}

}  // namespace
}  // namespace millrace::lab
