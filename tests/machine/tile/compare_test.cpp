// SPDX-License-Identifier: Apache-2.0
// Every predicate of cmpi and cmpf on every pair of corners, and select.
#include <gtest/gtest.h>

#include <functional>

#include "samples.h"

namespace millrace::tile {
namespace {

bool unordered(float a, float b) { return std::isnan(a) || std::isnan(b); }

// In MLIR's numbering.
const std::function<bool(float, float)> kFloatPredicates[] = {
    [](float, float) { return false; },
    [](float a, float b) { return a == b; },
    [](float a, float b) { return a > b; },
    [](float a, float b) { return a >= b; },
    [](float a, float b) { return a < b; },
    [](float a, float b) { return a <= b; },
    [](float a, float b) { return !unordered(a, b) && a != b; },
    [](float a, float b) { return !unordered(a, b); },
    [](float a, float b) { return unordered(a, b) || a == b; },
    [](float a, float b) { return unordered(a, b) || a > b; },
    [](float a, float b) { return unordered(a, b) || a >= b; },
    [](float a, float b) { return unordered(a, b) || a < b; },
    [](float a, float b) { return unordered(a, b) || a <= b; },
    [](float a, float b) { return a != b; },
    [](float a, float b) { return unordered(a, b); },
    [](float, float) { return true; },
};

TEST(CompareFloats, HoldsEveryPredicateOnEveryPairOfCorners) {
  std::vector<float> a, b;
  all_pairs(float_corners(), a, b);
  for (std::int64_t p = 0; p < 16; ++p) {
    std::vector<std::uint8_t> got(a.size(), 9);
    compare_floats(p, Element::kF32)(a.data(), b.data(), got.data(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(got[i], kFloatPredicates[p](a[i], b[i]) ? 1 : 0) << "predicate " << p << ": " << a[i] << ", " << b[i];
    }
  }
}

TEST(CompareFloats, ReadsHalvesAsTheNumbersTheyAre) {
  const std::vector<float> values{0.0f, -0.0f, 1.5f, -2.0f, std::numeric_limits<float>::infinity(), std::nanf("")};
  std::vector<float> a, b;
  all_pairs(values, a, b);
  std::vector<std::uint16_t> a16, b16, af, bf;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a16.push_back(BFloat16::from_float(a[i]).bits);
    b16.push_back(BFloat16::from_float(b[i]).bits);
    af.push_back(Float16::from_float(a[i]).bits);
    bf.push_back(Float16::from_float(b[i]).bits);
  }
  for (std::int64_t p = 0; p < 16; ++p) {
    std::vector<std::uint8_t> bf16_result(a.size()), f16_result(a.size());
    compare_floats(p, Element::kBF16)(a16.data(), b16.data(), bf16_result.data(), a.size());
    compare_floats(p, Element::kF16)(af.data(), bf.data(), f16_result.data(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(bf16_result[i], kFloatPredicates[p](a[i], b[i]) ? 1 : 0) << p;
      ASSERT_EQ(f16_result[i], kFloatPredicates[p](a[i], b[i]) ? 1 : 0) << p;
    }
  }
}

// JAX writes `x != y` as "ordered and not equal", so that a NaN test by x != x never holds.
TEST(CompareFloats, NotEqualAndOrderedIsFalseOnNaN) {
  const float nan = std::nanf("");
  std::uint8_t result = 9;
  compare_floats(6, Element::kF32)(&nan, &nan, &result, 1);
  EXPECT_EQ(result, 0);
  compare_floats(13, Element::kF32)(&nan, &nan, &result, 1);
  EXPECT_EQ(result, 1);
}

template <class Stored>
void expect_integer_predicates(Element element, const std::vector<Stored>& samples, std::uint64_t mask, bool is_i1) {
  std::vector<Stored> a, b;
  all_pairs(samples, a, b);
  for (std::int64_t p = 0; p < 10; ++p) {
    std::vector<std::uint8_t> got(a.size(), 9);
    compare_integers(p, element)(a.data(), b.data(), got.data(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::int64_t s = is_i1 ? -a[i] : a[i], t = is_i1 ? -b[i] : b[i];
      const std::uint64_t u = static_cast<std::uint64_t>(a[i]) & mask, v = static_cast<std::uint64_t>(b[i]) & mask;
      const bool expected[] = {s == t, s != t, s<t, s <= t, s> t, s >= t, u<v, u <= v, u> v, u >= v};
      ASSERT_EQ(got[i], expected[p] ? 1 : 0) << "predicate " << p << ": " << +a[i] << ", " << +b[i];
    }
  }
}

TEST(CompareIntegers, HoldsEveryPredicateSignedAndUnsigned) {
  std::vector<std::int8_t> nibbles, bytes;
  for (int i = -8; i < 8; ++i) nibbles.push_back(static_cast<std::int8_t>(i));
  for (int i = -128; i < 128; ++i) bytes.push_back(static_cast<std::int8_t>(i));
  expect_integer_predicates<std::int8_t>(Element::kI1, {0, 1}, 1, true);
  expect_integer_predicates(Element::kI4, nibbles, 0xf, false);
  expect_integer_predicates(Element::kI8, bytes, 0xff, false);
  expect_integer_predicates(Element::kI16, integer_samples<std::int16_t>(100, 1), 0xffff, false);
  expect_integer_predicates(Element::kI32, integer_samples<std::int32_t>(100, 2), 0xffffffff, false);
  expect_integer_predicates(Element::kI64, integer_samples<std::int64_t>(100, 3), ~std::uint64_t{0}, false);
  expect_integer_predicates(Element::kIndex, integer_samples<std::int64_t>(100, 4), ~std::uint64_t{0}, false);
}

template <class Word>
void expect_selection() {
  std::vector<std::uint8_t> condition(101);
  std::vector<Word> a(101), b(101), out(102, Word{77});
  for (std::size_t i = 0; i < 101; ++i) {
    condition[i] = static_cast<std::uint8_t>(i * i % 3 == 1);
    a[i] = static_cast<Word>(0x9e3779b97f4a7c15u * (i + 1));
    b[i] = static_cast<Word>(~a[i]);
  }
  select(sizeof(Word))(condition.data(), a.data(), b.data(), out.data(), 101);
  for (std::size_t i = 0; i < 101; ++i) ASSERT_EQ(out[i], condition[i] != 0 ? a[i] : b[i]) << i;
  EXPECT_EQ(out[101], Word{77});
  select(sizeof(Word))(condition.data(), a.data(), b.data(), b.data(), 101);  // over an operand
  out.pop_back();
  EXPECT_EQ(out, b);
}

TEST(Select, TakesWholeElementsOfEverySize) {
  expect_selection<std::uint8_t>();
  expect_selection<std::uint16_t>();
  expect_selection<std::uint32_t>();
  expect_selection<std::uint64_t>();
}

TEST(Select, KeepsTheBitsOfASignallingNaN) {
  const std::uint8_t yes = 1;
  const std::uint32_t signalling = 0xff800001u, other = 0;
  std::uint32_t out = 0;
  select(4)(&yes, &signalling, &other, &out, 1);
  EXPECT_EQ(out, signalling);
}

}  // namespace
}  // namespace millrace::tile
