// SPDX-License-Identifier: Apache-2.0
// The exact results that each function has at its ends: infinities, zeros with their signs, and the one NaN.
#include <gtest/gtest.h>

#include "samples.h"

namespace millrace::tile {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNaN = of_bits(kCanonicalNaN);

std::uint32_t of(const char* name, float x) {
  return bits_of(run(unary(name, Element::kF32), std::vector<float>{x})[0]);
}
std::uint32_t of(const char* name, float x, float y) {
  return bits_of(run(binary(name, Element::kF32), std::vector<float>{x}, std::vector<float>{y})[0]);
}

TEST(MathCorners, ExpEndsInZeroInfinityAndNaN) {
  for (const char* name : {"math.exp", "math.exp2"}) {
    EXPECT_EQ(of(name, -kInf), bits_of(0.0f)) << name;
    EXPECT_EQ(of(name, kInf), bits_of(kInf)) << name;
    EXPECT_EQ(of(name, -0.0f), bits_of(1.0f)) << name;
    EXPECT_EQ(of(name, -3e38f), bits_of(0.0f)) << name;
    EXPECT_EQ(of(name, 3e38f), bits_of(kInf)) << name;
    EXPECT_EQ(of(name, of_bits(0xffc00001u)), kCanonicalNaN) << name;
  }
  for (int n = -149; n <= 127; ++n) EXPECT_EQ(of("math.exp2", static_cast<float>(n)), bits_of(std::ldexp(1.0f, n)));
}

TEST(MathCorners, LogOfZeroIsMinusInfinityAndOfANegativeNumberNaN) {
  EXPECT_EQ(of("math.log", 0.0f), bits_of(-kInf));
  EXPECT_EQ(of("math.log", -0.0f), bits_of(-kInf));
  EXPECT_EQ(of("math.log", 1.0f), bits_of(0.0f));
  EXPECT_EQ(of("math.log", kInf), bits_of(kInf));
  EXPECT_EQ(of("math.log", -1e-45f), kCanonicalNaN);
  EXPECT_EQ(of("math.log1p", -1.0f), bits_of(-kInf));
  EXPECT_EQ(of("math.log1p", -0.0f), bits_of(-0.0f));
  EXPECT_EQ(of("math.log1p", 0.0f), bits_of(0.0f));
  EXPECT_EQ(of("math.log1p", kInf), bits_of(kInf));
  EXPECT_EQ(of("math.log1p", -1.5f), kCanonicalNaN);
}

TEST(MathCorners, OddFunctionsKeepTheSignOfZeroAndTheirLimits) {
  for (const char* name : {"math.tanh", "math.erf"}) {
    EXPECT_EQ(of(name, kInf), bits_of(1.0f)) << name;
    EXPECT_EQ(of(name, -kInf), bits_of(-1.0f)) << name;
  }
  for (const char* name : {"math.tanh", "math.erf", "math.sin", "math.tan"}) {
    EXPECT_EQ(of(name, -0.0f), bits_of(-0.0f)) << name;
    EXPECT_EQ(of(name, 0.0f), bits_of(0.0f)) << name;
    EXPECT_EQ(of(name, 1e-45f), 1u) << name;  // the smallest number, or 1.13 times it, rounded
  }
}

TEST(MathCorners, AnInfiniteAngleHasNoSine) {
  for (const char* name : {"math.sin", "math.cos", "math.tan"}) {
    EXPECT_EQ(of(name, kInf), kCanonicalNaN) << name;
    EXPECT_EQ(of(name, -kInf), kCanonicalNaN) << name;
    EXPECT_EQ(of(name, kNaN), kCanonicalNaN) << name;
  }
}

TEST(MathCorners, ReciprocalRootOfZeroIsInfinityOfItsSign) {
  EXPECT_EQ(of("math.rsqrt", 0.0f), bits_of(kInf));
  EXPECT_EQ(of("math.rsqrt", -0.0f), bits_of(-kInf));
  EXPECT_EQ(of("math.rsqrt", kInf), bits_of(0.0f));
  EXPECT_EQ(of("math.rsqrt", -1.0f), kCanonicalNaN);
  EXPECT_EQ(of("tpu.reciprocal", -0.0f), bits_of(-kInf));
  EXPECT_EQ(of("tpu.reciprocal", -kInf), bits_of(-0.0f));
}

TEST(MathCorners, PowHasTheExactCasesOfTheCStandard) {
  struct Case {
    float x, y, result;
  };
  const Case cases[] = {
      {kNaN, 0.0f, 1.0f},         {kNaN, -0.0f, 1.0f},   {1.0f, kNaN, 1.0f},      {1.0f, kInf, 1.0f},
      {-1.0f, kInf, 1.0f},        {-1.0f, -kInf, 1.0f},  {-1.0f, kNaN, kNaN},     {kNaN, 1.0f, kNaN},
      {0.0f, -1.0f, kInf},        {-0.0f, -1.0f, -kInf}, {-0.0f, -2.0f, kInf},    {-0.0f, -0.5f, kInf},
      {0.0f, 3.0f, 0.0f},         {-0.0f, 3.0f, -0.0f},  {-0.0f, 2.0f, 0.0f},     {-0.0f, 0.5f, 0.0f},
      {0.5f, kInf, 0.0f},         {2.0f, kInf, kInf},    {0.5f, -kInf, kInf},     {2.0f, -kInf, 0.0f},
      {-kInf, 3.0f, -kInf},       {-kInf, 2.0f, kInf},   {-kInf, -3.0f, -0.0f},   {-kInf, -2.0f, 0.0f},
      {-kInf, 0.5f, kInf},        {kInf, -1.0f, 0.0f},   {kInf, 1.0f, kInf},      {-8.0f, 0.5f, kNaN},
      {-2.0f, 3.0f, -8.0f},       {-2.0f, 2.0f, 4.0f},   {-2.0f, -1.0f, -0.5f},   {-1.0f, 16777215.0f, -1.0f},
      {-1.0f, 16777216.0f, 1.0f}, {-1.0f, 3e38f, 1.0f},  {-2.0f, 1001.0f, -kInf}, {0.0f, -kInf, kInf},
  };
  for (const Case& c : cases) EXPECT_EQ(of("math.powf", c.x, c.y), bits_of(c.result)) << c.x << " to the " << c.y;
}

TEST(MathCorners, Atan2KnowsTheSignsOfItsZerosAndInfinities) {
  const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, kInf, -kInf};
  for (const float y : values) {
    for (const float x : values) {
      const auto expected = static_cast<float>(std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
      EXPECT_EQ(of("math.atan2", y, x), bits_of(expected)) << y << " over " << x;
    }
  }
  EXPECT_EQ(of("math.atan2", kNaN, 1.0f), kCanonicalNaN);
  EXPECT_EQ(of("math.atan2", 1.0f, of_bits(0xffc00000u)), kCanonicalNaN);
}

}  // namespace
}  // namespace millrace::tile
