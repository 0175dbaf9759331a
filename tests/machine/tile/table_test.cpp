// SPDX-License-Identifier: Apache-2.0
// Which operation exists for which element type, and that everything else is null.
#include <gtest/gtest.h>

#include <set>

#include "samples.h"

namespace millrace::tile {
namespace {

constexpr Element kAll[] = {
    Element::kF32, Element::kBF16, Element::kF16,   Element::kF8E5M2,    Element::kF8E4M3FN,    Element::kF8E4M3B11FNUZ,
    Element::kF64, Element::kI1,   Element::kI2,    Element::kI4,        Element::kI8,          Element::kI16,
    Element::kI32, Element::kI64,  Element::kIndex, Element::kSemaphore, Element::kDmaSemaphore};

const std::set<Element> kFloats{Element::kF32, Element::kBF16, Element::kF16};
const std::set<Element> kEightBitFloats{Element::kF8E5M2, Element::kF8E4M3FN, Element::kF8E4M3B11FNUZ};
const std::set<Element> kIntegers{Element::kI1,  Element::kI4,  Element::kI8,   Element::kI16,
                                  Element::kI32, Element::kI64, Element::kIndex};

TEST(Tables, FloatOperationsTakeTheThreeFloats) {
  for (const Element e : kAll) {
    const bool there = kFloats.contains(e);
    for (const char* op : {"arith.negf", "math.absf", "math.ceil", "math.floor", "math.round", "math.roundeven",
                           "math.trunc", "math.sqrt", "math.rsqrt", "tpu.reciprocal", "math.exp", "math.exp2",
                           "math.log", "math.log1p", "math.tanh", "math.erf", "math.sin", "math.cos", "math.tan"}) {
      EXPECT_EQ(unary(op, e) != nullptr, there) << op;
    }
    for (const char* op : {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
                           "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.powf", "math.atan2"}) {
      EXPECT_EQ(binary(op, e) != nullptr, there) << op;
      EXPECT_EQ(binary_with_scalar(op, e) != nullptr, there) << op;
    }
    for (std::int64_t p = 0; p < 16; ++p) EXPECT_EQ(compare_floats(p, e) != nullptr, there);
    for (const char* kind : {"maximumf", "minimumf"}) EXPECT_EQ(reduce(kind, e) != nullptr, there) << kind;
  }
}

TEST(Tables, IntegerOperationsTakeEveryIntegerButI2) {
  for (const Element e : kAll) {
    const bool there = kIntegers.contains(e);
    for (const char* op : {"math.absi", "math.ctlz", "math.cttz", "math.ctpop"}) {
      EXPECT_EQ(unary(op, e) != nullptr, there) << op;
    }
    for (const char* op : {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui", "arith.remsi",
                           "arith.remui", "arith.andi", "arith.ori", "arith.xori", "arith.shli", "arith.shrsi",
                           "arith.shrui", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"}) {
      EXPECT_EQ(binary(op, e) != nullptr, there) << op;
      EXPECT_EQ(binary_with_scalar(op, e) != nullptr, there) << op;
    }
    for (std::int64_t p = 0; p < 10; ++p) EXPECT_EQ(compare_integers(p, e) != nullptr, there);
    const bool reduced = there && e != Element::kI64 && e != Element::kIndex;
    for (const char* kind : {"maxsi", "minsi", "maxui", "minui", "and", "or", "xor"}) {
      EXPECT_EQ(reduce(kind, e) != nullptr, reduced) << kind;
    }
    for (const char* kind : {"add", "mul"}) EXPECT_EQ(reduce(kind, e) != nullptr, reduced || kFloats.contains(e));
  }
}

TEST(Tables, ConversionsGoOneWay) {
  for (const Element e : kAll) {
    const bool half = e == Element::kBF16 || e == Element::kF16, quarter = kEightBitFloats.contains(e);
    EXPECT_EQ(convert("arith.extf", e, Element::kF32) != nullptr, half || quarter);
    EXPECT_EQ(convert("arith.truncf", Element::kF32, e) != nullptr, half || quarter);
    EXPECT_EQ(convert("arith.extf", e, Element::kBF16) != nullptr, quarter);
    EXPECT_EQ(convert("arith.truncf", Element::kF16, e) != nullptr, quarter);
    EXPECT_EQ(convert("extf", Element::kF32, e), nullptr);
    EXPECT_EQ(convert("truncf", e, Element::kF32), nullptr);
    EXPECT_EQ(convert("sitofp", e, Element::kF32) != nullptr, kIntegers.contains(e));
    EXPECT_EQ(convert("uitofp", e, Element::kF32) != nullptr, kIntegers.contains(e));
    EXPECT_EQ(convert("fptosi", Element::kF32, e) != nullptr, kIntegers.contains(e) && e != Element::kI1);
    EXPECT_EQ(convert("index_cast", e, Element::kIndex) != nullptr, kIntegers.contains(e) && e != Element::kIndex);
    EXPECT_EQ(convert("index_cast", Element::kIndex, e) != nullptr, kIntegers.contains(e) && e != Element::kIndex);
  }
  EXPECT_EQ(convert("index_cast", Element::kI32, Element::kI16), nullptr);
}

TEST(Tables, WhatDoesNotExistIsNull) {
  EXPECT_EQ(unary("math.cbrt", Element::kF32), nullptr);
  EXPECT_EQ(unary("arith.addf", Element::kF32), nullptr);
  EXPECT_EQ(binary("arith.negf", Element::kF32), nullptr);
  EXPECT_EQ(binary("addf", Element::kF32), nullptr);
  EXPECT_EQ(binary("arith.addf", Element::kI32), nullptr);
  EXPECT_EQ(binary("arith.addi", Element::kF32), nullptr);
  EXPECT_EQ(compare_floats(16, Element::kF32), nullptr);
  EXPECT_EQ(compare_floats(-1, Element::kF32), nullptr);
  EXPECT_EQ(compare_integers(10, Element::kI32), nullptr);
  EXPECT_EQ(compare_integers(-1, Element::kI32), nullptr);
  EXPECT_EQ(select(3), nullptr);
  EXPECT_EQ(select(0), nullptr);
  EXPECT_EQ(convert("arith.tof", Element::kF32, Element::kI32), nullptr);
  EXPECT_EQ(reduce("sub", Element::kF32), nullptr);
  EXPECT_EQ(reduce_index("arg_max", Element::kI32), nullptr);
  EXPECT_EQ(reduce_index("arg_mean", Element::kF32), nullptr);
}

TEST(Tables, SizesAreBytesInATile) {
  EXPECT_EQ(tile::size_in_bytes(Element::kF32), 4u);
  EXPECT_EQ(tile::size_in_bytes(Element::kBF16), 2u);
  EXPECT_EQ(tile::size_in_bytes(Element::kI1), 1u);
  EXPECT_EQ(tile::size_in_bytes(Element::kI4), 1u);
  EXPECT_EQ(tile::size_in_bytes(Element::kI16), 2u);
  EXPECT_EQ(tile::size_in_bytes(Element::kIndex), 8u);
  EXPECT_EQ(tile::size_in_bytes(Element::kDmaSemaphore), 0u);
}

}  // namespace
}  // namespace millrace::tile
