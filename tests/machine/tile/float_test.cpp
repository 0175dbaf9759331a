// SPDX-License-Identifier: Apache-2.0
// Float arithmetic against the language's own operators, one element at a time.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "samples.h"

namespace millrace::tile {
namespace {

using FloatFunction = std::function<float(float, float)>;

float larger(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return of_bits(kCanonicalNaN);
  if (a == 0.0f && b == 0.0f) return std::signbit(a) ? b : a;
  return std::fmax(a, b);
}
float smaller(float a, float b) { return -larger(-a, -b); }

const std::pair<const char*, FloatFunction> kBinary[] = {
    {"arith.addf", [](float a, float b) { return a + b; }},
    {"arith.subf", [](float a, float b) { return a - b; }},
    {"arith.mulf", [](float a, float b) { return a * b; }},
    {"arith.divf", [](float a, float b) { return a / b; }},
    {"arith.remf", [](float a, float b) { return std::fmod(a, b); }},
    {"arith.maximumf", larger},
    {"arith.minimumf", smaller},
    {"arith.maxnumf", [](float a, float b) { return std::isnan(a)   ? b
                                                    : std::isnan(b) ? a
                                                                    : larger(a, b); }},
    {"arith.minnumf", [](float a, float b) { return std::isnan(a)   ? b
                                                    : std::isnan(b) ? a
                                                                    : smaller(a, b); }},
};

const std::pair<const char*, std::function<float(float)>> kUnary[] = {
    {"math.ceil", [](float x) { return std::ceil(x); }},
    {"math.floor", [](float x) { return std::floor(x); }},
    {"math.trunc", [](float x) { return std::trunc(x); }},
    {"math.round", [](float x) { return std::round(x); }},
    {"math.roundeven", [](float x) { return std::nearbyint(x); }},
    {"math.sqrt", [](float x) { return std::sqrt(x); }},
    {"tpu.reciprocal", [](float x) { return 1.0f / x; }},
};

std::uint32_t expected_bits(float value) { return std::isnan(value) ? kCanonicalNaN : bits_of(value); }

TEST(FloatTiles, GiveTheBitsOfIeeeArithmeticAndOneNaN) {
  std::vector<float> a, b;
  all_pairs(float_samples(160, 1), a, b);
  for (const auto& [name, f] : kBinary) {
    const auto got = run(binary(name, Element::kF32), a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(bits_of(got[i]), expected_bits(f(a[i], b[i]))) << name << " " << a[i] << " " << b[i];
    }
  }
}

TEST(FloatTiles, GiveTheBitsOfIeeeFunctionsOfOneNumber) {
  const auto a = float_samples(50'000, 2);
  for (const auto& [name, f] : kUnary) {
    const auto got = run(unary(name, Element::kF32), a);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(bits_of(got[i]), expected_bits(f(a[i]))) << name << " " << a[i];
    }
  }
}

template <class Half>
void expect_half_arithmetic(Element element) {
  std::vector<std::uint16_t> some, a, b;
  for (const float x : float_samples(150, 3)) some.push_back(Half::from_float(x).bits);
  all_pairs(some, a, b);
  for (const auto& [name, f] : kBinary) {
    const auto got = run(binary(name, element), a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const float x = Half{a[i]}.to_float(), y = Half{b[i]}.to_float();
      const auto expected = Half::from_float(of_bits(expected_bits(f(x, y)))).bits;
      ASSERT_EQ(got[i], expected) << name << " " << x << " " << y;
    }
  }
}

TEST(FloatTiles, RoundBF16AfterEveryOperation) { expect_half_arithmetic<BFloat16>(Element::kBF16); }
TEST(FloatTiles, RoundF16AfterEveryOperation) { expect_half_arithmetic<Float16>(Element::kF16); }

template <class Half>
void expect_half_functions(Element element) {
  std::vector<std::uint16_t> all(65'536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const auto& [name, f] : kUnary) {
    const auto got = run(unary(name, element), all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto expected = Half::from_float(of_bits(expected_bits(f(Half{all[i]}.to_float())))).bits;
      ASSERT_EQ(got[i], expected) << name << " of bits " << i;
    }
  }
}

TEST(FloatTiles, RoundEveryBF16FunctionOfOneNumber) { expect_half_functions<BFloat16>(Element::kBF16); }
TEST(FloatTiles, RoundEveryF16FunctionOfOneNumber) { expect_half_functions<Float16>(Element::kF16); }

TEST(FloatTiles, NegateAndAbsoluteMoveOnlyTheSignEvenOfNaN) {
  const auto a = float_samples(5'000, 4);
  const auto negated = run(unary("arith.negf", Element::kF32), a);
  const auto absolute = run(unary("math.absf", Element::kF32), a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(bits_of(negated[i]), bits_of(a[i]) ^ 0x80000000u);
    ASSERT_EQ(bits_of(absolute[i]), bits_of(a[i]) & 0x7fffffffu);
  }
  const std::vector<std::uint16_t> halves{0x0000, 0x8000, 0x3f80, 0xbf80, 0x7fc1, 0xffc1};
  EXPECT_EQ(run(unary("arith.negf", Element::kBF16), halves),
            (std::vector<std::uint16_t>{0x8000, 0x0000, 0xbf80, 0x3f80, 0xffc1, 0x7fc1}));
  EXPECT_EQ(run(unary("math.absf", Element::kF16), halves),
            (std::vector<std::uint16_t>{0x0000, 0x0000, 0x3f80, 0x3f80, 0x7fc1, 0x7fc1}));
}

TEST(FloatTiles, SubtractingFromZeroIsNotNegation) {
  const std::vector<float> zero{0.0f}, x{0.0f};
  EXPECT_EQ(bits_of(run(binary("arith.subf", Element::kF32), zero, x)[0]), 0u);
  EXPECT_EQ(bits_of(run(unary("arith.negf", Element::kF32), x)[0]), 0x80000000u);
}

TEST(FloatTiles, TakeOneScalarForAWholeTile) {
  const auto a = float_samples(777, 5);
  for (const auto& [name, f] : kBinary) {
    for (const float scalar : {0.0f, 3.0f, of_bits(kCanonicalNaN), -0.5f}) {
      std::vector<float> got(a.size());
      binary_with_scalar(name, Element::kF32)(a.data(), &scalar, got.data(), a.size());
      const auto expected = run(binary(name, Element::kF32), a, std::vector<float>(a.size(), scalar));
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(bits_of(got[i]), bits_of(expected[i])) << name;
    }
  }
}

RC_GTEST_PROP(FloatTiles, MayBeWrittenOverEitherOperand, ()) {
  const auto a = *rc::gen::arbitrary<std::vector<float>>();
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  auto b = float_samples(a.size(), seed);
  const auto& [name, f] = kBinary[seed % std::size(kBinary)];
  const Binary loop = binary(name, Element::kF32);
  const auto expected = run(loop, a, b);
  auto over_a = a;
  loop(over_a.data(), b.data(), over_a.data(), a.size());
  loop(a.data(), b.data(), b.data(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(bits_of(over_a[i]) == bits_of(expected[i]));
    RC_ASSERT(bits_of(b[i]) == bits_of(expected[i]));
    RC_ASSERT(bits_of(expected[i]) == expected_bits(f(a[i], float_samples(a.size(), seed)[i])));
  }
}

TEST(FloatTiles, WriteNothingPastTheLastElement) {
  for (std::size_t n = 0; n < 70; ++n) {
    const std::vector<float> a(n, 1.0f), b(n, 2.0f);
    std::vector<float> out(n + 1, -7.0f);
    binary("arith.addf", Element::kF32)(a.data(), b.data(), out.data(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], 3.0f);
    ASSERT_EQ(out[n], -7.0f);
  }
}

}  // namespace
}  // namespace millrace::tile
