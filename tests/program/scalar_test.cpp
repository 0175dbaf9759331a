// SPDX-License-Identifier: Apache-2.0
// Scalars of every type, read from memory so that nothing is known before the run, against the same in C++.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "lowered.h"

namespace millrace::test {
namespace {

// %a and %b are x[0] and x[1] as floats, from their bits.
const std::string kFloats =
    load("%p", 0) + load("%q", 1) + "%a = arith.bitcast %p : i32 to f32\n%b = arith.bitcast %q : i32 to f32\n";

Array with_numbers(std::int32_t a, std::int32_t b) {
  Array x(i32, {64});
  x.as<std::int32_t>()[0] = a, x.as<std::int32_t>()[1] = b;
  return x;
}

std::int32_t on_floats(const std::string& body, float a, float b = 0) {
  const Array out = ran(kFloats + body + store("%r", 0),
                        with_numbers(std::bit_cast<std::int32_t>(a), std::bit_cast<std::int32_t>(b)));
  return out.as<std::int32_t>()[0];
}

std::int32_t on_integers(const std::string& body, std::int32_t a, std::int32_t b = 0) {
  return ran(load("%a", 0) + load("%b", 1) + body + store("%r", 0), with_numbers(a, b)).as<std::int32_t>()[0];
}

const std::vector<std::pair<float, float>> kPairs = {{1.5f, 2.25f}, {-7.75f, 0.3f}, {1e30f, -1e30f}, {0.0f, -0.0f}};

TEST(Scalar, FloatArithmeticRoundsOnce) {
  const std::vector<std::pair<std::string, std::function<float(float, float)>>> operations = {
      {"addf", [](float a, float b) { return a + b; }},
      {"subf", [](float a, float b) { return a - b; }},
      {"mulf", [](float a, float b) { return a * b; }},
      {"remf", [](float a, float b) { return std::fmod(a, b); }},
      {"divf", [](float a, float b) { return a / b; }},
      {"maximumf", [](float a, float b) { return a > b || (a == b && !std::signbit(a)) ? a : b; }},
      {"minimumf", [](float a, float b) { return a < b || (a == b && std::signbit(a)) ? a : b; }}};
  for (const auto& [op, right] : operations)
    for (const auto& [a, b] : kPairs) {
      const float expected = right(a, b);
      const auto got =
          on_floats(fmt::format("%f = arith.{} %a, %b : f32\n%r = arith.bitcast %f : f32 to i32\n", op), a, b);
      if (std::isnan(expected))
        EXPECT_EQ(got, 0x7fc00000) << op;
      else
        EXPECT_EQ(got, std::bit_cast<std::int32_t>(expected)) << op << ' ' << a << ' ' << b;
    }
}

TEST(Scalar, BFloatArithmeticRoundsAfterEachOperation) {
  for (const auto& [a, b] : kPairs) {
    const float x = BFloat16::from_float(a).to_float(), y = BFloat16::from_float(b).to_float();
    const float expected = BFloat16::from_float(BFloat16::from_float(x * y).to_float() + x).to_float();
    EXPECT_EQ(on_floats("%u = arith.truncf %a : f32 to bf16\n%d = arith.truncf %b : f32 to bf16\n"
                        "%m = arith.mulf %u, %d : bf16\n%s = arith.addf %m, %u : bf16\n"
                        "%w = arith.extf %s : bf16 to f32\n%r = arith.bitcast %w : f32 to i32\n",
                        a, b),
              std::bit_cast<std::int32_t>(expected));
  }
}

TEST(Scalar, FloatsAreComparedAndChosen) {
  const std::string body =
      "%c = arith.cmpf ogt, %a, %b : f32\n%m = arith.select %c, %a, %b : f32\n%r = arith.bitcast %m : f32 to i32\n";
  EXPECT_EQ(on_floats(body, 3, 2), std::bit_cast<std::int32_t>(3.0f));
  EXPECT_EQ(on_floats(body, 2, 3), std::bit_cast<std::int32_t>(3.0f));
  EXPECT_EQ(on_floats(body, NAN, 3), std::bit_cast<std::int32_t>(3.0f));
}

TEST(Scalar, FunctionsThatAreExactAreExact) {
  const std::vector<std::tuple<std::string, float, float>> rows = {
      {"sqrt", 6.25f, 2.5f}, {"floor", -1.5f, -2.0f},   {"ceil", -1.5f, -1.0f}, {"absf", -3.0f, 3.0f},
      {"round", 2.5f, 3.0f}, {"roundeven", 2.5f, 2.0f}, {"exp", 0.0f, 1.0f},    {"rsqrt", 4.0f, 0.5f}};
  for (const auto& [op, a, expected] : rows)
    EXPECT_EQ(on_floats(fmt::format("%f = math.{} %a : f32\n%r = arith.bitcast %f : f32 to i32\n", op), a),
              std::bit_cast<std::int32_t>(expected))
        << op;
}

TEST(Scalar, WeirdIsTrueOfNaNAndInfinity) {
  const std::string body = "%w = \"tpu.weird\"(%a) : (f32) -> i1\n%r = arith.extui %w : i1 to i32\n";
  EXPECT_EQ(on_floats(body, NAN), 1);
  EXPECT_EQ(on_floats(body, -INFINITY), 1);
  EXPECT_EQ(on_floats(body, 3e38f), 0);
}

TEST(Scalar, NumbersBecomeFloatsAndBack) {
  for (std::int32_t v : {0, 1, -1, 16777217, -2147483647 - 1}) {
    EXPECT_EQ(on_integers("%f = arith.sitofp %a : i32 to f32\n%r = arith.bitcast %f : f32 to i32\n", v),
              std::bit_cast<std::int32_t>(static_cast<float>(v)));
    EXPECT_EQ(on_integers("%f = arith.uitofp %a : i32 to f32\n%r = arith.bitcast %f : f32 to i32\n", v),
              std::bit_cast<std::int32_t>(static_cast<float>(static_cast<std::uint32_t>(v))));
  }
  EXPECT_EQ(on_floats("%r = arith.fptosi %a : f32 to i32\n", -2.75f), -2);
  EXPECT_EQ(on_floats("%r = arith.fptosi %a : f32 to i32\n", 1e20f), 2147483647);
}

TEST(Scalar, TheBitsOfAKnownNumberAreAFloatToo) {
  EXPECT_EQ(on_integers(constant("%k", 0x3fc00000) + "%f = arith.bitcast %k : i32 to f32\n%g = arith.addf %f, %f : "
                                                     "f32\n%r = arith.fptosi %g : f32 to i32\n",
                        0),
            3);
}

TEST(Scalar, NarrowIntegersWrapAtTheirWidth) {
  for (const auto& [type, bits] : std::vector<std::pair<std::string, int>>{{"i8", 8}, {"i16", 16}, {"i4", 4}})
    for (std::int32_t v : {100, -3, 40000}) {
      const std::string cut = fmt::format("%u = arith.trunci %a : i32 to {0}\n%d = arith.addi %u, %u : {0}\n", type);
      const auto doubled = static_cast<std::uint32_t>(2 * v) << (32 - bits);
      EXPECT_EQ(on_integers(cut + fmt::format("%r = arith.extsi %d : {} to i32\n", type), v),
                static_cast<std::int32_t>(doubled) >> (32 - bits));
      EXPECT_EQ(
          static_cast<std::uint32_t>(on_integers(cut + fmt::format("%r = arith.extui %d : {} to i32\n", type), v)),
          doubled >> (32 - bits));
    }
}

TEST(Scalar, ATrueBitExtendsToMinusOneOrToOne) {
  const std::string less = "%c = arith.cmpi slt, %a, %b : i32\n";
  EXPECT_EQ(on_integers(less + "%r = arith.extsi %c : i1 to i32\n", 1, 2), -1);
  EXPECT_EQ(on_integers(less + "%r = arith.extui %c : i1 to i32\n", 1, 2), 1);
  EXPECT_EQ(on_integers(less + "%r = arith.extsi %c : i1 to i32\n", 2, 1), 0);
}

TEST(Scalar, ShiftsAndBitCountsAreThoseOfC) {
  for (std::int32_t a : {1, -8, 0x12345678})
    for (std::int32_t b : {0, 3, 31}) {
      const auto u = static_cast<std::uint32_t>(a);
      EXPECT_EQ(on_integers("%r = arith.shli %a, %b : i32\n", a, b), static_cast<std::int32_t>(u << b));
      EXPECT_EQ(on_integers("%r = arith.shrsi %a, %b : i32\n", a, b), a >> b);
      EXPECT_EQ(on_integers("%r = arith.shrui %a, %b : i32\n", a, b), static_cast<std::int32_t>(u >> b));
      EXPECT_EQ(on_integers("%r = math.ctpop %a : i32\n", a), std::popcount(u));
      EXPECT_EQ(on_integers("%r = math.ctlz %a : i32\n", a), std::countl_zero(u));
    }
}

}  // namespace
}  // namespace millrace::test
