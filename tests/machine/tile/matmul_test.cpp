// SPDX-License-Identifier: Apache-2.0
// Matrix products against three plain loops.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "millrace/error.h"
#include "samples.h"

namespace millrace::tile {
namespace {

// (batch, row, k) and (batch, k, column), or with the last two the other way round in memory.
Matmul problem(std::int64_t batch, std::int64_t rows, std::int64_t columns, std::int64_t depth, bool lhs_turned,
               bool rhs_turned, Element operands, Element out) {
  Matmul m{batch,    rows,     columns, depth, {rows * depth, depth, 1}, {depth * columns, columns, 1},
           operands, operands, out,     false};
  if (lhs_turned) m.lhs_stride[1] = 1, m.lhs_stride[2] = rows;
  if (rhs_turned) m.rhs_stride[1] = 1, m.rhs_stride[2] = depth;
  return m;
}

// The stated sum: in double, from the accumulator, k ascending, rounded once.
template <class L, class R>
std::vector<float> naive(const Matmul& m, L lhs, R rhs, const std::vector<float>& accumulator) {
  std::vector<float> out;
  for (std::int64_t b = 0; b < m.batch; ++b) {
    for (std::int64_t i = 0; i < m.rows; ++i) {
      for (std::int64_t j = 0; j < m.columns; ++j) {
        double sum = accumulator[out.size()];
        for (std::int64_t k = 0; k < m.depth; ++k) {
          sum += static_cast<double>(lhs(b * m.lhs_stride[0] + i * m.lhs_stride[1] + k * m.lhs_stride[2])) *
                 static_cast<double>(rhs(b * m.rhs_stride[0] + k * m.rhs_stride[1] + j * m.rhs_stride[2]));
        }
        out.push_back(static_cast<float>(sum));
      }
    }
  }
  return out;
}

std::vector<float> moderate(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> all(count);
  for (float& x : all) x = static_cast<float>(random()) / 0x1p31f - 1.0f;
  return all;
}

Matmul some_problem(Element operands, Element out) {
  auto size = [](int limit) { return *rc::gen::inRange<std::int64_t>(1, limit); };
  return problem(size(4), size(20), size(40), size(50), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                 operands, out);
}

std::size_t lhs_size(const Matmul& m) { return static_cast<std::size_t>(m.batch * m.rows * m.depth); }
std::size_t rhs_size(const Matmul& m) { return static_cast<std::size_t>(m.batch * m.depth * m.columns); }
std::size_t out_size(const Matmul& m) { return static_cast<std::size_t>(m.batch * m.rows * m.columns); }

RC_GTEST_PROP(Matmul, IsTheStatedSumBitForBitInEveryLayout, ()) {
  Matmul m = some_problem(Element::kF32, Element::kF32);
  m.round_f32_operands_to_bf16 = *rc::gen::arbitrary<bool>();
  const auto lhs = moderate(lhs_size(m), 1), rhs = moderate(rhs_size(m), 2), start = moderate(out_size(m), 3);
  std::vector<float> out(out_size(m) + 1, 77.0f);
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  auto seen = [&](float x) { return m.round_f32_operands_to_bf16 ? BFloat16::from_float(x).to_float() : x; };
  auto expected = naive(
      m, [&](std::int64_t i) { return seen(lhs[static_cast<std::size_t>(i)]); },
      [&](std::int64_t i) { return seen(rhs[static_cast<std::size_t>(i)]); }, start);
  expected.push_back(77.0f);
  for (std::size_t i = 0; i < out.size(); ++i) RC_ASSERT(bits_of(out[i]) == bits_of(expected[i]));
}

template <class Half>
void expect_half_product(Element element) {
  const Matmul m = problem(2, 9, 17, 33, true, false, element, Element::kF32);
  std::vector<std::uint16_t> lhs, rhs;
  for (const float x : moderate(lhs_size(m), 4)) lhs.push_back(Half::from_float(x).bits);
  for (const float x : moderate(rhs_size(m), 5)) rhs.push_back(Half::from_float(x).bits);
  const std::vector<float> start(out_size(m), 0.0f);
  std::vector<float> out(out_size(m));
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  EXPECT_EQ(out, naive(
                     m, [&](std::int64_t i) { return Half{lhs[static_cast<std::size_t>(i)]}.to_float(); },
                     [&](std::int64_t i) { return Half{rhs[static_cast<std::size_t>(i)]}.to_float(); }, start));
}

TEST(Matmul, TakesBF16AndF16Operands) {
  expect_half_product<BFloat16>(Element::kBF16);
  expect_half_product<Float16>(Element::kF16);
}

TEST(Matmul, MayBeWrittenOverItsAccumulator) {
  const Matmul m = problem(1, 6, 11, 20, false, false, Element::kF32, Element::kF32);
  const auto lhs = moderate(lhs_size(m), 6), rhs = moderate(rhs_size(m), 7);
  auto start = moderate(out_size(m), 8);
  std::vector<float> out(out_size(m));
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  matmul(m, lhs.data(), rhs.data(), start.data(), start.data());
  EXPECT_EQ(out, start);
}

TEST(Matmul, GivesTheOneNaNAndInfinity) {
  const Matmul m = problem(1, 1, 2, 2, false, false, Element::kF32, Element::kF32);
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> lhs{inf, 1.0f}, rhs{0.0f, 1.0f, 2.0f, 3.0f}, start{0.0f, 0.0f};
  std::vector<float> out(2);
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  EXPECT_EQ(bits_of(out[0]), kCanonicalNaN);  // infinity times zero
  EXPECT_EQ(out[1], inf);
}

template <class Stored>
void expect_wrapping_product(Element element) {
  const Matmul m = problem(2, 7, 35, 19, false, true, element, Element::kI32);
  auto lhs = integer_samples<Stored>(lhs_size(m), 1), rhs = integer_samples<Stored>(rhs_size(m), 2);
  if (element == Element::kI4) {
    for (auto* side : {&lhs, &rhs}) {
      for (Stored& x : *side) x = static_cast<Stored>((x & 15) - 8);
    }
  }
  const auto start = integer_samples<std::int32_t>(out_size(m), 3);
  std::vector<std::int32_t> out(out_size(m));
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  std::size_t at = 0;
  for (std::int64_t b = 0; b < m.batch; ++b) {
    for (std::int64_t i = 0; i < m.rows; ++i) {
      for (std::int64_t j = 0; j < m.columns; ++j, ++at) {
        auto sum = static_cast<std::uint64_t>(start[at]);
        for (std::int64_t k = 0; k < m.depth; ++k) {
          const auto x = static_cast<std::size_t>(b * m.lhs_stride[0] + i * m.lhs_stride[1] + k * m.lhs_stride[2]);
          const auto y = static_cast<std::size_t>(b * m.rhs_stride[0] + k * m.rhs_stride[1] + j * m.rhs_stride[2]);
          sum += static_cast<std::uint64_t>(std::int64_t{lhs[x]} * std::int64_t{rhs[y]});
        }
        ASSERT_EQ(out[at], static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)));
      }
    }
  }
}

