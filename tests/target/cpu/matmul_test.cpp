// SPDX-License-Identifier: Apache-2.0
// Against plain sums in double, within the bound that matmul.h states.
#include "target/cpu/matmul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "millrace/error.h"
#include "target/cpu/matmul_loops.h"

namespace millrace::target {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
constexpr float kCanary = 77;

using Product = decltype(&matmul);

// A product to do: operands with a few elements of canary behind each row.
struct Task {
  std::int64_t m, n, k;
  bool trans_a = false, trans_b = false, accumulate = false;
  Packing packing = Packing::kF32;
  std::int64_t gap = 0;

  std::int64_t a_stride() const { return (trans_a ? m : k) + gap; }
  std::int64_t b_stride() const { return (trans_b ? k : n) + gap; }
  std::int64_t c_stride() const { return n + gap; }
};

std::vector<float> noise(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> out;
  for (std::int64_t i = 0; i < n; ++i)
    out.push_back(std::ldexp(static_cast<float>(random() % 20001) - 10000, static_cast<int>(random() % 8) - 16));
  return out;
}

std::uint16_t upper_half(float value) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16); }

// An independent rounding: of the two neighbours the nearer, of two equally near the even one.
float nearest_bf16(float value) {
  const float below = std::bit_cast<float>(std::uint32_t{upper_half(value)} << 16);
  const float above = std::bit_cast<float>((std::uint32_t{upper_half(value)} + 1) << 16);
  const double down = std::abs(double(value) - below),
               up = std::abs((std::isinf(above) ? std::copysign(0x1p128, above) : above) - value);
  if (down != up) return down < up ? below : above;
  return upper_half(value) % 2 == 0 ? below : above;
}

double value_of_bf16(std::uint16_t h) {
  const int exponent = h >> 7 & 255, fraction = h & 127;
  const double size = exponent ? std::ldexp(128 + fraction, exponent - 134) : std::ldexp(fraction, -133);
  return h >> 15 ? -size : size;
}

// The numbers that are multiplied.
std::vector<double> taken(const std::vector<float>& values, Packing packing) {
  std::vector<double> out;
  for (const float v : values) {
    switch (packing) {
      case Packing::kF32: out.push_back(v); break;
      case Packing::kRoundedToBf16: out.push_back(nearest_bf16(v)); break;
      case Packing::kBf16: out.push_back(value_of_bf16(upper_half(v))); break;
    }
  }
  return out;
}

// The largest |difference| / bound; more than 1 is wrong. Canaries between the rows of c must have survived.
double worst(const Task& t, Product product) {
  const std::vector<float> a = noise((t.trans_a ? t.k : t.m) * t.a_stride() + 1, 1);
  const std::vector<float> b = noise((t.trans_b ? t.n : t.k) * t.b_stride() + 1, 2);
  const std::vector<float> before = t.accumulate
                                        ? noise(t.m * t.c_stride(), 3)
                                        : std::vector<float>(static_cast<std::size_t>(t.m * t.c_stride()), kNan);
  std::vector<float> c = before;
  for (std::int64_t i = 0; i < t.m; ++i)
    for (std::int64_t j = t.n; j < t.c_stride(); ++j) c[static_cast<std::size_t>(i * t.c_stride() + j)] = kCanary;
  std::vector<std::uint16_t> narrow_a, narrow_b;
  for (float v : a) narrow_a.push_back(upper_half(v));
  for (float v : b) narrow_b.push_back(upper_half(v));
  const bool narrow = t.packing == Packing::kBf16;
  const auto data = [&](const auto& wide, const auto& thin) -> const void* {
    return narrow ? static_cast<const void*>(thin.data()) : wide.data();
  };
  product(t.m, t.n, t.k, {data(a, narrow_a), t.a_stride(), t.trans_a, t.packing},
          {data(b, narrow_b), t.b_stride(), t.trans_b, t.packing}, c.data(), t.c_stride(), t.accumulate);
  const std::vector<double> left = taken(a, t.packing), right = taken(b, t.packing);
  double most = 0;
  for (std::int64_t i = 0; i < t.m; ++i) {
    for (std::int64_t j = 0; j < t.c_stride(); ++j) {
      const double got = c[static_cast<std::size_t>(i * t.c_stride() + j)];
      if (j >= t.n) {
        if (got != kCanary) return INFINITY;
        continue;
      }
      const double start = t.accumulate ? before[static_cast<std::size_t>(i * t.c_stride() + j)] : 0;
      double sum = start, size = std::abs(start);
      for (std::int64_t l = 0; l < t.k; ++l) {
        const std::int64_t at_a = t.trans_a ? l * t.a_stride() + i : i * t.a_stride() + l;
        const std::int64_t at_b = t.trans_b ? j * t.b_stride() + l : l * t.b_stride() + j;
        const double term = left[static_cast<std::size_t>(at_a)] * right[static_cast<std::size_t>(at_b)];
        sum += term, size += std::abs(term);
      }
      const double bound = static_cast<double>(t.k + 1) * std::ldexp(size, -24) + 1e-300;
      most = std::isnan(got) ? INFINITY : std::max(most, std::abs(got - sum) / bound);
    }
  }
  return most;
}

