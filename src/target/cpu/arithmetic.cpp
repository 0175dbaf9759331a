// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/arithmetic.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/TypeUtilities.h>

#include <algorithm>
#include <array>

#include "machine/tile/tile.h"
#include "millrace/error.h"

namespace millrace::cpu {

using mlir::Value;
using program::Elementwise;
namespace arith = mlir::arith;

namespace {

bool is_float(Element e) { return e == Element::kF32 || e == Element::kBF16 || e == Element::kF16; }

bool is_integer(Element e) {
  return e == Element::kI1 || e == Element::kI8 || e == Element::kI16 || e == Element::kI32 || e == Element::kI64 ||
         e == Element::kIndex;
}

unsigned seen_bits(Element e) {
  switch (e) {
    case Element::kI1: return 1;
    case Element::kI8: return 8;
    case Element::kI16: return 16;
    case Element::kI64:
    case Element::kIndex: return 64;
    default: return 32;
  }
}

template <std::size_t n>
bool among(std::string_view op, const std::array<std::string_view, n>& names) {
  return std::ranges::find(names, op) != names.end();
}

constexpr std::array<std::string_view, 8> kFloatBinary = {"arith.addf",    "arith.subf",     "arith.mulf",
                                                          "arith.divf",    "arith.maximumf", "arith.minimumf",
                                                          "arith.maxnumf", "arith.minnumf"};
constexpr std::array<std::string_view, 12> kFloatUnary = {"math.ceil",  "math.floor", "math.round", "math.roundeven",
                                                          "math.trunc", "math.sqrt",  "math.rsqrt", "tpu.reciprocal",
                                                          "math.exp",   "math.exp2",  "math.tanh",  "math.log"};
constexpr std::array<std::string_view, 2> kSign = {"arith.negf", "math.absf"};
constexpr std::array<std::string_view, 17> kIntegerBinary = {
    "arith.addi",  "arith.subi",  "arith.muli",  "arith.andi",  "arith.ori",   "arith.xori",
    "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", "arith.divsi", "arith.divui",
    "arith.remsi", "arith.remui", "arith.shli",  "arith.shrsi", "arith.shrui"};

std::string_view plain(std::string_view op) { return op.starts_with("arith.") ? op.substr(6) : op; }

bool converts(std::string_view name, Element from, Element to) {
  const std::string_view op = plain(name);
  if (op == "extf") return is_float(from) && to == Element::kF32;
  if (op == "truncf") return from == Element::kF32 && (to == Element::kBF16 || to == Element::kF16);
  if (op == "sitofp" || op == "uitofp")
    return is_integer(from) && is_float(to) && seen_bits(from) <= (to == Element::kF32 ? 32 : 16);
  if (op == "fptosi") return is_float(from) && (to == Element::kI8 || to == Element::kI16 || to == Element::kI32);
  if (op == "extsi" || op == "extui" || op == "trunci" || op == "index_cast" || op == "index_castui")
    return is_integer(from) && is_integer(to);
  if (op == "bitcast") return raw_bits(from) == raw_bits(to) && from != Element::kI1 && to != Element::kI1;
  return op == "tpu.weird" && is_float(from);
}

}  // namespace

unsigned raw_bits(Element e) { return 8 * static_cast<unsigned>(tile::size_in_bytes(e)); }

bool Arithmetic::knows(const Elementwise& e) {
  if (e.op == "arith.cmpf") return is_float(e.from);
  if (e.op == "arith.cmpi") return is_integer(e.from);
  if (among(e.op, kFloatBinary) || among(e.op, kFloatUnary) || among(e.op, kSign)) return is_float(e.from);
  if (among(e.op, kIntegerBinary) || e.op == "math.absi") return is_integer(e.from);
  return converts(e.op, e.from, e.to);
}

namespace {

Value constant_of(mlir::OpBuilder& b, mlir::Location at, mlir::TypedAttr one, mlir::Type type) {
  const auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  if (!vector) return arith::ConstantOp::create(b, at, one);
  return arith::ConstantOp::create(b, at, mlir::DenseElementsAttr::get(vector, mlir::Attribute(one)));
}

}  // namespace

Value constant(mlir::OpBuilder& b, mlir::Location at, double v, mlir::Type type) {
  return constant_of(b, at, b.getFloatAttr(mlir::getElementTypeOrSelf(type), v), type);
}
Value constant(mlir::OpBuilder& b, mlir::Location at, std::int64_t v, mlir::Type type) {
  return constant_of(b, at, b.getIntegerAttr(mlir::getElementTypeOrSelf(type), v), type);
}

Value Arithmetic::f(double v, mlir::Type type) { return constant(b_, at_, v, type); }
Value Arithmetic::i(std::int64_t v, mlir::Type type) { return constant(b_, at_, v, type); }

Value Arithmetic::see(Lane& lane, Element e) {
  if (lane.seen && lane.as == e) return lane.seen;
  const Value bits = raw(lane);
  const mlir::Type word = int_type(32);
  if (e == Element::kF32) {
    lane.seen = arith::BitcastOp::create(b_, at_, f32_type(), bits);
  } else if (e == Element::kBF16) {
    const Value low = arith::ExtUIOp::create(b_, at_, word, bits);
    const Value high = arith::ShLIOp::create(b_, at_, low, i(16, word));
    lane.seen = arith::BitcastOp::create(b_, at_, f32_type(), high);
  } else if (e == Element::kF16) {
    const Value half = arith::BitcastOp::create(b_, at_, f16_type(), bits);
    lane.seen = arith::ExtFOp::create(b_, at_, f32_type(), half);
  } else {
    lane.seen = e == Element::kI1 ? arith::TruncIOp::create(b_, at_, int_type(1), bits).getResult() : bits;
  }
  lane.as = e, lane.dirty = false;
  return lane.seen;
}

// Of the bits of an f32. A comparison of floats would not do: to LLVM one NaN is as good as another, and where it knows
// when a result is NaN it takes the choice between them away.
Value Arithmetic::is_nan(Value bits) {
  const Value magnitude = arith::AndIOp::create(b_, at_, bits, i(0x7fffffff, int_type(32)));
  return arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::ugt, magnitude, i(0x7f800000, int_type(32)));
}

