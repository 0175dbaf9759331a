// SPDX-License-Identifier: Apache-2.0
// Reductions against the stated order done naively, and against sums in long double.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "machine/tile/strided.h"
#include "samples.h"

namespace millrace::tile {
namespace {

using Index = std::vector<std::int64_t>;

// The places of the elements that fold into each result, in row-major order.
std::vector<std::vector<std::size_t>> groups(const Index& shape, const Index& dimensions) {
  std::map<Index, std::vector<std::size_t>> by_result;
  Index index(shape.size(), 0);
  const auto count = static_cast<std::size_t>(elements_in(shape));
  for (std::size_t i = 0; i < count; ++i) {
    Index kept;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end()) kept.push_back(index[d]);
    }
    by_result[kept].push_back(i);
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
  std::vector<std::vector<std::size_t>> all;
  for (auto& [kept, members] : by_result) all.push_back(members);
  return all;
}

struct Problem {
  Index shape, dimensions;
  std::size_t results() const { return groups(shape, dimensions).size(); }
};

Problem some_problem() {
  Problem p;
  p.shape = *rc::gen::container<Index>(*rc::gen::inRange<std::size_t>(1, 5), rc::gen::inRange<std::int64_t>(1, 40));
  while (elements_in(p.shape) > 20'000) p.shape.pop_back();
  for (std::size_t d = 0; d < p.shape.size(); ++d) {
    if (*rc::gen::arbitrary<bool>()) p.dimensions.push_back(static_cast<std::int64_t>(d));
  }
  return p;
}

// The order of docs/semantics.md, word by word: 16 partial sums, halved, then the accumulator.
double sum_as_stated(const std::vector<double>& values, double accumulator) {
  double partial[16];
  std::fill(partial, partial + 16, -0.0);
  for (std::size_t e = 0; e < values.size(); ++e) partial[e % 16] += values[e];
  for (int l = 0; l < 8; ++l) partial[l] += partial[l + 8];
  for (int l = 0; l < 4; ++l) partial[l] += partial[l + 4];
  for (int l = 0; l < 2; ++l) partial[l] += partial[l + 2];
  return accumulator + (partial[0] + partial[1]);
}

RC_GTEST_PROP(ReduceAdd, IsTheStatedSumWhateverTheDimensions, ()) {
  const Problem p = some_problem();
  const auto in = float_samples(static_cast<std::size_t>(elements_in(p.shape)), *rc::gen::arbitrary<std::uint32_t>());
  const auto start = float_samples(p.results() + 64, 3);
  std::vector<float> out(p.results() + 1, 77.0f);
  reduce("add", Element::kF32)({p.shape, p.dimensions}, in.data(), start.data() + 64, out.data());
  const auto all = groups(p.shape, p.dimensions);
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::vector<double> values;
    for (const std::size_t i : all[r]) values.push_back(in[i]);
    const auto expected = static_cast<float>(sum_as_stated(values, start[64 + r]));
    RC_ASSERT(bits_of(out[r]) == (std::isnan(expected) ? kCanonicalNaN : bits_of(expected)));
  }
  RC_ASSERT(out.back() == 77.0f);
}

TEST(ReduceAdd, IsWithinHalfAnUlpOfTheExactSum) {
  std::mt19937 random(5);
  std::vector<float> in(24 * 256);
  for (float& x : in) x = static_cast<float>(random()) / 0x1p31f - 1.0f;
  const Index shape{24, 256};
  for (const std::int64_t d : {0, 1}) {
    const Index dimensions{d};
    const auto all = groups(shape, dimensions);
    const std::vector<float> zero(all.size(), 0.0f);
    std::vector<float> out(all.size());
    reduce("add", Element::kF32)({shape, dimensions}, in.data(), zero.data(), out.data());
    for (std::size_t r = 0; r < all.size(); ++r) {
      long double exact = 0.0L;
      for (const std::size_t i : all[r]) exact += in[i];
      EXPECT_LE(ulps(out[r], exact), 0.501);
    }
  }
}

TEST(ReduceAdd, KeepsMinusZeroWhereEverythingIsMinusZero) {
  const std::vector<float> in(40, -0.0f), minus{-0.0f}, plus{0.0f};
  const Index shape{40}, dimensions{0};
  float out = 1.0f;
  reduce("add", Element::kF32)({shape, dimensions}, in.data(), minus.data(), &out);
  EXPECT_EQ(bits_of(out), 0x80000000u);
  reduce("add", Element::kF32)({shape, dimensions}, in.data(), plus.data(), &out);
  EXPECT_EQ(bits_of(out), 0u);
}

TEST(ReduceAdd, DoesNotOverflowOnTheWayToASmallSum) {
  const std::vector<float> in{3e38f, 3e38f, -3e38f, -3e38f}, zero{0.0f};
  const Index shape{4}, dimensions{0};
  float out = 1.0f;
  reduce("add", Element::kF32)({shape, dimensions}, in.data(), zero.data(), &out);
  EXPECT_EQ(out, 0.0f);
}

template <class Half>
void expect_half_sum(Element element) {
  std::vector<std::uint16_t> in;
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) {
    in.push_back(Half::from_float(static_cast<float>(i % 7) * 0.37f).bits);
    values.push_back(Half{in.back()}.to_float());
  }
  const std::uint16_t start = Half::from_float(0.125f).bits;
  const Index shape{300}, dimensions{0};
  std::uint16_t out = 0;
  reduce("add", element)({shape, dimensions}, in.data(), &start, &out);
  EXPECT_EQ(out, Half::from_float(static_cast<float>(sum_as_stated(values, 0.125))).bits);
}