std::vector<Task> tasks() {
  std::vector<Task> all;
  const std::int64_t sizes[][3] = {{1, 1, 1},       {1, 1, 100},   {1, 37, 5},    {37, 1, 5},
                                   {3, 5, 1},       {17, 19, 23},  {8, 128, 128}, {33, 65, 129},
                                   {128, 128, 128}, {5, 300, 260}, {130, 7, 500}};
  for (const auto& [m, n, k] : sizes)
    for (int bits = 0; bits < 8; ++bits)
      for (Packing packing : {Packing::kF32, Packing::kRoundedToBf16, Packing::kBf16})
        all.push_back({m, n, k, bits % 2 != 0, bits / 2 % 2 != 0, bits / 4 != 0, packing, (m + bits) % 4});
  return all;
}

std::string words(const Task& t) {
  return ::testing::PrintToString(std::vector<std::int64_t>{t.m, t.n, t.k, t.trans_a, t.trans_b, t.accumulate,
                                                            static_cast<std::int64_t>(t.packing), t.gap});
}

TEST(Matmul, IsWithinItsBoundOfSumsInDouble) {
  for (const Task& t : tasks()) EXPECT_LE(worst(t, matmul), 1) << words(t);
}

TEST(Matmul, TheLoopsThatStandInAreWithinTheSameBound) {
  for (const Task& t : tasks()) {
    if (t.packing != Packing::kF32) continue;
    EXPECT_LE(worst(t, matmul_by_loops), 1) << words(t);
  }
}

// The twins that the tests above must refuse.
void without_rounding(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b,
                      float* c, std::int64_t c_stride, bool accumulate) {
  matmul(m, n, k, {a.data, a.row_stride, a.transposed}, {b.data, b.row_stride, b.transposed}, c, c_stride, accumulate);
}

void one_term_short(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b, float* c,
                    std::int64_t c_stride, bool accumulate) {
  matmul(m, n, k - 1, a, b, c, c_stride, accumulate);
}

void past_the_row(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b, float* c,
                  std::int64_t c_stride, bool accumulate) {
  matmul(m, n, k, a, b, c, c_stride, accumulate);
  if (c_stride > n) c[n] = 0;
}

TEST(Matmul, ProductsThatAreWrongAreSeen) {
  const Task plain{33, 65, 129}, round{33, 65, 129, false, false, false, Packing::kRoundedToBf16};
  Task gap = plain;
  gap.gap = 2;
  EXPECT_GT(worst(round, without_rounding), 1);
  EXPECT_GT(worst(plain, one_term_short), 1);
  EXPECT_GT(worst(gap, past_the_row), 1);
}

