// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic against exact arithmetic in 128 bits, cut to the element's width.
#include <gtest/gtest.h>

#include <functional>

#include "samples.h"

namespace millrace::tile {
namespace {

__extension__ using Exact = __int128;

// An element of `bits` bits: its two readings, and what is stored of a result.
struct Width {
  Element element;
  int bits;

  Exact as_unsigned(std::int64_t stored) const { return static_cast<Exact>(stored) & ((Exact{1} << bits) - 1); }
  Exact as_signed(std::int64_t stored) const {
    const Exact u = as_unsigned(stored);
    return u >> (bits - 1) != 0 ? u - (Exact{1} << bits) : u;
  }
  std::int64_t stored(Exact value) const {
    const auto low = static_cast<std::int64_t>(value);
    return static_cast<std::int64_t>(bits == 1 ? as_unsigned(low) : as_signed(low));
  }
};

struct Pair {
  Exact s, t;  // the operands as signed numbers
  Exact u, v;  // and as unsigned ones
  int bits;
};

const std::pair<const char*, std::function<Exact(Pair)>> kBinary[] = {
    {"arith.addi", [](Pair p) { return p.s + p.t; }},
    {"arith.subi", [](Pair p) { return p.s - p.t; }},
    {"arith.muli", [](Pair p) { return p.s * p.t; }},
    {"arith.divsi", [](Pair p) { return p.t == 0 ? Exact{-1} : p.s / p.t; }},
    {"arith.divui", [](Pair p) { return p.v == 0 ? Exact{-1} : p.u / p.v; }},
    {"arith.remsi", [](Pair p) { return p.t == 0 ? p.s : p.s % p.t; }},
    {"arith.remui", [](Pair p) { return p.v == 0 ? p.u : p.u % p.v; }},
    {"arith.andi", [](Pair p) { return p.u & p.v; }},
    {"arith.ori", [](Pair p) { return p.u | p.v; }},
    {"arith.xori", [](Pair p) { return p.u ^ p.v; }},
    {"arith.shli", [](Pair p) { return p.v >= p.bits ? Exact{0} : p.u << static_cast<int>(p.v); }},
    {"arith.shrui", [](Pair p) { return p.v >= p.bits ? Exact{0} : p.u >> static_cast<int>(p.v); }},
    {"arith.shrsi", [](Pair p) { return p.v >= p.bits ? Exact{p.s < 0 ? -1 : 0} : p.s >> static_cast<int>(p.v); }},
    {"arith.maxsi", [](Pair p) { return std::max(p.s, p.t); }},
    {"arith.minsi", [](Pair p) { return std::min(p.s, p.t); }},
    {"arith.maxui", [](Pair p) { return std::max(p.u, p.v); }},
    {"arith.minui", [](Pair p) { return std::min(p.u, p.v); }},
};

int leading_zeros(Exact u, int bits) {
  int count = 0;
  while (count < bits && (u >> (bits - 1 - count) & 1) == 0) ++count;
  return count;
}
int trailing_zeros(Exact u, int bits) {
  int count = 0;
  while (count < bits && (u >> count & 1) == 0) ++count;
  return count;
}
int ones(Exact u, int bits) {
  int count = 0;
  for (int i = 0; i < bits; ++i) count += static_cast<int>(u >> i & 1);
  return count;
}

const std::pair<const char*, std::function<Exact(Pair)>> kUnary[] = {
    {"math.absi", [](Pair p) { return p.s < 0 ? -p.s : p.s; }},
    {"math.ctlz", [](Pair p) { return Exact{leading_zeros(p.u, p.bits)}; }},
    {"math.cttz", [](Pair p) { return Exact{trailing_zeros(p.u, p.bits)}; }},
    {"math.ctpop", [](Pair p) { return Exact{ones(p.u, p.bits)}; }},
};

template <class Stored>
void expect_exact_arithmetic(Width width, const std::vector<Stored>& samples) {
  std::vector<Stored> a, b;
  all_pairs(samples, a, b);
  auto pair_at = [&](std::size_t i) {
    return Pair{width.as_signed(a[i]), width.as_signed(b[i]), width.as_unsigned(a[i]), width.as_unsigned(b[i]),
                width.bits};
  };
  for (const auto& [name, f] : kBinary) {
    const auto got = run(binary(name, width.element), a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(std::int64_t{got[i]}, width.stored(f(pair_at(i)))) << name << " " << +a[i] << " " << +b[i];
    }
  }
  for (const auto& [name, f] : kUnary) {
    const auto got = run(unary(name, width.element), a);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(std::int64_t{got[i]}, width.stored(f(pair_at(i)))) << name << " " << +a[i];
    }
  }
}

template <class Stored>
std::vector<Stored> range(int low, int high) {
  std::vector<Stored> all;
  for (int i = low; i <= high; ++i) all.push_back(static_cast<Stored>(i));
  return all;
}

TEST(IntegerTiles, CountI1Modulo2AndReadItsSignAsMinusOne) {
  expect_exact_arithmetic<std::int8_t>({Element::kI1, 1}, range<std::int8_t>(0, 1));
}
TEST(IntegerTiles, AreExactOnEveryPairOfI4) {
  expect_exact_arithmetic<std::int8_t>({Element::kI4, 4}, range<std::int8_t>(-8, 7));
}
TEST(IntegerTiles, AreExactOnEveryPairOfI8) {
  expect_exact_arithmetic<std::int8_t>({Element::kI8, 8}, range<std::int8_t>(-128, 127));
}
TEST(IntegerTiles, AreExactOnI16) {
  expect_exact_arithmetic({Element::kI16, 16}, integer_samples<std::int16_t>(200, 1));
}
TEST(IntegerTiles, AreExactOnI32) {
  expect_exact_arithmetic({Element::kI32, 32}, integer_samples<std::int32_t>(200, 2));
}
TEST(IntegerTiles, AreExactOnI64AndIndex) {
  expect_exact_arithmetic({Element::kI64, 64}, integer_samples<std::int64_t>(150, 3));
  expect_exact_arithmetic({Element::kIndex, 64}, integer_samples<std::int64_t>(150, 4));
}

TEST(IntegerTiles, DivisionByZeroAndOverflowHaveValuesAndDoNotTrap) {
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  const std::vector<std::int32_t> a{7, -7, kMin, 0}, b{0, 0, -1, 0};
  EXPECT_EQ(run(binary("arith.divsi", Element::kI32), a, b), (std::vector<std::int32_t>{-1, -1, kMin, -1}));
  EXPECT_EQ(run(binary("arith.remsi", Element::kI32), a, b), (std::vector<std::int32_t>{7, -7, 0, 0}));
  EXPECT_EQ(run(binary("arith.divui", Element::kI32), a, b), (std::vector<std::int32_t>{-1, -1, 0, -1}));
  EXPECT_EQ(run(binary("arith.remui", Element::kI32), a, b), (std::vector<std::int32_t>{7, -7, kMin, 0}));
}

TEST(IntegerTiles, TakeOneScalarForAWholeTile) {
  const auto a = integer_samples<std::int32_t>(333, 5);
  for (const auto& [name, f] : kBinary) {
    for (const std::int32_t scalar : {0, 1, -1, 5, 40}) {
      std::vector<std::int32_t> got(a.size());
      binary_with_scalar(name, Element::kI32)(a.data(), &scalar, got.data(), a.size());
      ASSERT_EQ(got, run(binary(name, Element::kI32), a, std::vector<std::int32_t>(a.size(), scalar))) << name;
    }
  }
}

}  // namespace
}  // namespace millrace::tile