TEST(ReduceAdd, RoundsHalvesOnlyAtTheEnd) {
  expect_half_sum<BFloat16>(Element::kBF16);
  expect_half_sum<Float16>(Element::kF16);
}

TEST(ReduceMul, IsTheProductInDouble) {
  const std::vector<float> in{1.5f, -2.0f, 0.25f, 3.0f, 1e30f, 1e30f, 1e-30f, 1e-30f}, start{2.0f};
  const Index shape{8}, dimensions{0};
  float out = 0.0f;
  reduce("mul", Element::kF32)({shape, dimensions}, in.data(), start.data(), &out);
  EXPECT_LE(ulps(out, -4.5L * static_cast<long double>(1e30f) * 1e30f * 1e-30f * 1e-30f), 0.501);
}

RC_GTEST_PROP(ReduceExtremes, AgreeWithTheBinaryOperationTakenInAnyOrder, ()) {
  const Problem p = some_problem();
  auto in = float_samples(static_cast<std::size_t>(elements_in(p.shape)) + 64, *rc::gen::arbitrary<std::uint32_t>());
  if (*rc::gen::arbitrary<bool>()) {
    for (float& x : in) x = std::isnan(x) ? -0.0f : x;
  }
  const std::vector<float> start(p.results(), *rc::gen::element(0.0f, -0.0f, -1e30f, 1e30f));
  for (const std::string kind : {"maximumf", "minimumf"}) {
    std::vector<float> out(p.results());
    reduce(kind, Element::kF32)({p.shape, p.dimensions}, in.data() + 64, start.data(), out.data());
    const Binary step = binary("arith." + kind, Element::kF32);
    const auto all = groups(p.shape, p.dimensions);
    for (std::size_t r = 0; r < all.size(); ++r) {
      float expected = start[r];
      for (const std::size_t i : all[r]) step(&expected, &in[64 + i], &expected, 1);
      RC_ASSERT(bits_of(out[r]) == bits_of(expected));
    }
  }
}

template <class Stored>
void expect_integer_folds(Element element, std::vector<Stored> in) {
  const Index shape{5, static_cast<std::int64_t>(in.size() / 35), 7};
  in.resize(static_cast<std::size_t>(elements_in(shape)));
  const std::pair<const char*, const char*> kinds[] = {
      {"add", "arith.addi"},    {"mul", "arith.muli"},    {"maxsi", "arith.maxsi"},
      {"minsi", "arith.minsi"}, {"maxui", "arith.maxui"}, {"minui", "arith.minui"},
      {"and", "arith.andi"},    {"or", "arith.ori"},      {"xor", "arith.xori"}};
  for (const Index& dimensions : {Index{0}, Index{1}, Index{2}, Index{0, 2}, Index{0, 1, 2}, Index{}}) {
    const auto all = groups(shape, dimensions);
    for (const auto& [kind, op] : kinds) {
      std::vector<Stored> start(all.size(), 1), out(all.size());
      reduce(kind, element)({shape, dimensions}, in.data(), start.data(), out.data());
      for (std::size_t r = 0; r < all.size(); ++r) {
        Stored expected = start[r];
        for (const std::size_t i : all[r]) binary(op, element)(&expected, &in[i], &expected, 1);
        ASSERT_EQ(out[r], expected) << kind;
      }
    }
  }
}

TEST(ReduceIntegers, AgreeWithTheBinaryOperation) {
  std::vector<std::int8_t> bits, nibbles, bytes;
  for (int i = 0; i < 350; ++i) {
    bits.push_back(static_cast<std::int8_t>(i * i % 3 == 1));
    nibbles.push_back(static_cast<std::int8_t>(i * 7 % 16 - 8));
    bytes.push_back(static_cast<std::int8_t>(i * 37));
  }
  expect_integer_folds(Element::kI1, bits);
  expect_integer_folds(Element::kI4, nibbles);
  expect_integer_folds(Element::kI8, bytes);
  expect_integer_folds(Element::kI16, integer_samples<std::int16_t>(700, 1));
  expect_integer_folds(Element::kI32, integer_samples<std::int32_t>(700, 2));
}

TEST(ReduceIndex, TheFirstOfEqualsAndTheFirstNaNWin) {
  const float nan = std::nanf("");
  const std::vector<float> in{1, 3, 3, 2, /**/ -1, nan, 5, nan, /**/ 0.0f, -0.0f, 0.0f, -1, /**/ nan, 9, 9, 9};
  const Index shape{4, 4}, last{1}, first{0};
  std::vector<std::int32_t> out(4);
  reduce_index("arg_max", Element::kF32)({shape, last}, in.data(), out.data());
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 1, 0, 0}));
  reduce_index("arg_min", Element::kF32)({shape, last}, in.data(), out.data());
  EXPECT_EQ(out, (std::vector<std::int32_t>{0, 1, 3, 0}));
  reduce_index("arg_max", Element::kF32)({shape, first}, in.data(), out.data());
  EXPECT_EQ(out, (std::vector<std::int32_t>{3, 1, 3, 1}));
}

}  // namespace
}  // namespace millrace::tile
