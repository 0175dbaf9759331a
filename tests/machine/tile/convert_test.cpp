// SPDX-License-Identifier: Apache-2.0
// Conversions: all bit patterns of the 16-bit floats, every integer type to every other, and the ends of each range.
#include <gtest/gtest.h>

#include "samples.h"

namespace millrace::tile {
namespace {

template <class To, class From>
std::vector<To> converted(const char* op, Element from, Element to, const std::vector<From>& values) {
  std::vector<To> out(values.size());
  convert(op, from, to)(values.data(), out.data(), values.size());
  return out;
}

std::vector<std::uint16_t> all_halves() {
  std::vector<std::uint16_t> all(65'536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  return all;
}

template <class Half>
void expect_same_floats_as_arrays(Element half) {
  const auto all = all_halves();
  const auto wide = converted<float>("extf", half, Element::kF32, all);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(bits_of(wide[i]), bits_of(Half{all[i]}.to_float())) << i;

  std::vector<float> floats = float_samples(200'000, 1);
  for (const float exact : wide) {  // each half, and the floats around the middles between two of them
    for (const int step : {-1, 0, 1}) {
      floats.push_back(of_bits(bits_of(exact) + static_cast<std::uint32_t>(step)));
      floats.push_back(of_bits(bits_of(exact) + 0x1000u + static_cast<std::uint32_t>(step)));
      floats.push_back(of_bits(bits_of(exact) + 0x8000u + static_cast<std::uint32_t>(step)));
    }
  }
  const auto narrow = converted<std::uint16_t>("truncf", Element::kF32, half, floats);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(narrow[i], Half::from_float(floats[i]).bits) << std::hex << bits_of(floats[i]);
  }
}

TEST(Convert, AgreesWithArraysOnEveryBF16) { expect_same_floats_as_arrays<BFloat16>(Element::kBF16); }
TEST(Convert, AgreesWithArraysOnEveryF16) { expect_same_floats_as_arrays<Float16>(Element::kF16); }

// The 8-bit floats as their definitions have them: (-1)^s * 2^(e - bias) * 1.m, subnormals below, and no numbers.
struct Quarter {
  Element element;
  int mantissa, bias;
  bool infinities, unsigned_zero;

  double value(int code) const {
    const int magnitude = code & 0x7f, exponent = magnitude >> mantissa, fraction = magnitude & ((1 << mantissa) - 1);
    const double sign = code & 0x80 ? -1.0 : 1.0;
    if (unsigned_zero && code == 0x80) return std::nan("");
    if (infinities && exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
    if (!infinities && !unsigned_zero && magnitude == 0x7f) return std::nan("");
    const double one = std::ldexp(1.0, -mantissa);
    return sign *
           (exponent == 0 ? std::ldexp(fraction * one, 1 - bias) : std::ldexp(1 + fraction * one, exponent - bias));
  }
};

constexpr Quarter kQuarters[] = {{Element::kF8E5M2, 2, 15, true, false},
                                 {Element::kF8E4M3FN, 3, 7, false, false},
                                 {Element::kF8E4M3B11FNUZ, 3, 11, false, true}};

std::vector<std::uint8_t> all_bytes() {
  std::vector<std::uint8_t> all(256);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
  return all;
}

TEST(Convert, EachEightBitFloatIsTheF32ThatItsBitsSay) {
  for (const Quarter& q : kQuarters) {
    const auto wide = converted<float>("extf", q.element, Element::kF32, all_bytes());
    const auto half = converted<std::uint16_t>("extf", q.element, Element::kBF16, all_bytes());
    for (int code = 0; code < 256; ++code) {
      const double right = q.value(code);
      const float got = wide[static_cast<std::size_t>(code)];
      ASSERT_TRUE(std::isnan(right) ? std::isnan(got) : got == right) << code;
      ASSERT_EQ(std::signbit(got), (code & 0x80) != 0) << code;
      ASSERT_EQ(bits_of(BFloat16{half[static_cast<std::size_t>(code)]}.to_float()), bits_of(got)) << code;
    }
  }
}

// The nearest of all codes, the even one of two; past the middle to a next step that is not there, what lies beyond.
int nearest_code(const Quarter& q, float value) {
  const int largest = q.infinities ? 0x7b : q.unsigned_zero ? 0x7f : 0x7e;
  const int beyond = q.infinities ? 0x7c : q.unsigned_zero ? 0x80 : 0x7f;
  const int sign = std::signbit(value) ? 0x80 : 0, no_number = q.infinities ? 0x7e : beyond;
  if (std::isnan(value)) return sign | no_number;
  const double a = std::fabs(static_cast<double>(value));
  const double end = q.value(largest) + (q.value(largest) - q.value(largest - 1)) / 2;
  if (a > end || (a == end && largest % 2 != 0)) return sign | beyond;
  int best = 0;
  for (int code = 1; code <= largest; ++code) {
    const double d = std::fabs(q.value(code) - a), e = std::fabs(q.value(best) - a);
    if (d < e || (d == e && code % 2 == 0)) best = code;
  }
  return best == 0 && q.unsigned_zero ? 0 : sign | best;
}

TEST(Convert, FloatsAreRoundedToTheNearestEightBitFloat) {
  for (const Quarter& q : kQuarters) {
    std::vector<float> values = float_samples(3'000, 7);
    for (int code = 0; code < 256; ++code) {
      const auto exact = static_cast<float>(q.value(code));
      for (const std::uint32_t more : {0u, 1u, 0x7ffffu, 0x80000u, 0x80001u, 0xfffffu, 0x100000u, 0x100001u})
        values.push_back(of_bits(bits_of(exact) + more));
    }
    const auto got = converted<std::uint8_t>("truncf", Element::kF32, q.element, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(got[i], nearest_code(q, values[i])) << values[i] << " to " << static_cast<int>(q.element);
  }
}

TEST(Convert, IntegersBecomeTheNearestF32) {
  const auto values = integer_samples<std::int32_t>(5'000, 2);
  const auto as_signed = converted<float>("sitofp", Element::kI32, Element::kF32, values);
  const auto as_unsigned = converted<float>("uitofp", Element::kI32, Element::kF32, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(as_signed[i], static_cast<float>(static_cast<double>(values[i])));
    ASSERT_EQ(as_unsigned[i], static_cast<float>(static_cast<double>(static_cast<std::uint32_t>(values[i]))));
  }
}

// The nearest 16-bit float of an integer, found by trying all of them; ties go to the even one.
template <class Half>
std::uint16_t nearest_half(double value) {
  const std::uint16_t start = Half::from_float(static_cast<float>(value)).bits;
  std::uint16_t best = start;
  for (int step = -2; step <= 2; ++step) {
    const auto candidate = static_cast<std::uint16_t>(start + step);
    const double there = Half{candidate}.to_float(), so_far = Half{best}.to_float();
    if (!std::isfinite(there)) continue;
    const double d = std::fabs(there - value), e = std::fabs(so_far - value);
    if (d < e || (d == e && (candidate & 1) == 0)) best = candidate;
  }
  return best;
}

TEST(Convert, LargeIntegersAreRoundedOnceToBF16) {
  // 2^24 + 2^16 + 1 is just above the middle of two bf16; rounded to f32 first it would be the middle itself.
  std::vector<std::int32_t> values{(1 << 24) + (1 << 16) + 1,
                                   -((1 << 24) + (1 << 16) + 1),
                                   (1 << 30) + (1 << 22) + 1,
                                   (1 << 24) + (1 << 16),
                                   std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::max()};
  for (const std::int32_t v : integer_samples<std::int32_t>(3'000, 3)) values.push_back(v);
  const auto got = converted<std::uint16_t>("sitofp", Element::kI32, Element::kBF16, values);
  const auto as_unsigned = converted<std::uint16_t>("uitofp", Element::kI32, Element::kBF16, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(got[i], nearest_half<BFloat16>(values[i])) << values[i];
    ASSERT_EQ(as_unsigned[i], nearest_half<BFloat16>(static_cast<std::uint32_t>(values[i]))) << values[i];
  }
}

TEST(Convert, TrueIsMinusOneWhenReadWithItsSign) {
  const std::vector<std::int8_t> bits{0, 1};
  EXPECT_EQ((converted<float>("sitofp", Element::kI1, Element::kF32, bits)), (std::vector<float>{0.0f, -1.0f}));
  EXPECT_EQ((converted<float>("uitofp", Element::kI1, Element::kF32, bits)), (std::vector<float>{0.0f, 1.0f}));
  EXPECT_EQ((converted<std::int32_t>("extsi", Element::kI1, Element::kI32, bits)), (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ((converted<std::int32_t>("extui", Element::kI1, Element::kI32, bits)), (std::vector<std::int32_t>{0, 1}));
}

template <class Stored>
void expect_truncation(Element to, long double low, long double high, bool is_signed) {
  const auto values = float_samples(30'000, 4);
  const auto got = converted<Stored>(is_signed ? "fptosi" : "fptoui", Element::kF32, to, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    long double whole = std::isnan(values[i]) ? 0.0L : std::trunc(static_cast<long double>(values[i]));
    whole = std::min(std::max(whole, low), high);
    const long double read = is_signed || got[i] >= 0 ? static_cast<long double>(got[i]) : got[i] + high + 1.0L;
    ASSERT_EQ(read, whole) << values[i] << " gives " << +got[i];
  }
}

TEST(Convert, FloatsAreTruncatedAndClampedAndNaNIsZero) {
  expect_truncation<std::int8_t>(Element::kI4, -8, 7, true);
  expect_truncation<std::int8_t>(Element::kI8, -128, 127, true);
  expect_truncation<std::int16_t>(Element::kI16, -32768, 32767, true);
  expect_truncation<std::int32_t>(Element::kI32, -2147483648.0L, 2147483647.0L, true);
  expect_truncation<std::int64_t>(Element::kI64, -9223372036854775808.0L, 9223372036854775807.0L, true);
  expect_truncation<std::int8_t>(Element::kI4, 0, 15, false);
  expect_truncation<std::int8_t>(Element::kI8, 0, 255, false);
  expect_truncation<std::int16_t>(Element::kI16, 0, 65535, false);
  expect_truncation<std::int32_t>(Element::kI32, 0, 4294967295.0L, false);
}

struct IntegerType {
  Element element;
  int bits;
  std::size_t bytes;
};
constexpr IntegerType kIntegers[] = {{Element::kI1, 1, 1},   {Element::kI4, 4, 1},   {Element::kI8, 8, 1},
                                     {Element::kI16, 16, 2}, {Element::kI32, 32, 4}, {Element::kI64, 64, 8}};

std::int64_t low_bits(std::int64_t v, int bits, bool sign) {
  if (bits == 64) return v;
  const std::int64_t u = v & ((std::int64_t{1} << bits) - 1);
  return sign && (u >> (bits - 1)) != 0 ? u - (std::int64_t{1} << bits) : u;
}

// As tiles store it: i1 as 0 or 1, all others with their sign, little-endian.
std::vector<std::uint8_t> stored(const std::vector<std::int64_t>& values, const IntegerType& type) {
  std::vector<std::uint8_t> bytes;
  for (const std::int64_t v : values) {
    const std::int64_t s = low_bits(v, type.bits, type.bits != 1);
    for (std::size_t i = 0; i < type.bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(s >> (8 * i)));
  }
  return bytes;
}

TEST(Convert, EveryIntegerTypeToEveryOther) {
  const auto values = integer_samples<std::int64_t>(300, 5);
  for (const auto& from : kIntegers) {
    for (const auto& to : kIntegers) {
      for (const std::string op : {"extsi", "extui", "trunci"}) {
        const Unary f = convert(op, from.element, to.element);
        ASSERT_EQ(f != nullptr, op == "trunci" ? from.bits > to.bits : from.bits < to.bits);
        if (!f) continue;
        std::vector<std::int64_t> read;
        for (const std::int64_t v : values) read.push_back(low_bits(v, from.bits, op != "extui"));
        std::vector<std::uint8_t> got(values.size() * to.bytes);
        f(stored(values, from).data(), got.data(), values.size());
        ASSERT_EQ(got, stored(read, to)) << op << " from " << from.bits << " to " << to.bits;
      }
    }
  }
}

TEST(Convert, IndexCastsKeepTheSignOrNot) {
  const std::vector<std::int32_t> values{-1, 5, std::numeric_limits<std::int32_t>::min()};
  EXPECT_EQ((converted<std::int64_t>("index_cast", Element::kI32, Element::kIndex, values)),
            (std::vector<std::int64_t>{-1, 5, -2147483648}));
  EXPECT_EQ((converted<std::int64_t>("arith.index_castui", Element::kI32, Element::kIndex, values)),
            (std::vector<std::int64_t>{4294967295, 5, 2147483648}));
  const std::vector<std::int64_t> wide{-1, (std::int64_t{1} << 32) + 7};
  EXPECT_EQ((converted<std::int32_t>("index_cast", Element::kIndex, Element::kI32, wide)),
            (std::vector<std::int32_t>{-1, 7}));
}

TEST(Convert, BitcastKeepsEveryBit) {
  const std::vector<std::uint32_t> bits{0u, 0x80000000u, 0x7f800001u, 0xffffffffu, 0x3f800000u};
  EXPECT_EQ((converted<std::uint32_t>("bitcast", Element::kI32, Element::kF32, bits)), bits);
  EXPECT_EQ((converted<std::uint32_t>("bitcast", Element::kF32, Element::kI32, bits)), bits);
  EXPECT_EQ((converted<std::uint16_t>("bitcast", Element::kBF16, Element::kI16, all_halves())), all_halves());
  EXPECT_EQ(convert("bitcast", Element::kI32, Element::kBF16), nullptr);
  EXPECT_EQ(convert("bitcast", Element::kI4, Element::kI8), nullptr);
}

TEST(Convert, WeirdIsWhatIsNotFinite) {
  const auto values = float_samples(2'000, 6);
  const auto got = converted<std::uint8_t>("tpu.weird", Element::kF32, Element::kI1, values);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(got[i], std::isfinite(values[i]) ? 0 : 1) << values[i];
}

}  // namespace
}  // namespace millrace::tile
