// SPDX-License-Identifier: Apache-2.0
// Random elementwise programs on all kinds of numbers: NaN, infinities, zeros of both signs, subnormals, the ends of
// integer ranges. The CPU gives the simulator's bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "millrace/millrace.h"

namespace millrace {
namespace {

constexpr std::int64_t kRows = 8, kColumns = 128;
const Shape kShape{kRows, kColumns};

template <class T, class Word>
Array odd(DType dtype, std::mt19937& random, std::initializer_list<T> special) {
  Array a(dtype, kShape);
  for (Word& v : a.as<Word>()) {
    v = static_cast<Word>(random());
    if (random() % 3 == 0) v = std::bit_cast<Word>(special.begin()[random() % special.size()]);
  }
  return a;
}

// All bits, and often those that arithmetic treats in a way of their own.
Array numbers(DType dtype, std::mt19937& random) {
  using F = std::numeric_limits<float>;
  using I = std::numeric_limits<std::int32_t>;
  switch (dtype) {
    case DType::f32:
      return odd<float, std::uint32_t>(dtype, random,
                                       {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 2.5f, -3.5f, F::infinity(), -F::infinity(),
                                        F::quiet_NaN(), F::denorm_min(), F::max(), F::min(), 3e9f, -3e9f, 100.25f});
    case DType::bf16:
    case DType::f16:
      return odd<std::uint16_t, std::uint16_t>(
          dtype, random, {0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x0001, 0x7c00, 0xfc00, 0x3c00, 0x7e00});
    case DType::i16: return odd<std::int16_t, std::uint16_t>(dtype, random, {0, 1, -1, 32767, -32768, 16, 15});
    case DType::i8: return odd<std::int8_t, std::uint8_t>(dtype, random, {0, 1, -1, 127, -128, 8, 7});
    default: return odd<std::int32_t, std::uint32_t>(dtype, random, {0, 1, -1, I::max(), I::min(), 31, 32, 33});
  }
}

class Expression {
 public:
  Expression(DType dtype, unsigned seed) : dtype_(dtype), random_(seed) {}

  Value of(std::vector<Value> pool) {
    for (int k = 0; k < 14; ++k) pool.push_back(is_float(dtype_) ? of_floats(pool) : of_integers(pool));
    return pool.back();
  }

 private:
  std::size_t draw(std::size_t n) { return random_() % n; }
  Value any(const std::vector<Value>& pool) {
    return pool[pool.size() - 1 - draw(std::min<std::size_t>(pool.size(), 6))];
  }

  Value of_floats(const std::vector<Value>& pool) {
    const Value a = any(pool), b = any(pool);
    switch (draw(20)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return a / b;
      case 4: return max(a, b);
      case 5: return min(a, b);
      case 6: return -a;
      case 7: return abs(a);
      case 8: return sqrt(a);
      case 9: return rsqrt(a);
      case 10: return exp(a);
      case 11: return log(a);
      case 12: return tanh(a);
      case 13: return floor(a);
      case 14: return ceil(a);
      case 15: return round(a);
      case 16: return select(a < b, a, b);
      case 17: return select(a != b, b, a);
      case 18: return cast(cast(a, DType::i32), dtype_);
      default: return cast(cast(a, DType::f32), dtype_) + 1.5f;
    }
  }

  Value of_integers(const std::vector<Value>& pool) {
    const Value a = any(pool), b = any(pool);
    switch (draw(17)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return a / b;
      case 4: return a % b;
      case 5: return a & b;
      case 6: return a | b;
      case 7: return a ^ b;
      case 8: return a << b;
      case 9: return a >> b;
      case 10: return max(a, b);
      case 11: return min(a, b);
      case 12: return abs(a);
      case 13: return select(a == b, a, b + a);
      case 14: return select(a >= b, a, b);
      case 15: return cast(cast(a, DType::f32), dtype_);
      default: return -a;
    }
  }

  DType dtype_;
  std::mt19937 random_;
};

Kernel random_kernel(DType dtype, unsigned seed) {
  const BlockSpec all{kShape, [](Index) { return block(0, 0); }};
  return grid_kernel("random",
                     [=](Ref x, Ref y, Ref out) {
                       out.store(Expression(dtype, seed).of({x.load(), y.load()}));
                     },
                     {.grid = {1}, .in = {all, all}, .out = {all}});
}

// In hexadecimal: the first element that differs, and what it was computed from.
std::string first_difference(const Array& got, const Array& right, const std::vector<Array>& in) {
  const std::size_t bytes = size_of(right.dtype());
  const auto bits = [&](const Array& a, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, a.data() + at * bytes, bytes);
    return fmt::format("{:#x}", word);
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(right.size()); ++i)
    if (bits(got, i) != bits(right, i))
      return fmt::format("element {} is {}, not {}, of {} and {}", i, bits(got, i), bits(right, i), bits(in[0], i),
                         bits(in[1], i));
  return "";
}

void expect_same_bits(DType dtype, unsigned seeds) {
  int ran = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Array> in{numbers(dtype, random), numbers(dtype, random)};
    const Kernel kernel = random_kernel(dtype, seed);
    try {
      const Array right = run(kernel, in)[0], got = NativeKernel(kernel, in, {.threads = 1}).run(in)[0];
      EXPECT_EQ(first_difference(got, right, in), "") << "seed " << seed;
      ++ran;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUser) throw;  // an operation that the language does not have for this dtype
    }
  }
  EXPECT_GT(ran, 0);
}

TEST(RandomExpressions, OfF32) { expect_same_bits(DType::f32, 40); }
TEST(RandomExpressions, OfBf16) { expect_same_bits(DType::bf16, 25); }
TEST(RandomExpressions, OfF16) { expect_same_bits(DType::f16, 25); }
TEST(RandomExpressions, OfI32) { expect_same_bits(DType::i32, 40); }
TEST(RandomExpressions, OfI16) { expect_same_bits(DType::i16, 20); }
TEST(RandomExpressions, OfI8) { expect_same_bits(DType::i8, 20); }

}  // namespace
}  // namespace millrace