Value Arithmetic::clean(Lane& lane, Element e) {
  const Value v = see(lane, e);
  if (!lane.dirty) return v;
  const Value bits = arith::BitcastOp::create(b_, at_, int_type(32), v);
  const Value all = arith::SelectOp::create(b_, at_, is_nan(bits), i(0x7fc00000, int_type(32)), bits);
  lane.seen = arith::BitcastOp::create(b_, at_, f32_type(), all), lane.dirty = false;
  return lane.seen;
}

// Of a result of arithmetic every NaN is N2's; else it keeps its sign and its leading bits.
Value Arithmetic::bf16_bits(Value f32, bool result) {
  const mlir::Type word = int_type(32);
  const Value u = arith::BitcastOp::create(b_, at_, word, f32);
  const Value high = arith::ShRUIOp::create(b_, at_, u, i(16, word));
  const Value odd = arith::AndIOp::create(b_, at_, high, i(1, word));
  const Value half = arith::AddIOp::create(b_, at_, odd, i(0x7fff, word));
  const Value sum = arith::AddIOp::create(b_, at_, u, half);
  const Value rounded = arith::ShRUIOp::create(b_, at_, sum, i(16, word));
  const Value quiet = result ? i(0x7fc0, word) : arith::OrIOp::create(b_, at_, high, i(0x40, word)).getResult();
  // What is chosen between are integers, so a comparison of floats does (see is_nan).
  const Value nan = arith::CmpFOp::create(b_, at_, arith::CmpFPredicate::UNO, f32, f32);
  const Value all = arith::SelectOp::create(b_, at_, nan, quiet, rounded);
  return arith::TruncIOp::create(b_, at_, int_type(16), all);
}

Value Arithmetic::raw(Lane& lane) {
  if (lane.raw) return lane.raw;
  switch (lane.as) {
    case Element::kF32: lane.raw = arith::BitcastOp::create(b_, at_, int_type(32), clean(lane, lane.as)); break;
    case Element::kBF16: lane.raw = bf16_bits(lane.seen, lane.dirty); break;
    case Element::kF16: {
      const Value half = arith::TruncFOp::create(b_, at_, f16_type(), clean(lane, lane.as));
      lane.raw = arith::BitcastOp::create(b_, at_, int_type(16), half);
      break;
    }
    case Element::kI1: lane.raw = arith::ExtUIOp::create(b_, at_, int_type(8), lane.seen); break;
    default: lane.raw = lane.seen;
  }
  return lane.raw;
}

// After every operation, not at the end of an expression (N1).
Lane Arithmetic::rounded(Value f32, Element e) {
  Lane lane{{}, f32, e, true};
  if (e == Element::kF32) return lane;
  const Value bits = raw(lane);
  return {bits, {}, e, false};
}