TEST(Matmul, RoundsAsTheNearestBf16AndKeepsWhatIsNoNumber) {
  std::vector<float> in{1.0f, 0x1.01p0f, 0x1.03p0f, 0x1.010001p0f, -0x1.01p0f, 3.4e38f, 1e-45f, -0.0f, kInf, -kInf};
  const std::vector<float> more = noise(1000, 9);
  in.insert(in.end(), more.begin(), more.end());
  std::vector<float> out(in.size());
  pack({in.data(), 1, false, Packing::kRoundedToBf16}, static_cast<std::int64_t>(in.size()), 1, out.data());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float right = std::isinf(in[i]) ? in[i] : nearest_bf16(in[i]);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(right)) << in[i];
  }
  const float nans[] = {kNan, std::bit_cast<float>(0x7F800001), std::bit_cast<float>(0xFFFFFFFF)};
  pack({nans, 3, false, Packing::kRoundedToBf16}, 1, 3, out.data());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(out[static_cast<std::size_t>(i)])) << i;
}

TEST(Matmul, NansInfinitiesAndSmallNumbersComeThrough) {
  const std::int64_t n = 40;
  std::vector<float> a(static_cast<std::size_t>(n * n), 1), b = a, c = a;
  a[0] = kNan, a[static_cast<std::size_t>(n)] = kInf, b[3] = 0;
  matmul(n, n, n, {a.data(), n}, {b.data(), n}, c.data(), n, false);
  for (std::int64_t j = 0; j < n; ++j) EXPECT_TRUE(std::isnan(c[static_cast<std::size_t>(j)])) << j;
  EXPECT_TRUE(std::isnan(c[static_cast<std::size_t>(n + 3)]));  // an infinity times zero
  EXPECT_EQ(c[static_cast<std::size_t>(n)], kInf);
  EXPECT_EQ(c[static_cast<std::size_t>(2 * n)], static_cast<float>(n));
  const float tiny = 1e-41f;  // subnormal: not flushed
  std::fill(a.begin(), a.end(), tiny);
  matmul(n, n, n, {a.data(), n}, {b.data(), n}, c.data(), n, false);
  EXPECT_GT(c[5], 0);
}

TEST(Matmul, WithoutTermsTheSumIsZeroAndWithoutElementsNothingHappens) {
  std::vector<float> c{1, 2, 3, 4};
  matmul(2, 2, 0, {nullptr, 0}, {nullptr, 2}, c.data(), 2, true);
  EXPECT_THAT(c, ::testing::ElementsAre(1, 2, 3, 4));
  matmul(2, 2, 0, {nullptr, 0}, {nullptr, 2}, c.data(), 2, false);
  EXPECT_THAT(c, ::testing::Each(0.0f));
  EXPECT_NO_THROW(matmul(0, 2, 2, {nullptr, 2}, {c.data(), 2}, nullptr, 2, false));
}

TEST(Matmul, SizesAndStridesThatCannotBeAreRefused) {
  std::vector<float> c(16, kCanary);
  EXPECT_THROW(matmul(-1, 2, 2, {c.data(), 2}, {c.data(), 2}, c.data(), 2, false), Error);
  EXPECT_THROW(matmul(2, 2, 2, {c.data(), 1}, {c.data(), 2}, c.data(), 2, false), Error);
  EXPECT_THROW(matmul(2, 2, 2, {c.data(), 2}, {c.data(), 2}, c.data(), 1, false), Error);
  EXPECT_THAT(c, ::testing::Each(kCanary));
}

TEST(Matmul, ManyThreadsGetTheSameBits) {
  const std::int64_t n = 96;
  const std::vector<float> a = noise(n * n, 4), b = noise(n * n, 5);
  const auto once = [&] {
    std::vector<float> c(static_cast<std::size_t>(n * n));
    matmul(n, n, n, {a.data(), n, false, Packing::kRoundedToBf16}, {b.data(), n, true}, c.data(), n, false);
    return c;
  };
  const std::vector<float> alone = once();
  std::vector<std::thread> threads;
  std::vector<int> same(8, 0);
  for (std::size_t t = 0; t < same.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) same[t] += once() == alone;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_THAT(same, ::testing::Each(20));
}

TEST(Matmul, SaysWhatMultiplies) {
  EXPECT_THAT(matmul_library(), ::testing::AnyOf(::testing::StartsWith("oneDNN "), ::testing::HasSubstr("own")));
}

}  // namespace
}  // namespace millrace::target
