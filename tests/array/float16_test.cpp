// SPDX-License-Identifier: Apache-2.0
// Every bit pattern of the 16-bit floats, against a second definition of them: sign * significand * 2^exponent in
// double, rounded by the processor's own rounding of doubles to integers.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "millrace/dtype.h"

namespace millrace {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Bf16Format {
  using Type = BFloat16;
  static constexpr int kFraction = 7, kBias = 127;
};

struct F16Format {
  using Type = Float16;
  static constexpr int kFraction = 10, kBias = 15;
};

template <class Format>
class SixteenBits : public ::testing::Test {
 public:
  using Type = typename Format::Type;
  static constexpr unsigned kOnes = 0x7fffu >> Format::kFraction;  // the exponent of infinities and NaNs

  static bool is_nan(unsigned bits) { return (bits & 0x7fffu) > kOnes << Format::kFraction; }

  // What the bits mean; not for NaN.
  static double value_of(unsigned bits) {
    const unsigned exponent = (bits & 0x7fffu) >> Format::kFraction;
    const unsigned fraction = bits % (1u << Format::kFraction);
    double value =
        std::ldexp(1.0 + std::ldexp(fraction, -Format::kFraction), static_cast<int>(exponent) - Format::kBias);
    if (exponent == 0) value = std::ldexp(fraction, 1 - Format::kBias - Format::kFraction);
    if (exponent == kOnes) value = kInfinity;
    return bits & 0x8000u ? -value : value;
  }

  // The nearest value of the format, ties to even: a whole number of the steps that are usual where x is.
  static double nearest(double x) {
    if (x == 0 || std::isinf(x)) return x;
    const int exponent = std::max(std::ilogb(x), 1 - Format::kBias);
    const double step = std::ldexp(1.0, exponent - Format::kFraction);
    const double rounded = std::nearbyint(x / step) * step;
    const double beyond = std::ldexp(1.0, Format::kBias + 1);
    return std::fabs(rounded) >= beyond ? std::copysign(kInfinity, x) : rounded;
  }

  static void expect_nearest(float x) {
    const double expected = nearest(x);
    const unsigned bits = Type::from_float(x).bits;
    ASSERT_FALSE(is_nan(bits)) << x;
    ASSERT_EQ(value_of(bits), expected) << std::hexfloat << x;
    ASSERT_EQ((bits & 0x8000u) != 0, std::signbit(x)) << std::hexfloat << x;
  }
};

using Formats = ::testing::Types<Bf16Format, F16Format>;
TYPED_TEST_SUITE(SixteenBits, Formats);

TYPED_TEST(SixteenBits, EveryPatternMeansItsValue) {
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    const float value = typename TestFixture::Type{static_cast<std::uint16_t>(bits)}.to_float();
    ASSERT_EQ(std::isnan(value), TestFixture::is_nan(bits)) << bits;
    ASSERT_EQ(std::signbit(value), (bits & 0x8000u) != 0) << bits;
    if (!std::isnan(value)) {
      ASSERT_EQ(static_cast<double>(value), TestFixture::value_of(bits)) << bits;
    }
  }
}

TYPED_TEST(SixteenBits, EveryPatternComesBackFromFloat) {
  using Type = typename TestFixture::Type;
  const unsigned quiet = 1u << (TypeParam::kFraction - 1);
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    const Type original{static_cast<std::uint16_t>(bits)};
    const unsigned back = Type::from_float(original.to_float()).bits;
    ASSERT_EQ(back, TestFixture::is_nan(bits) ? bits | quiet : bits);
  }
}

