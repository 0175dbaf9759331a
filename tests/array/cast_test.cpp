// SPDX-License-Identifier: Apache-2.0
// What becomes of a value under another element type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "millrace/array.h"

namespace millrace {
namespace {

using ::testing::ElementsAre;

std::vector<double> cast(const std::vector<float>& values, DType to, DType through = f32) {
  const Array array = Array::from(values, {static_cast<std::int64_t>(values.size())}).cast(through).cast(to);
  EXPECT_EQ(array.dtype(), to);
  std::vector<double> result;
  for (std::int64_t i = 0; i < array.size(); ++i) result.push_back(array.flat(i));
  return result;
}

std::vector<double> cast(const std::vector<std::int32_t>& values, DType to, DType through = i32) {
  const Array array = Array::from(values, {static_cast<std::int64_t>(values.size())}).cast(through).cast(to);
  std::vector<double> result;
  for (std::int64_t i = 0; i < array.size(); ++i) result.push_back(array.flat(i));
  return result;
}

TEST(Cast, FromFloatToIntegerTruncatesTowardZero) {
  const std::vector<float> x = {1.9f, -1.9f, 0.5f, -0.99f, 100.0f};
  for (const DType type : {i8, i16, i32}) EXPECT_THAT(cast(x, type), ElementsAre(1, -1, 0, 0, 100));
  for (const DType type : {u8, u16, u32}) EXPECT_THAT(cast(x, type), ElementsAre(1, 0, 0, 0, 100));
  EXPECT_THAT(cast(std::vector<float>{1.75f, -1.75f}, i32, bf16), ElementsAre(1, -1));
  EXPECT_THAT(cast(std::vector<float>{1.75f, -1.75f}, i32, f16), ElementsAre(1, -1));
}

TEST(Cast, FromFloatToIntegerSaturatesAndMakesNaNZero) {
  const std::vector<float> x = {1e30f, -1e30f, HUGE_VALF, -HUGE_VALF, NAN};
  EXPECT_THAT(cast(x, i8), ElementsAre(127, -128, 127, -128, 0));
  EXPECT_THAT(cast(x, u8), ElementsAre(255, 0, 255, 0, 0));
  EXPECT_THAT(cast(x, i16), ElementsAre(32'767, -32'768, 32'767, -32'768, 0));
  EXPECT_THAT(cast(x, u16), ElementsAre(65'535, 0, 65'535, 0, 0));
  EXPECT_THAT(cast(x, i32), ElementsAre(2'147'483'647, -2'147'483'648.0, 2'147'483'647, -2'147'483'648.0, 0));
  EXPECT_THAT(cast(x, u32), ElementsAre(4'294'967'295.0, 0, 4'294'967'295.0, 0, 0));
}

TEST(Cast, FromFloatToIntegerIsExactUpToTheEndsOfTheRange) {
  EXPECT_THAT(cast(std::vector<float>{2'147'483'520.0f, -2'147'483'648.0f, 2'147'483'648.0f}, i32),
              ElementsAre(2'147'483'520.0, -2'147'483'648.0, 2'147'483'647.0));
  EXPECT_THAT(cast(std::vector<float>{4'294'967'040.0f, 4'294'967'296.0f}, u32),
              ElementsAre(4'294'967'040.0, 4'294'967'295.0));
  EXPECT_THAT(cast(std::vector<float>{127.9f, 128.0f, -128.9f, -129.0f}, i8), ElementsAre(127, 127, -128, -128));
}

TEST(Cast, FromIntegerToIntegerWraps) {
  EXPECT_THAT(cast(std::vector<std::int32_t>{300, -1, 128, -129}, i8), ElementsAre(44, -1, -128, 127));
  EXPECT_THAT(cast(std::vector<std::int32_t>{300, -1, 65'536}, u8), ElementsAre(44, 255, 0));
  EXPECT_THAT(cast(std::vector<std::int32_t>{-1, 70'000}, u16), ElementsAre(65'535, 4'464));
  EXPECT_THAT(cast(std::vector<std::int32_t>{-1}, u32), ElementsAre(4'294'967'295.0));
  EXPECT_THAT(cast(std::vector<std::int32_t>{-1}, i32, u32), ElementsAre(-1));
  EXPECT_THAT(cast(std::vector<std::int32_t>{-1}, i32, u8), ElementsAre(255));
  EXPECT_THAT(cast(std::vector<std::int32_t>{-1}, u32, i8), ElementsAre(4'294'967'295.0));
}

TEST(Cast, ToI1AsksWhetherTheValueIsNotZero) {
  EXPECT_THAT(cast(std::vector<float>{0.0f, -0.0f, 0.25f, -3.0f, NAN}, i1), ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT(cast(std::vector<float>{0.0f, -0.0f, 0.25f}, i1, bf16), ElementsAre(0, 0, 1));
  EXPECT_THAT(cast(std::vector<std::int32_t>{0, 256, -1}, i1), ElementsAre(0, 1, 1));
}

TEST(Cast, FromI1GivesZeroAndOne) {
  for (const DType type : {f32, bf16, f16, i8, i16, i32, u8, u16, u32, i1}) {
    EXPECT_THAT(cast(std::vector<std::int32_t>{0, 2, -1}, type, i1), ElementsAre(0, 1, 1)) << name_of(type);
  }
}

TEST(Cast, FromIntegerToFloatRoundsToNearestEven) {
  EXPECT_THAT(cast(std::vector<std::int32_t>{16'777'217, 16'777'219, -16'777'217}, f32),
              ElementsAre(16'777'216, 16'777'220, -16'777'216));
  EXPECT_THAT(cast(std::vector<std::int32_t>{257, 259, -257}, bf16), ElementsAre(256, 260, -256));
  EXPECT_THAT(cast(std::vector<std::int32_t>{2'049, 2'051, 65'519, 65'520, -65'520}, f16),
              ElementsAre(2'048, 2'052, 65'504, HUGE_VAL, -HUGE_VAL));
}

TEST(Cast, FromIntegerToSixteenBitsRoundsOnlyOnce) {
  // By way of f32 the last 1 would be lost first, and what is left would be a tie.
  EXPECT_THAT(cast(std::vector<std::int32_t>{0x1010001, -0x1010001, 0x1010000}, bf16),
              ElementsAre(0x1020000, -0x1020000, 0x1000000));
  std::mt19937 random(7);
  std::vector<std::int32_t> values;
  for (int i = 0; i < 100'000; ++i) values.push_back(static_cast<std::int32_t>(random()) >> random() % 31);
  const std::vector<double> rounded = cast(values, bf16);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    const double step = x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) - 7);
    ASSERT_EQ(rounded[i], std::nearbyint(x / step) * step) << values[i];
  }
}

TEST(Full, RoundsADoubleToSixteenBitsOnlyOnce) {
  EXPECT_EQ(Array::full(bf16, {}, 1 + 0x1p-8).flat(0), 1);  // a tie
  EXPECT_EQ(Array::full(bf16, {}, 1 + 0x1p-8 + 0x1p-40).flat(0), 1 + 0x1p-7);
  EXPECT_EQ(Array::full(bf16, {}, 1 + 3 * 0x1p-8 - 0x1p-40).flat(0), 1 + 0x1p-7);
  EXPECT_EQ(Array::full(f16, {}, 1 + 0x1p-11 + 0x1p-40).flat(0), 1 + 0x1p-10);
  EXPECT_EQ(Array::full(f16, {}, -(1 + 0x1p-11 + 0x1p-40)).flat(0), -(1 + 0x1p-10));
  EXPECT_EQ(Array::full(f16, {}, 0x1p-25 + 0x1p-70).flat(0), 0x1p-24);
  EXPECT_EQ(Array::full(f16, {}, 1e300).flat(0), HUGE_VAL);
  EXPECT_EQ(Array::full(bf16, {}, -1e300).flat(0), -HUGE_VAL);
  EXPECT_EQ(Array::full(bf16, {}, 1e-300).flat(0), 0);
  EXPECT_TRUE(std::isnan(Array::full(f16, {}, NAN).flat(0)));
}

TEST(Cast, BetweenFloatsRoundsToNearestEven) {
  EXPECT_THAT(cast(std::vector<float>{1.00390625f, 1.01171875f, 3e38f}, bf16), ElementsAre(1, 1.015625, 0x1.c4p+127));
  EXPECT_THAT(cast(std::vector<float>{1.00048828125f, 70'000.0f, 1e-8f}, f16), ElementsAre(1, HUGE_VAL, 0));
  EXPECT_THAT(cast(std::vector<float>{1.0009765625f}, bf16, f16), ElementsAre(1));
  EXPECT_THAT(cast(std::vector<float>{0x1p100f}, f16, bf16), ElementsAre(HUGE_VAL));
}

TEST(Cast, ToTheSameTypeChangesNoBit) {
  Array array(f32, {1});
  array.as<std::uint32_t>()[0] = 0x7f800001u;  // a signalling NaN
  EXPECT_TRUE(same_bits(array.cast(f32), array));
}

}  // namespace
}  // namespace millrace
