// SPDX-License-Identifier: Apache-2.0
// Transcendental functions against the C library's long double ones, within 0.501 units of the last place. (0.5 is
// perfect rounding.) Arguments are dense samples of all floats, and of the ranges where each function does its work.
#include <gtest/gtest.h>

#include <functional>

#include "samples.h"

namespace millrace::tile {
namespace {

constexpr double kBound = 0.501;

struct Function {
  const char* name;
  std::function<long double(long double)> exact;
  float low, high;  // where samples are densest
};

const Function kFunctions[] = {
    {"math.exp", [](long double x) { return std::exp(x); }, -105.0f, 90.0f},
    {"math.exp2", [](long double x) { return std::exp2(x); }, -152.0f, 130.0f},
    {"math.log", [](long double x) { return std::log(x); }, 0.25f, 4.0f},
    {"math.log1p", [](long double x) { return std::log1p(x); }, -1.0f, 3.0f},
    {"math.tanh", [](long double x) { return std::tanh(x); }, -10.0f, 10.0f},
    {"math.erf", [](long double x) { return std::erf(x); }, -4.5f, 4.5f},
    {"math.sin", [](long double x) { return std::sin(x); }, -40.0f, 40.0f},
    {"math.cos", [](long double x) { return std::cos(x); }, -40.0f, 40.0f},
    {"math.tan", [](long double x) { return std::tan(x); }, -40.0f, 40.0f},
    {"math.rsqrt", [](long double x) { return 1.0L / std::sqrt(x); }, 0.0f, 100.0f},
};

// Every 8191st float of both signs, and 100,000 evenly spaced between low and high.
std::vector<float> arguments_of(const Function& f) {
  std::vector<float> all = float_corners();
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 8191)
    all.push_back(of_bits(static_cast<std::uint32_t>(bits)));
  for (int i = 0; i <= 100'000; ++i) all.push_back(f.low + (f.high - f.low) * (static_cast<float>(i) / 100'000.0f));
  return all;
}

class EveryFunction : public ::testing::TestWithParam<Function> {};

TEST_P(EveryFunction, IsWithinTheStatedErrorOfTheExactValue) {
  const Function& f = GetParam();
  const auto x = arguments_of(f);
  const auto y = run(unary(f.name, Element::kF32), x);
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = ulps(y[i], f.exact(x[i]));
    worst = std::max(worst, error);
    ASSERT_LE(error, kBound) << f.name << " of " << x[i] << " is " << y[i];
  }
  EXPECT_GE(worst, 0.4);  // or the measure itself is broken: no function hits the middle of all floats
}

TEST_P(EveryFunction, OfABF16IsTheF32ResultRounded) {
  const Function& f = GetParam();
  std::vector<std::uint16_t> all(65'536);
  std::vector<float> wide(65'536);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::uint16_t>(i);
    wide[i] = BFloat16{all[i]}.to_float();
  }
  const auto got = run(unary(f.name, Element::kBF16), all);
  const auto expected = run(unary(f.name, Element::kF32), wide);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(got[i], BFloat16::from_float(expected[i]).bits) << f.name << " of " << wide[i];
  }
}

TEST_P(EveryFunction, DoesNotDependOnItsNeighbours) {
  const Function& f = GetParam();
  const auto x = float_samples(1'000, 11);
  const auto together = run(unary(f.name, Element::kF32), x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto alone = run(unary(f.name, Element::kF32), std::vector<float>{x[i]});
    ASSERT_EQ(bits_of(together[i]), bits_of(alone[0])) << f.name << " of " << x[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Math, EveryFunction, ::testing::ValuesIn(kFunctions),
                         [](const auto& info) { return std::string(info.param.name).substr(5); });

// The C library's long double pow is wrong for an infinite base and an exponent of -2^63 or less: there, double.
long double exact_power(float x, float y) {
  if (std::isinf(x)) return std::pow(static_cast<double>(x), static_cast<double>(y));
  return std::pow(static_cast<long double>(x), static_cast<long double>(y));
}

TEST(Pow, IsWithinTheStatedErrorOfTheExactValue) {
  std::vector<float> x, y;
  for (const float a : float_samples(700, 6)) {
    for (const float b : float_samples(300, 7)) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  for (int i = 0; i < 200'000; ++i) {  // results from 2^-160 to 2^140
    x.push_back(0.01f + static_cast<float>(i % 997) * 0.013f);
    y.push_back(-40.0f + static_cast<float>(i % 1009) * 0.081f);
  }
  const auto got = run(binary("math.powf", Element::kF32), x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(ulps(got[i], exact_power(x[i], y[i])), kBound) << x[i] << " to the " << y[i] << " is " << got[i];
  }
}

TEST(Atan2, IsWithinTheStatedErrorOfTheExactValue) {
  std::vector<float> y, x;
  all_pairs(float_samples(700, 8), y, x);
  const auto got = run(binary("math.atan2", Element::kF32), y, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double exact = std::atan2(static_cast<long double>(y[i]), static_cast<long double>(x[i]));
    ASSERT_LE(ulps(got[i], exact), kBound) << y[i] << " over " << x[i] << " is " << got[i];
    if (!std::isnan(exact)) {
      ASSERT_EQ(std::signbit(got[i]), std::signbit(exact)) << y[i] << " over " << x[i];
    }
  }
}

}  // namespace
}  // namespace millrace::tile
