// SPDX-License-Identifier: Apache-2.0
// exp, log and their kin, step for step as src/machine/tile/exponential.h has them, in double: so the same bits.
#include <mlir/Dialect/Arith/IR/Arith.h>

#include <array>
#include <bit>

#include "target/cpu/arithmetic.h"

namespace millrace::cpu {

using mlir::Value;
namespace arith = mlir::arith;

namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn2High = 0x1.62e42fefa0000p-1, kLn2Low = 0x1.cf79abc9e3b3ap-40;
constexpr double kLog2E = 0x1.71547652b82fep+0, kToWhole = 0x1.8p52;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Shorthands for arithmetic on doubles and their bits.
class Doubles {
 public:
  Doubles(mlir::OpBuilder& b, mlir::Location at, mlir::Type real, mlir::Type word)
      : b_(b), at_(at), real_(real), word_(word) {}
  Value c(double v) { return constant(b_, at_, v, real_); }
  Value c64(std::uint64_t v) { return constant(b_, at_, static_cast<std::int64_t>(v), word_); }
  Value add(Value a, Value b) { return arith::AddFOp::create(b_, at_, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(b_, at_, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(b_, at_, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(b_, at_, a, b); }
  Value choose(Value c, Value a, Value b) { return arith::SelectOp::create(b_, at_, c, a, b); }
  Value holds(arith::CmpFPredicate p, Value a, Value b) { return arith::CmpFOp::create(b_, at_, p, a, b); }
  Value bits(Value v) { return arith::BitcastOp::create(b_, at_, word_, v); }
  Value of_bits(Value v) { return arith::BitcastOp::create(b_, at_, real_, v); }
  Value iadd(Value a, Value b) { return arith::AddIOp::create(b_, at_, a, b); }
  Value isub(Value a, Value b) { return arith::SubIOp::create(b_, at_, a, b); }
  Value iand(Value a, Value b) { return arith::AndIOp::create(b_, at_, a, b); }
  Value ior(Value a, Value b) { return arith::OrIOp::create(b_, at_, a, b); }
  Value shl(Value a, std::uint64_t n) { return arith::ShLIOp::create(b_, at_, a, c64(n)); }
  Value shr(Value a, std::uint64_t n) { return arith::ShRUIOp::create(b_, at_, a, c64(n)); }

 private:
  mlir::OpBuilder& b_;
  mlir::Location at_;
  mlir::Type real_, word_;  // alone, or in lanes
};

}  // namespace

Value Arithmetic::clamped(Value x, double limit) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  x = d.choose(d.holds(arith::CmpFPredicate::OGT, x, d.c(limit)), d.c(limit), x);
  return d.choose(d.holds(arith::CmpFPredicate::OLT, x, d.c(-limit)), d.c(-limit), x);
}

Value Arithmetic::power_of_two(Value n_plus_whole) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  return d.of_bits(d.iadd(d.shl(d.bits(n_plus_whole), 52), d.c64(0x3ff0000000000000u)));
}

Value Arithmetic::with_sign_of(Value magnitude, Value sign) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  const Value m = d.iand(d.bits(magnitude), d.c64(0x7fffffffffffffffu));
  return d.of_bits(d.ior(m, d.iand(d.bits(sign), d.c64(0x8000000000000000u))));
}

Value Arithmetic::exp_minus_one_near_zero(Value r) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  constexpr std::array kTerms = {1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0,
                                 1.0 / 120.0,     1.0 / 24.0,     1.0 / 6.0,     0.5};
  Value p = d.c(1.0 / 39916800.0);
  for (const double term : kTerms) p = d.add(d.mul(p, r), d.c(term));
  return d.add(r, d.mul(d.mul(r, r), p));
}

Value Arithmetic::exp(Value x) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  x = clamped(x, 200.0);
  const Value t = d.add(d.mul(x, d.c(kLog2E)), d.c(kToWhole));
  const Value n = d.sub(t, d.c(kToWhole));
  const Value r = d.sub(d.sub(x, d.mul(n, d.c(kLn2High))), d.mul(n, d.c(kLn2Low)));
  return d.mul(power_of_two(t), d.add(d.c(1.0), exp_minus_one_near_zero(r)));
}

Value Arithmetic::exp2(Value x) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  x = clamped(x, 300.0);
  const Value t = d.add(x, d.c(kToWhole));
  const Value n = d.sub(t, d.c(kToWhole));
  const Value r = d.mul(d.sub(x, n), d.c(kLn2));
  return d.mul(power_of_two(t), d.add(d.c(1.0), exp_minus_one_near_zero(r)));
}

Value Arithmetic::tanh(Value x) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  const Value magnitude = d.of_bits(d.iand(d.bits(x), d.c64(0x7fffffffffffffffu)));
  const Value a = d.mul(d.c(2.0), clamped(magnitude, 30.0));
  const Value t = d.add(d.mul(a, d.c(kLog2E)), d.c(kToWhole));
  const Value n = d.sub(t, d.c(kToWhole));
  const Value r = d.sub(d.sub(a, d.mul(n, d.c(kLn2High))), d.mul(n, d.c(kLn2Low)));
  const Value scale = power_of_two(t);
  const Value e = d.add(d.mul(scale, exp_minus_one_near_zero(r)), d.sub(scale, d.c(1.0)));
  return with_sign_of(d.div(e, d.add(e, d.c(2.0))), x);
}

Value Arithmetic::log(Value x) {
  Doubles d(b_, at_, f64_type(), int_type(64));
  const Value u = d.bits(x);
  const Value biased = d.shr(d.iadd(d.isub(u, d.c64(0x3fe6a09e667f3bcdu)), d.c64(std::uint64_t{0x400} << 52)), 52);
  const Value k = d.sub(d.of_bits(d.ior(biased, d.c64(0x4330000000000000u))), d.c(0x1p52 + 0x400));
  const Value m = d.of_bits(d.isub(u, d.shl(d.isub(biased, d.c64(0x400)), 52)));
  const Value s = d.div(d.sub(m, d.c(1.0)), d.add(m, d.c(1.0)));
  const Value z = d.mul(s, s);
  constexpr std::array kTerms = {2.0 / 15.0, 2.0 / 13.0, 2.0 / 11.0, 2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0};
  Value p = d.c(2.0 / 17.0);
  for (const double term : kTerms) p = d.add(d.mul(p, z), d.c(term));
  const Value series = d.add(d.mul(d.c(2.0), s), d.mul(s, d.mul(p, z)));
  Value r = d.add(d.mul(k, d.c(kLn2High)), d.add(d.mul(k, d.c(kLn2Low)), series));
  r = d.choose(d.holds(arith::CmpFPredicate::OEQ, x, d.c(0.0)), d.c(-kInfinity), r);
  r = d.choose(d.holds(arith::CmpFPredicate::OEQ, x, d.c(kInfinity)), d.c(kInfinity), r);
  const Value nan = d.c(std::numeric_limits<double>::quiet_NaN());
  return d.choose(d.holds(arith::CmpFPredicate::OGE, x, d.c(0.0)), r, nan);
}

}  // namespace millrace::cpu
