// SPDX-License-Identifier: Apache-2.0
// Moves of elements as operations of a module: gathers, rotations, repetitions; and the matrix unit by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tile_kernels.h"

namespace millrace::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kTile = "8x128xi32";

TEST(Gather, TakesFromEachColumnOrRowWhatTheIndicesSay) {
  const Array x = scrambled({8, 128});  // also the indices: modulo the size, negative ones from the end
  for (int dimension : {0, 1}) {
    const Array out =
        run_tile(x, kTile, kTile, {i32, {8, 128}},
                 "%r = \"tpu.dynamic_gather\"(%v, %v) {dimensions = array<i32: " + std::to_string(dimension) +
                     ">} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>");
    const std::int64_t n = dimension == 0 ? 8 : 128;
    for (std::int64_t r = 0; r < 8; ++r)
      for (std::int64_t c = 0; c < 128; ++c) {
        std::int64_t k = static_cast<std::int64_t>(x.at({r, c})) % n;
        if (k < 0) k += n;
        ASSERT_EQ(out.at({r, c}), dimension == 0 ? x.at({k, c}) : x.at({r, k}));
      }
  }
}

TEST(Gather, AlongTwoDimensionsIsRefused) {
  EXPECT_THAT(tile_error(scrambled({8, 128}), kTile, kTile, {i32, {8, 128}},
                         "%r = \"tpu.dynamic_gather\"(%v, %v) {dimensions = array<i32: 0, 1>} : (vector<8x128xi32>, "
                         "vector<8x128xi32>) -> vector<8x128xi32>"),
              AllOf(StartsWith("unsupported: "), HasSubstr("tpu.dynamic_gather along 2 dimensions")));
}

TEST(Rotate, AStrideTurnsEachRowFurther) {
  const Array x = scrambled({8, 128});
  const std::string type = "(vector<8x128xi32>, i32) -> vector<8x128xi32>";
  for (int amount : {3, -5, 1000}) {
    const Array out = run_tile(x, kTile, kTile, {i32, {8, 128}},
                               "%a = arith.constant " + std::to_string(amount) +
                                   " : i32\n%r = \"tpu.dynamic_rotate\"(%v, %a) {dimension = 1 : si32, stride = 50 : "
                                   "si32, stride_dimension = 0 : si32} : " +
                                   type);
    for (std::int64_t r = 0; r < 8; ++r)
      for (std::int64_t c = 0; c < 128; ++c)
        ASSERT_EQ(out.at({r, (((c + amount + 50 * r) % 128) + 128) % 128}), x.at({r, c}));
  }
}

TEST(Rotate, ByAnAmountInTheModuleIsTheSame) {
  const Array x = scrambled({8, 128});
  const Array out = run_tile(x, kTile, kTile, {i32, {8, 128}},
                             "%r = \"tpu.rotate\"(%v) {amount = 3 : si32, dimension = 0 : si32} : (vector<8x128xi32>) "
                             "-> vector<8x128xi32>");
  for (std::int64_t r = 0; r < 8; ++r) ASSERT_EQ(out.at({(r + 3) % 8, 7}), x.at({r, 7}));
}

TEST(Repeat, LaysCopiesSideBySide) {
  const Array x = scrambled({8, 128});
  const Array out = run_tile(x, kTile, "8x384xi32", {i32, {8, 384}},
                             "%r = \"tpu.repeat\"(%v) {dimension = 1 : i32, times = 3 : i32} : (vector<8x128xi32>) -> "
                             "vector<8x384xi32>");
  for (std::int64_t c = 0; c < 384; ++c) ASSERT_EQ(out.at({5, c}), x.at({5, c % 128}));
}

TEST(Extract, ARowOfAMatrixIsAVector) {
  const Array x = scrambled({8, 128});
  const Array out = run_tile(x, kTile, "1x128xi32", {i32, {1, 128}},
                             "%w = vector.extract %v[6] : vector<128xi32> from vector<8x128xi32>\n"
                             "%r = vector.shape_cast %w : vector<128xi32> to vector<1x128xi32>");
  for (std::int64_t c = 0; c < 128; ++c) ASSERT_EQ(out.at({0, c}), x.at({6, c}));
}

