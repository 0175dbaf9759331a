// SPDX-License-Identifier: Apache-2.0
// Arithmetic on one element, as MLIR operations: the bits that the tile arithmetic gives (docs/semantics.md, N), with
// one rounding an operation and nothing fused. Lives behind emit_*.cpp, which alone include MLIR.
#pragma once

#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinTypes.h>

#include <span>

#include "program/program.h"

namespace millrace::cpu {

using mosaic::Element;

// An element on its way through an expression: its stored bits, an integer of its bytes, or what arithmetic sees (f32
// for all floats, i1 for bools), or both.
struct Lane {
  mlir::Value raw, seen;
  Element as = Element::kI32;  // what `seen` is of
  bool dirty = false;          // `seen` is f32 and may be a NaN that is not N2's
};

class Arithmetic {
 public:
  // Of one element; or, with `lanes`, of so many at once, in vectors.
  Arithmetic(mlir::OpBuilder& builder, mlir::Location at, std::int64_t lanes = 0)
      : b_(builder), at_(at), lanes_(lanes) {}

  static bool knows(const program::Elementwise& e);
  Lane apply(const program::Elementwise& e, std::span<Lane> operands);
  Lane select(Lane condition, Lane a, Lane b, unsigned bytes);
  mlir::Value raw(Lane& lane);
  mlir::Value see(Lane& lane, Element e);  // as arithmetic on e sees it

 private:
  mlir::Value is_nan(mlir::Value bits);
  mlir::Value clean(Lane& lane, Element e);  // seen, and a NaN is N2's
  Lane rounded(mlir::Value f32, Element e);  // the result of arithmetic
  Lane integer(mlir::Value v, Element e) { return {{}, v, e, false}; }

  Lane float_binary(const program::Elementwise& e, Lane& x, Lane& y);
  Lane float_unary(const program::Elementwise& e, Lane& x);
  Lane sign(const program::Elementwise& e, Lane& x);
  Lane integer_binary(const program::Elementwise& e, Lane& x, Lane& y);
  mlir::Value divide(const std::string& op, mlir::Value a, mlir::Value b);
  mlir::Value shift(const std::string& op, mlir::Value a, mlir::Value b);
  Lane convert(const program::Elementwise& e, Lane& x);
  mlir::Value to_integer(mlir::Value f32, Element to);
  mlir::Value resize(mlir::Value v, Element to, bool sign);
  mlir::Value bf16_bits(mlir::Value f32, bool result);

  mlir::Value exp(mlir::Value x);  // of doubles
  mlir::Value exp2(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value clamped(mlir::Value x, double limit);
  mlir::Value exp_minus_one_near_zero(mlir::Value r);
  mlir::Value power_of_two(mlir::Value n_plus_whole);
  mlir::Value with_sign_of(mlir::Value magnitude, mlir::Value sign);

  mlir::Value f(double v, mlir::Type type);
  mlir::Value i(std::int64_t v, mlir::Type type);
  mlir::Type wide(mlir::Type type) const { return lanes_ == 0 ? type : mlir::VectorType::get({lanes_}, type); }
  mlir::Type int_type(unsigned bits) { return wide(b_.getIntegerType(bits)); }
  mlir::Type f16_type() { return wide(b_.getF16Type()); }
  mlir::Type f32_type() { return wide(b_.getF32Type()); }
  mlir::Type f64_type() { return wide(b_.getF64Type()); }

  mlir::OpBuilder& b_;
  mlir::Location at_;
  const std::int64_t lanes_;
};

// A constant of that type; in each lane, of a vector.
mlir::Value constant(mlir::OpBuilder& b, mlir::Location at, double v, mlir::Type type);
mlir::Value constant(mlir::OpBuilder& b, mlir::Location at, std::int64_t v, mlir::Type type);

unsigned raw_bits(Element e);  // of an element as it is stored

}  // namespace millrace::cpu