Lane Arithmetic::apply(const Elementwise& e, std::span<Lane> x) {
  if (e.op == "arith.cmpf") {
    const auto predicate = static_cast<arith::CmpFPredicate>(e.predicate);
    return integer(arith::CmpFOp::create(b_, at_, predicate, see(x[0], e.from), see(x[1], e.from)), Element::kI1);
  }
  if (e.op == "arith.cmpi") {
    const auto predicate = static_cast<arith::CmpIPredicate>(e.predicate);
    return integer(arith::CmpIOp::create(b_, at_, predicate, see(x[0], e.from), see(x[1], e.from)), Element::kI1);
  }
  if (among(e.op, kFloatBinary)) return float_binary(e, x[0], x[1]);
  if (among(e.op, kFloatUnary)) return float_unary(e, x[0]);
  if (among(e.op, kSign)) return sign(e, x[0]);
  if (among(e.op, kIntegerBinary)) return integer_binary(e, x[0], x[1]);
  if (e.op == "math.absi") {
    const Value v = see(x[0], e.from), zero = i(0, v.getType());
    const Value below = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::slt, v, zero);
    const Value negated = arith::SubIOp::create(b_, at_, zero, v);
    return integer(arith::SelectOp::create(b_, at_, below, negated, v), e.to);
  }
  return convert(e, x[0]);
}

Lane Arithmetic::select(Lane condition, Lane a, Lane b, unsigned bytes) {
  const Value c = see(condition, Element::kI1);
  if (a.seen && b.seen && a.as == b.as && raw_bits(a.as) == 8 * bytes && a.as != Element::kF16 && !a.raw && !b.raw) {
    const Element e = a.as;
    const Value x = clean(a, e), y = clean(b, e);
    return {{}, arith::SelectOp::create(b_, at_, c, x, y), e, false};
  }
  const Value x = raw(a), y = raw(b);
  return {arith::SelectOp::create(b_, at_, c, x, y), {}, Element::kI32, false};
}

Lane Arithmetic::float_binary(const Elementwise& e, Lane& x, Lane& y) {
  const Value a = see(x, e.from), b = see(y, e.from);
  Value v;
  if (e.op == "arith.addf") v = arith::AddFOp::create(b_, at_, a, b);
  if (e.op == "arith.subf") v = arith::SubFOp::create(b_, at_, a, b);
  if (e.op == "arith.mulf") v = arith::MulFOp::create(b_, at_, a, b);
  if (e.op == "arith.divf") v = arith::DivFOp::create(b_, at_, a, b);
  if (v) return rounded(v, e.to);
  // Of equal zeros the larger is the "and" of the bits, the smaller the "or"; NaN wins (N3).
  const bool larger = e.op == "arith.maximumf" || e.op == "arith.maxnumf";
  const mlir::Type word = int_type(32), real = f32_type();
  const Value ua = arith::BitcastOp::create(b_, at_, word, a), ub = arith::BitcastOp::create(b_, at_, word, b);
  const Value both =
      larger ? arith::AndIOp::create(b_, at_, ua, ub).getResult() : arith::OrIOp::create(b_, at_, ua, ub).getResult();
  const Value equal = arith::BitcastOp::create(b_, at_, real, both);
  const auto order = larger ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  const auto compare = [&](arith::CmpFPredicate p, Value l, Value r) {
    return arith::CmpFOp::create(b_, at_, p, l, r).getResult();
  };
  const auto choose = [&](Value c, Value l, Value r) { return arith::SelectOp::create(b_, at_, c, l, r).getResult(); };
  v = choose(compare(order, a, b), a, choose(compare(arith::CmpFPredicate::OEQ, a, b), equal, b));
  const Value a_nan = compare(arith::CmpFPredicate::UNO, a, a);
  v = choose(a_nan, a, v);
  if (e.op == "arith.maxnumf" || e.op == "arith.minnumf")
    v = choose(a_nan, b, choose(compare(arith::CmpFPredicate::UNO, b, b), a, v));
  return rounded(v, e.to);
}