TYPED_TEST(SixteenBits, NeighboursAndMidpointsOfEveryValueRoundToNearestEven) {
  for (unsigned bits = 0; bits < TestFixture::kOnes << TypeParam::kFraction; ++bits) {
    const double low = TestFixture::value_of(bits);
    double high = TestFixture::value_of(bits + 1);
    // The step past the largest value leads to where the next one would be, if there were one.
    if (std::isinf(high)) high = std::ldexp(1.0, TypeParam::kBias + 1);
    const auto middle = static_cast<float>(low / 2 + high / 2);
    ASSERT_EQ(static_cast<double>(middle), low / 2 + high / 2) << "a midpoint must be a float itself";
    for (const float x : {static_cast<float>(low), middle}) {
      for (const float y : {std::nextafter(x, -HUGE_VALF), x, std::nextafter(x, HUGE_VALF)}) {
        TestFixture::expect_nearest(y);
        TestFixture::expect_nearest(-y);
      }
    }
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(SixteenBits, AnyFloatRoundsToNearestEven) {
  std::mt19937 random(20'240'601);
  for (int i = 0; i < 1'000'000 && !this->HasFatalFailure(); ++i) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(x)) TestFixture::expect_nearest(x);
  }
}

TYPED_TEST(SixteenBits, WhatIsTooLargeBecomesInfiniteOfItsSign) {
  using Type = typename TestFixture::Type;
  const unsigned infinity = TestFixture::kOnes << TypeParam::kFraction;
  for (const float x : {std::numeric_limits<float>::max(), HUGE_VALF}) {
    EXPECT_EQ(Type::from_float(x).bits, infinity);
    EXPECT_EQ(Type::from_float(-x).bits, infinity | 0x8000u);
  }
}

TYPED_TEST(SixteenBits, EveryNaNStaysAQuietNaNOfItsSign) {
  using Type = typename TestFixture::Type;
  std::vector<std::uint32_t> payloads = {1, 2, 0x1fff, 0x2000, 0xffff, 0x10000, 0x3fffff, 0x400000, 0x7fffff};
  for (std::uint32_t payload = 1; payload < 0x800000u; payload += 4'099) payloads.push_back(payload);
  for (const std::uint32_t payload : payloads) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const unsigned bits = Type::from_float(std::bit_cast<float>(sign | 0x7f800000u | payload)).bits;
      ASSERT_TRUE(TestFixture::is_nan(bits)) << payload;
      ASSERT_NE(bits & 1u << (TypeParam::kFraction - 1), 0u) << payload;
      ASSERT_EQ((bits & 0x8000u) != 0, sign != 0) << payload;
    }
  }
}

TEST(Float16, TheLastFiniteValueIs65504AndFrom65520OnAllIsInfinite) {
  EXPECT_EQ(Float16::from_float(65'504.0f).bits, 0x7bffu);
  EXPECT_EQ(Float16::from_float(std::nextafter(65'520.0f, 0.0f)).bits, 0x7bffu);
  EXPECT_EQ(Float16::from_float(65'520.0f).bits, 0x7c00u);
}

TEST(BFloat16, IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(BFloat16::from_float(1.0f).bits, 0x3f80u);
  EXPECT_EQ(BFloat16::from_float(-2.5f).bits, 0xc020u);
  EXPECT_EQ(BFloat16{0x3f80}.to_float(), 1.0f);
}

TEST(DTypes, AreFoundByTheirNames) {
  for (const DType type : {f32, bf16, f16, i8, i16, i32, u8, u16, u32, i1}) {
    EXPECT_EQ(dtype_named(name_of(type)), type);
  }
  EXPECT_EQ(dtype_named("f64"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);
}

TEST(DTypes, KnowTheirBytesAndWhetherTheyAreFloats) {
  EXPECT_EQ(size_of(f32), 4u);
  EXPECT_EQ(size_of(bf16), 2u);
  EXPECT_EQ(size_of(u16), 2u);
  EXPECT_EQ(size_of(i1), 1u);
  EXPECT_TRUE(is_float(f32) && is_float(bf16) && is_float(f16));
  EXPECT_FALSE(is_float(i32) || is_float(u8) || is_float(i1));
}

}  // namespace
}  // namespace millrace
