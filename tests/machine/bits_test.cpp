// SPDX-License-Identifier: Apache-2.0
// Operations that look into the bits of elements: bitcasts of any width, words packed of parts, stochastic rounding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tile_kernels.h"

namespace millrace::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::uint32_t word(const Array& a, std::int64_t row, std::int64_t column, std::int64_t columns = 128) {
  return static_cast<std::uint32_t>(a.as<std::int32_t>()[static_cast<std::size_t>(row * columns + column)]);
}

TEST(Bitcast, ToNarrowerElementsPutsTheLowBitsInTheFirstRow) {
  const Array x = scrambled({8, 128});
  const Array half = run_tile(x, "8x128xi32", "16x128xi16", {i16, {16, 128}},
                              "%r = \"tpu.bitcast\"(%v) : (vector<8x128xi32>) -> vector<16x128xi16>");
  const Array bytes = run_tile(x, "8x128xi32", "32x128xi8", {i8, {32, 128}},
                               "%r = \"tpu.bitcast\"(%v) : (vector<8x128xi32>) -> vector<32x128xi8>");
  for (std::int64_t r = 0; r < 8; ++r)
    for (std::int64_t c = 0; c < 128; ++c) {
      for (std::int64_t k = 0; k < 2; ++k)
        ASSERT_EQ(half.at({2 * r + k, c}), static_cast<std::int16_t>(word(x, r, c) >> (16 * k)));
      for (std::int64_t k = 0; k < 4; ++k)
        ASSERT_EQ(bytes.at({4 * r + k, c}), static_cast<std::int8_t>(word(x, r, c) >> (8 * k)));
    }
}

TEST(Bitcast, ThereAndBackIsTheSameForEveryWidth) {
  const Array x = scrambled({16, 128});
  for (const char* narrow : {"32x128xi16", "32x128xbf16", "64x128xi8", "128x128xi4"}) {
    const std::string type = std::string("vector<") + narrow + ">";
    const Array back = run_tile(x, "16x128xi32", "16x128xi32", {i32, {16, 128}},
                                "%n = \"tpu.bitcast\"(%v) : (vector<16x128xi32>) -> " + type +
                                    "\n%r = \"tpu.bitcast\"(%n) : (" + type + ") -> vector<16x128xi32>");
    EXPECT_TRUE(same_bits(back, x)) << narrow;
  }
}

TEST(Bitcast, ToFourBitsGivesSignedNibblesTheLowestInTheFirstRow) {
  const Array x = scrambled({8, 128});
  const Array out = run_tile(x, "8x128xi32", "64x128xi32", {i32, {64, 128}},
                             "%n = \"tpu.bitcast\"(%v) : (vector<8x128xi32>) -> vector<64x128xi4>\n"
                             "%r = arith.extsi %n : vector<64x128xi4> to vector<64x128xi32>");
  for (std::int64_t r = 0; r < 8; ++r)
    for (std::int64_t c = 0; c < 128; ++c)
      for (std::int64_t k = 0; k < 8; ++k) {
        const auto nibble = static_cast<int>(word(x, r, c) >> (4 * k) & 15);
        ASSERT_EQ(out.at({8 * r + k, c}), nibble < 8 ? nibble : nibble - 16);
      }
}

TEST(Bitcast, OfOneWidthKeepsEveryBitOfANaN) {
  Array x(i32, {8, 128});
  x.as<std::int32_t>()[5] = 0x7f812345;
  const Array out = run_tile(x, "8x128xi32", "8x128xf32", {f32, {8, 128}},
                             "%r = \"tpu.bitcast\"(%v) : (vector<8x128xi32>) -> vector<8x128xf32>");
  EXPECT_EQ(std::bit_cast<std::uint32_t>(out.as<float>()[5]), 0x7f812345u);
}

TEST(Bitcast, OfSingleBitsIsRefused) {
  EXPECT_THAT(tile_error(scrambled({32, 128}), "32x128xi32", "1x128xi32", {i32, {1, 128}},
                         "%m = arith.trunci %v : vector<32x128xi32> to vector<32x128xi1>\n"
                         "%r = \"tpu.bitcast\"(%m) : (vector<32x128xi1>) -> vector<1x128xi32>"),
              AllOf(StartsWith("unsupported: "), HasSubstr("tpu.bitcast from vector<32x128xi1>")));
}

TEST(Pack, BFloatsAreRoundedAndTheFirstIsInTheLowBits) {
  Array x(f32, {8, 128});
  for (std::size_t i = 0; i < 1024; ++i)
    x.as<float>()[i] = std::ldexp(1.0f + static_cast<float>(i) / 1000, static_cast<int>(i % 7));
  const Array out = run_tile(x, "8x128xf32", "8x128xi32", {i32, {8, 128}},
                             "%h = arith.addf %v, %v : vector<8x128xf32>\n%n = arith.negf %h : vector<8x128xf32>\n"
                             "%r = \"tpu.pack_elementwise\"(%v, %n) {target_type = bf16} : (vector<8x128xf32>, "
                             "vector<8x128xf32>) -> vector<8x128xi32>");
  for (std::size_t i = 0; i < 1024; ++i) {
    const float v = x.as<float>()[i];
    const std::uint32_t expected =
        BFloat16::from_float(v).bits | static_cast<std::uint32_t>(BFloat16::from_float(-2 * v).bits) << 16;
    ASSERT_EQ(static_cast<std::uint32_t>(out.as<std::int32_t>()[i]), expected);
  }
}