Lane Arithmetic::float_unary(const Elementwise& e, Lane& lane) {
  const Value x = see(lane, e.from);
  const auto whole = [&]<class Op>(Op*) { return Op::create(b_, at_, x).getResult(); };
  if (e.op == "math.ceil") return rounded(whole(static_cast<mlir::math::CeilOp*>(nullptr)), e.to);
  if (e.op == "math.floor") return rounded(whole(static_cast<mlir::math::FloorOp*>(nullptr)), e.to);
  if (e.op == "math.trunc") return rounded(whole(static_cast<mlir::math::TruncOp*>(nullptr)), e.to);
  if (e.op == "math.round") return rounded(whole(static_cast<mlir::math::RoundOp*>(nullptr)), e.to);
  if (e.op == "math.roundeven") return rounded(whole(static_cast<mlir::math::RoundEvenOp*>(nullptr)), e.to);
  if (e.op == "math.sqrt") return rounded(whole(static_cast<mlir::math::SqrtOp*>(nullptr)), e.to);
  if (e.op == "tpu.reciprocal") return rounded(arith::DivFOp::create(b_, at_, f(1, f32_type()), x), e.to);
  const mlir::Type real = f64_type();
  const Value exact = arith::ExtFOp::create(b_, at_, real, x);
  Value v;
  if (e.op == "math.exp") v = exp(exact);
  if (e.op == "math.exp2") v = exp2(exact);
  if (e.op == "math.tanh") v = tanh(exact);
  if (e.op == "math.log") v = log(exact);
  if (e.op == "math.rsqrt") v = arith::DivFOp::create(b_, at_, f(1, real), mlir::math::SqrtOp::create(b_, at_, exact));
  return rounded(arith::TruncFOp::create(b_, at_, f32_type(), v), e.to);
}

// Only the sign bit changes.
Lane Arithmetic::sign(const Elementwise& e, Lane& lane) {
  const Value bits = raw(lane);
  const unsigned n = raw_bits(e.from);
  const std::int64_t top = std::int64_t{1} << (n - 1);
  const Value v = e.op == "arith.negf" ? arith::XOrIOp::create(b_, at_, bits, i(-top, int_type(n))).getResult()
                                       : arith::AndIOp::create(b_, at_, bits, i(top - 1, int_type(n))).getResult();
  return {v, {}, e.to, false};
}

Lane Arithmetic::integer_binary(const Elementwise& e, Lane& x, Lane& y) {
  const Value a = see(x, e.from), b = see(y, e.from);
  const std::string& op = e.op;
  Value v;
  if (op == "arith.addi") v = arith::AddIOp::create(b_, at_, a, b);
  if (op == "arith.subi") v = arith::SubIOp::create(b_, at_, a, b);
  if (op == "arith.muli") v = arith::MulIOp::create(b_, at_, a, b);
  if (op == "arith.andi") v = arith::AndIOp::create(b_, at_, a, b);
  if (op == "arith.ori") v = arith::OrIOp::create(b_, at_, a, b);
  if (op == "arith.xori") v = arith::XOrIOp::create(b_, at_, a, b);
  if (op == "arith.maxsi") v = arith::MaxSIOp::create(b_, at_, a, b);
  if (op == "arith.minsi") v = arith::MinSIOp::create(b_, at_, a, b);
  if (op == "arith.maxui") v = arith::MaxUIOp::create(b_, at_, a, b);
  if (op == "arith.minui") v = arith::MinUIOp::create(b_, at_, a, b);
  if (op.starts_with("arith.div") || op.starts_with("arith.rem")) v = divide(op, a, b);
  if (op.starts_with("arith.sh")) v = shift(op, a, b);
  return integer(v, e.to);
}

// Never traps (N9): where the division would, it divides by one, and the result is what N9 says.
Value Arithmetic::divide(const std::string& op, Value a, Value b) {
  const mlir::Type type = a.getType();
  const unsigned bits = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  const Value zero = i(0, type), all = i(-1, type);
  const Value by_zero = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::eq, b, zero);
  const bool sign = op.ends_with("si");
  Value unsafe = by_zero;
  if (sign) {
    const Value least = i(bits == 64 ? std::int64_t{1} << 63 : -(std::int64_t{1} << (bits - 1)), type);
    const Value is_least = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::eq, a, least);
    const Value by_minus = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::eq, b, all);
    unsafe = arith::OrIOp::create(b_, at_, unsafe, arith::AndIOp::create(b_, at_, is_least, by_minus));
  }
  const Value by = arith::SelectOp::create(b_, at_, unsafe, i(1, type), b);
  if (op.starts_with("arith.div")) {
    const Value q =
        sign ? arith::DivSIOp::create(b_, at_, a, by).getResult() : arith::DivUIOp::create(b_, at_, a, by).getResult();
    return arith::SelectOp::create(b_, at_, by_zero, all, q);
  }
  const Value r =
      sign ? arith::RemSIOp::create(b_, at_, a, by).getResult() : arith::RemUIOp::create(b_, at_, a, by).getResult();
  return arith::SelectOp::create(b_, at_, by_zero, a, r);
}