TEST(Extract, AtAPositionOfTheRunIsRefused) {
  EXPECT_THAT(tile_error(scrambled({8, 128}), kTile, "1x128xi32", {i32, {1, 128}},
                         "%w = vector.extract %v[%c0] : vector<128xi32> from vector<8x128xi32>\n"
                         "%r = vector.shape_cast %w : vector<128xi32> to vector<1x128xi32>"),
              AllOf(StartsWith("unsupported: "), HasSubstr("vector.extract at a position")));
}

// --- the matrix unit: x is 32 x 16, its first 16 rows the right side, its rows 16 to 31 the left.
const std::string kHalf = "vector<16x16xbf16>";
const std::string kSides =
    "%w = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [16, 16], strides = [1, 1]} "
    ": vector<32x16xbf16> to vector<16x16xbf16>\n"
    "%l = vector.extract_strided_slice %v {offsets = [16, 0], sizes = [16, 16], strides = [1, "
    "1]} : vector<32x16xbf16> to vector<16x16xbf16>\n";

std::string push(bool transpose) {
  return std::string("\"tpu.matmul_push_rhs\"(%w) {mxu_index = 0 : i32, staging_register = 1 : i32, transpose = ") +
         (transpose ? "true" : "false") + "} : (" + kHalf + ") -> ()\n";
}
const std::string kLoadAndMultiply =
    "\"tpu.matmul_acc_lhs\"(%l) {acc = 4 : i32, load_staged_rhs = 1 : i32, mxu_index = 0 : i32} : (" + kHalf +
    ") -> ()\n";
const std::string kMultiply =
    "\"tpu.matmul_acc_lhs\"(%l) {acc = 4 : i32, mxu_index = 0 : i32} : (" + kHalf + ") -> ()\n";
std::string pop(const std::string& name) {
  return name + " = \"tpu.matmul_pop\"() {acc = 4 : i32, mxu_index = 0 : i32} : () -> vector<16x16xf32>\n";
}

Array unit(const std::string& body) {
  Array x = counted(f32, {32, 16}, -200).cast(bf16);
  return run_tile(x, "32x16xbf16", "16x16xf32", {f32, {16, 16}}, kSides + body);
}

// times * (l @ w) of the same numbers, in whole numbers.
double product(std::int64_t row, std::int64_t column, bool transpose) {
  const Array x = counted(f32, {32, 16}, -200).cast(bf16);
  double sum = 0;
  for (std::int64_t k = 0; k < 16; ++k)
    sum += x.at({16 + row, k}) * (transpose ? x.at({column, k}) : x.at({k, column}));
  return sum;
}

void expect_products(const Array& out, int times, bool transpose) {
  for (std::int64_t r = 0; r < 16; ++r)
    for (std::int64_t c = 0; c < 16; ++c) ASSERT_EQ(out.at({r, c}), times * product(r, c, transpose)) << r << ' ' << c;
}

TEST(MatrixUnit, SumsProductsWithTheLoadedRightSide) {
  expect_products(unit(push(false) + kLoadAndMultiply + kMultiply + pop("%r")), 2, false);
}

TEST(MatrixUnit, ATransposedRightSideIsTurnedAsItIsPushed) {
  expect_products(unit(push(true) + kLoadAndMultiply + pop("%r")), 1, true);
}

TEST(MatrixUnit, APopLeavesZeros) {
  expect_products(unit(push(false) + kLoadAndMultiply + kMultiply + pop("%gone") + kMultiply + pop("%r")), 1, false);
}

TEST(MatrixUnit, WorksAcrossTheTurnsOfALoop) {
  const std::string loop =
      "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%n = arith.constant 3 : i32\n"
      "scf.for %i = %zero to %n step %one : i32 {\n" +
      kMultiply + "}\n";
  expect_products(unit(push(false) + kLoadAndMultiply + loop + pop("%r")), 4, false);
}

TEST(MatrixUnit, WhatWasNeverPutThereIsRefused) {
  EXPECT_THAT(error_of([] { unit(kLoadAndMultiply + pop("%r")); }),
              AllOf(StartsWith("unsupported: "), HasSubstr("nothing into the staging register")));
  EXPECT_THAT(error_of([] { unit(push(false) + pop("%r")); }),
              AllOf(StartsWith("unsupported: "), HasSubstr("nothing into the accumulator")));
}