TEST(Matmul, SumsIntegersModulo2To32) {
  expect_wrapping_product<std::int8_t>(Element::kI4);
  expect_wrapping_product<std::int8_t>(Element::kI8);
  expect_wrapping_product<std::int16_t>(Element::kI16);
  expect_wrapping_product<std::int32_t>(Element::kI32);
}

TEST(Matmul, TakesAFloatAndAnIntegerSideIntoF32) {
  Matmul m = problem(2, 5, 18, 13, false, true, Element::kBF16, Element::kF32);
  m.rhs = Element::kI8;
  std::vector<std::uint16_t> lhs;
  for (const float x : moderate(lhs_size(m), 9)) lhs.push_back(BFloat16::from_float(x).bits);
  const auto rhs = integer_samples<std::int8_t>(rhs_size(m), 10);
  const auto start = moderate(out_size(m), 11);
  std::vector<float> out(out_size(m));
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  EXPECT_EQ(out, naive(
                     m, [&](std::int64_t i) { return BFloat16{lhs[static_cast<std::size_t>(i)]}.to_float(); },
                     [&](std::int64_t i) { return rhs[static_cast<std::size_t>(i)]; }, start));
}

TEST(Matmul, TakesEightBitFloats) {
  Matmul m = problem(1, 3, 2, 4, false, false, Element::kF8E4M3FN, Element::kF32);
  m.rhs = Element::kF8E5M2;
  const std::vector<std::uint8_t> lhs{0x38, 0x40, 0xb8, 0x00, 0x38, 0x38, 0x38, 0x38, 0x01, 0x7e, 0x30, 0x08},
      rhs{0x3c, 0x40, 0xbc, 0x3c, 0x3c, 0x3c, 0x01, 0x7b};
  const std::vector<float> a{1, 2, -1, 0, 1, 1, 1, 1, 0x1p-9f, 448, 0.5f, 0x1p-6f},
      b{1, 2, -1, 1, 1, 1, 0x1p-16f, 57344};
  const std::vector<float> start(6, 0.0f);
  std::vector<float> out(6);
  matmul(m, lhs.data(), rhs.data(), start.data(), out.data());
  EXPECT_EQ(out, naive(
                     m, [&](std::int64_t i) { return a[static_cast<std::size_t>(i)]; },
                     [&](std::int64_t i) { return b[static_cast<std::size_t>(i)]; }, start));
}

TEST(Matmul, WithoutDepthIsTheAccumulator) {
  const Matmul m = problem(1, 2, 3, 0, false, false, Element::kF32, Element::kF32);
  const std::vector<float> start{1, 2, 3, 4, 5, 6};
  std::vector<float> out(6);
  matmul(m, nullptr, nullptr, start.data(), out.data());
  EXPECT_EQ(out, start);
}

TEST(Matmul, RefusesTypesThatItDoesNotMultiply) {
  const auto types = [](Element lhs, Element rhs, Element out) {
    Matmul m = problem(1, 1, 1, 1, false, false, lhs, out);
    m.rhs = rhs;
    return matmul_supported(m);
  };
  EXPECT_TRUE(types(Element::kBF16, Element::kF32, Element::kF32));
  EXPECT_TRUE(types(Element::kI8, Element::kI4, Element::kI32));
  EXPECT_FALSE(types(Element::kF32, Element::kF32, Element::kBF16));
  EXPECT_TRUE(types(Element::kI8, Element::kF32, Element::kF32));
  EXPECT_TRUE(types(Element::kF8E5M2, Element::kF8E4M3FN, Element::kF32));
  EXPECT_FALSE(types(Element::kI32, Element::kF32, Element::kF32));  // the products are not exact in double
  EXPECT_FALSE(types(Element::kI8, Element::kF32, Element::kI32));
  float x = 0.0f;
  EXPECT_THROW(matmul(problem(1, 1, 1, 1, false, false, Element::kF64, Element::kF64), &x, &x, &x, &x), Error);
}

}  // namespace
}  // namespace millrace::tile