// The amount is an unsigned number; from the width on all bits are shifted out (N10).
Value Arithmetic::shift(const std::string& op, Value a, Value b) {
  const mlir::Type type = a.getType();
  const unsigned bits = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  const Value past = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::uge, b, i(bits, type));
  if (bits == 1) {  // `bits` does not fit an i1: only an amount of 0 leaves anything
    return op == "arith.shrsi" ? a : arith::SelectOp::create(b_, at_, b, i(0, type), a).getResult();
  }
  if (op == "arith.shrsi") {
    const Value most = arith::SelectOp::create(b_, at_, past, i(bits - 1, type), b);
    return arith::ShRSIOp::create(b_, at_, a, most);
  }
  const Value by = arith::SelectOp::create(b_, at_, past, i(0, type), b);
  const Value v = op == "arith.shli" ? arith::ShLIOp::create(b_, at_, a, by).getResult()
                                     : arith::ShRUIOp::create(b_, at_, a, by).getResult();
  return arith::SelectOp::create(b_, at_, past, i(0, type), v);
}

Value Arithmetic::resize(Value v, Element to, bool sign) {
  const unsigned from_bits = mlir::getElementTypeOrSelf(v).getIntOrFloatBitWidth(), bits = seen_bits(to);
  if (bits == from_bits) return v;
  if (bits < from_bits) return arith::TruncIOp::create(b_, at_, int_type(bits), v);
  return sign ? arith::ExtSIOp::create(b_, at_, int_type(bits), v).getResult()
              : arith::ExtUIOp::create(b_, at_, int_type(bits), v).getResult();
}

// Toward zero, clamped to the range; NaN gives 0 (N11).
Value Arithmetic::to_integer(Value x, Element to) {
  const mlir::Type real = f32_type(), word = int_type(32);
  const std::int64_t beyond = std::int64_t{1} << (seen_bits(to) - 1);
  const Value limit = f(static_cast<double>(beyond), real), low = f(-static_cast<double>(beyond), real);
  const Value above = arith::CmpFOp::create(b_, at_, arith::CmpFPredicate::OGE, x, limit);
  const Value below = arith::CmpFOp::create(b_, at_, arith::CmpFPredicate::OLE, x, low);
  const Value nan = arith::CmpFOp::create(b_, at_, arith::CmpFPredicate::UNO, x, x);
  const Value out = arith::OrIOp::create(b_, at_, arith::OrIOp::create(b_, at_, above, below), nan);
  const Value inside = arith::SelectOp::create(b_, at_, out, f(0, real), x);
  Value v = arith::FPToSIOp::create(b_, at_, word, inside);
  v = arith::SelectOp::create(b_, at_, above, i(beyond - 1, word), v);
  v = arith::SelectOp::create(b_, at_, below, i(-beyond, word), v);
  return resize(v, to, true);
}

Lane Arithmetic::convert(const Elementwise& e, Lane& lane) {
  const std::string_view op = plain(e.op);
  if (op == "extf") return {{}, see(lane, e.from), e.to, false};
  if (op == "truncf") {
    Lane result{{}, clean(lane, e.from), e.to, false};
    const Value bits = raw(result);
    return {bits, {}, e.to, false};
  }
  if (op == "bitcast") return {raw(lane), {}, e.to, false};
  if (op == "sitofp") return rounded(arith::SIToFPOp::create(b_, at_, f32_type(), see(lane, e.from)), e.to);
  if (op == "uitofp") return rounded(arith::UIToFPOp::create(b_, at_, f32_type(), see(lane, e.from)), e.to);
  if (op == "fptosi") return integer(to_integer(see(lane, e.from), e.to), e.to);
  if (op == "tpu.weird") {
    const mlir::Type word = int_type(32);
    const Value bits = arith::BitcastOp::create(b_, at_, word, see(lane, e.from)), all = i(0x7f800000, word);
    const Value exponent = arith::AndIOp::create(b_, at_, bits, all);
    return integer(arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::eq, exponent, all), Element::kI1);
  }
  const bool sign = op == "extsi" || op == "index_cast";
  return integer(resize(see(lane, e.from), e.to, sign), e.to);
}

}  // namespace millrace::cpu