TEST(Iota, CountsInNarrowIntegersModuloTheirWidth) {
  const Array bytes = run_tile(counted(i32, {8, 300}), "8x300xi32", "8x300xi8", {i8, {8, 300}},
                               "%r = \"tpu.iota\"() {dimensions = array<i32: 1>} : () -> vector<8x300xi8>");
  EXPECT_EQ(bytes.at({3, 127}), 127);
  EXPECT_EQ(bytes.at({3, 128}), -128);
  EXPECT_EQ(bytes.at({7, 299}), 43);
  const Array words = run_tile(counted(i32, {8, 300}), "8x300xi32", "8x300xi16", {i16, {8, 300}},
                               "%r = \"tpu.iota\"() {dimensions = array<i32: 0, 1>} : () -> vector<8x300xi16>");
  EXPECT_EQ(words.at({7, 299}), 2399);
}

TEST(Iota, OfFourBitsIsRefused) {
  EXPECT_THAT(tile_error(counted(i32, {8, 128}), kTile, "8x128xi4", {i8, {8, 128}},
                         "%r = \"tpu.iota\"() {dimensions = array<i32: 1>} : () -> vector<8x128xi4>"),
              AllOf(StartsWith("unsupported: "), HasSubstr("tpu.iota of vector<8x128xi4>")));
}

// lhs (2, 8, 3, 16) times rhs (16, 5, 4), summed over the dimensions of 8 and of 16 or 5.
Array product(const std::string& lhs, const std::string& rhs, const std::string& result, const std::string& numbers,
              const Shape& shape) {
  const std::string a = "vector<2x8x3x16xf32>", ref = vmem_type("2x8x3x16xf32"), out = vmem_type(result);
  const std::string zeros = "%c0 = arith.constant 0 : index\n";
  return run(module_of(kernel_text(
                 "%x: " + ref + ", %y: " + vmem_type(rhs) + ", %o: " + out,
                 zeros + "%a = vector.load %x[%c0, %c0, %c0, %c0] : " + ref + ", " + a +
                     "\n%b = vector.load %y[%c0, %c0" + (rhs == "8x5x4xf32" ? ", %c0" : "") + "] : " + vmem_type(rhs) +
                     ", vector<" + rhs + ">\n%z = arith.constant dense<0.0> : vector<" + result +
                     ">\n%r = \"tpu.matmul\"(%a, %b, %z) " + "{dimension_numbers = #tpu.dot_dimension_numbers<" +
                     numbers + ">, transpose_lhs = false, " +
                     "transpose_rhs = false, precision = #tpu.contract_precision<fp32>} : (" + a + ", vector<" + rhs +
                     ">, vector<" + result + ">) -> vector<" + result + ">\nvector.store %r, %o[" + lhs + "] : " + out +
                     ", vector<" + result + ">\n")),
             {counted(f32, {2, 8, 3, 16}), rhs == "8x5x4xf32" ? counted(f32, {8, 5, 4}) : counted(f32, {16, 4})},
             {{f32, shape}})
      .out();
}

TEST(Matmul, SeveralFreeDimensionsAreOneLoop) {
  const Array out = product("%c0, %c0, %c0, %c0", "16x4xf32", "2x8x3x4xf32",
                            "[3], [0], [0, 1, 2], [1], [0, 0, 0, 1, 0, 2, 1, 1], [], []", {2, 8, 3, 4});
  const Array x = counted(f32, {2, 8, 3, 16}), y = counted(f32, {16, 4});
  for (std::int64_t i = 0; i < 48; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < 16; ++k) sum += x.flat(i * 16 + k) * y.at({k, j});
      ASSERT_EQ(out.flat(i * 4 + j), sum);
    }
}

TEST(Matmul, FreeDimensionsAroundTheContractedOneAreTurnedFirst) {
  const Array out = product("%c0, %c0, %c0, %c0, %c0", "8x5x4xf32", "2x3x16x5x4xf32",
                            "[1], [0], [0, 2, 3], [1, 2], [0, 0, 0, 2, 0, 3, 1, 1, 1, 2], [], []", {2, 3, 16, 5, 4});
  const Array x = counted(f32, {2, 8, 3, 16}), y = counted(f32, {8, 5, 4});
  for (std::int64_t a : {0, 1})
    for (std::int64_t b = 0; b < 3; ++b)
      for (std::int64_t c : {0, 7, 15})
        for (std::int64_t d : {0, 4})
          for (std::int64_t e : {0, 3}) {
            double sum = 0;
            for (std::int64_t k = 0; k < 8; ++k) sum += x.at({a, k, b, c}) * y.at({k, d, e});
            ASSERT_EQ(out.at({a, b, c, d, e}), sum);
          }
}

}  // namespace
}  // namespace millrace::test