TEST(Pack, EachPartComesBackAsItWas) {
  Array x(f32, {8, 128});
  for (std::size_t i = 0; i < 1024; ++i) x.as<float>()[i] = static_cast<float>(static_cast<int>(i % 256) - 128);
  for (int part = 0; part < 2; ++part) {
    const Array out =
        run_tile(x, "8x128xf32", "8x128xf32", {f32, {8, 128}},
                 "%n = arith.negf %v : vector<8x128xf32>\n%p = \"tpu.pack_elementwise\"(%v, %n) {target_type = bf16} : "
                 "(vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xi32>\n%r = \"tpu.unpack_elementwise\"(%p) "
                 "{index = " +
                     std::to_string(part) +
                     " : i32, source_type = bf16} : (vector<8x128xi32>) -> "
                     "vector<8x128xf32>");
    for (std::size_t i = 0; i < 1024; ++i) ASSERT_EQ(out.as<float>()[i], (part ? -1 : 1) * x.as<float>()[i]);
  }
}

TEST(Pack, IntegersAreCutAndComeBackWithTheirSign) {
  const Array x = scrambled({8, 128});
  const Array out = run_tile(x, "8x128xi32", "8x128xi32", {i32, {8, 128}},
                             "%p = \"tpu.pack_elementwise\"(%v, %v, %v, %v) {target_type = i8} : (vector<8x128xi32>, "
                             "vector<8x128xi32>, vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>\n"
                             "%r = \"tpu.unpack_elementwise\"(%p) {index = 3 : i32, source_type = i8} : "
                             "(vector<8x128xi32>) -> vector<8x128xi32>");
  for (std::size_t i = 0; i < 1024; ++i)
    ASSERT_EQ(out.as<std::int32_t>()[i], static_cast<std::int8_t>(x.as<std::int32_t>()[i]));
}

TEST(Pack, EightBitFloatsAreRoundedAndComeBack) {
  const Array out =
      run_tile(counted(f32, {8, 128}), "8x128xf32", "8x128xf32", {f32, {8, 128}},
               "%p = \"tpu.pack_elementwise\"(%v, %v, %v, %v) {target_type = f8E5M2} : (vector<8x128xf32>, "
               "vector<8x128xf32>, vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xi32>\n"
               "%r = \"tpu.unpack_elementwise\"(%p) {index = 2 : i32, source_type = f8E5M2} : "
               "(vector<8x128xi32>) -> vector<8x128xf32>");
  EXPECT_EQ(out.flat(3), 3);
  EXPECT_EQ(out.flat(9), 8);  // between 8 and 10, to the even one
  EXPECT_EQ(out.flat(11), 12);
  EXPECT_EQ(out.flat(1000), 1024);
}

Array stochastic(const Array& x, std::int32_t random) {
  return run_tile(x, "8x128xf32", "8x128xbf16", {bf16, {8, 128}},
                  "%b = arith.constant dense<" + std::to_string(random) +
                      "> : vector<8x128xi32>\n%r = \"tpu.stochastic_convert\"(%v, %b) : (vector<8x128xf32>, "
                      "vector<8x128xi32>) -> vector<8x128xbf16>");
}

TEST(StochasticConvert, TheRandomBitsDecideBetweenTheTwoNeighbours) {
  Array x(f32, {8, 128});
  auto v = x.as<float>();
  v[0] = 1.0f, v[1] = 1.0f + 0x1p-9f, v[2] = -1.0f - 0x1p-9f, v[3] = INFINITY, v[4] = NAN, v[5] = -0.0f;
  const Array down = stochastic(x, 0), up = stochastic(x, -1), half = stochastic(x, 0x1234bfff);
  EXPECT_EQ(down.flat(0), 1.0);
  EXPECT_EQ(up.flat(0), 1.0);
  EXPECT_EQ(down.flat(1), 1.0);
  EXPECT_EQ(up.flat(1), 1.0 + 0x1p-7);
  EXPECT_EQ(half.flat(1), 1.0);  // 0x4000 of 0x10000 are lost: an addition of 0xc000 would round up
  EXPECT_EQ(up.flat(2), -1.0 - 0x1p-7);
  EXPECT_EQ(up.flat(3), INFINITY);
  EXPECT_TRUE(is_nan(up, 4));
  EXPECT_TRUE(std::signbit(up.flat(5)));
}

TEST(Weird, IsTrueOfInfinitiesAndNaN) {
  Array x(f32, {8, 128});
  x.as<float>()[0] = INFINITY, x.as<float>()[1] = -INFINITY, x.as<float>()[2] = NAN, x.as<float>()[3] = 3e38f;
  const Array out = run_tile(x, "8x128xf32", "8x128xi32", {i32, {8, 128}},
                             "%w = \"tpu.weird\"(%v) : (vector<8x128xf32>) -> vector<8x128xi1>\n"
                             "%r = arith.extui %w : vector<8x128xi1> to vector<8x128xi32>");
  EXPECT_EQ(std::vector<double>({out.flat(0), out.flat(1), out.flat(2), out.flat(3), out.flat(4)}),
            std::vector<double>({1, 1, 1, 0, 0}));
}

}  // namespace
}  // namespace millrace::test
