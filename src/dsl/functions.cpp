// SPDX-License-Identifier: Apache-2.0
// Elementwise functions, choice and conversion.
#include "millrace/functions.h"

#include <fmt/format.h>

#include "dsl/arith.h"

namespace millrace {
namespace {

Value float_function(const char* operation, const char* name, const Value& v, const Site& at) {
  return Value(dsl::unary_float(operation, name, v.node(), at));
}

Value choose(dsl::Binary op, const char* name, const Term& a, const Term& b) {
  auto [x, y] = dsl::sides_of(a, b, name);
  return Value(dsl::binary(op, x, y, a.at()));
}

}  // namespace

Value exp(const Value& v, Site at) { return float_function("math.exp", "exp", v, at); }
Value log(const Value& v, Site at) { return float_function("math.log", "log", v, at); }
Value log1p(const Value& v, Site at) { return float_function("math.log1p", "log1p", v, at); }
Value sqrt(const Value& v, Site at) { return float_function("math.sqrt", "sqrt", v, at); }
Value rsqrt(const Value& v, Site at) { return float_function("math.rsqrt", "rsqrt", v, at); }
Value tanh(const Value& v, Site at) { return float_function("math.tanh", "tanh", v, at); }
Value sin(const Value& v, Site at) { return float_function("math.sin", "sin", v, at); }
Value cos(const Value& v, Site at) { return float_function("math.cos", "cos", v, at); }
Value floor(const Value& v, Site at) { return float_function("math.floor", "floor", v, at); }
Value ceil(const Value& v, Site at) { return float_function("math.ceil", "ceil", v, at); }
Value round(const Value& v, Site at) { return float_function("math.roundeven", "round", v, at); }

Value logistic(const Value& v, Site at) {
  Value e = float_function("math.exp", "logistic", Value(dsl::negate(v.node(), at)), at);
  Value below = Value(
      dsl::binary(dsl::Binary::kAdd, dsl::node_of_number(Term(1, at), v.dtype(), v.shape(), "logistic"), e.node(), at));
  return Value(dsl::binary(dsl::Binary::kDiv, dsl::node_of_number(Term(1, at), v.dtype(), v.shape(), "logistic"),
                           below.node(), at));
}

Value pow(const Value& base, const Value& exponent, Site at) {
  if (!is_float(base.dtype()) || base.dtype() != exponent.dtype() || base.shape() != exponent.shape()) {
    dsl::fail(
        at, fmt::format("pow of {} and {}; take two floats of one dtype and shape",
                        dsl::describe(base.dtype(), base.shape()), dsl::describe(exponent.dtype(), exponent.shape())));
  }
  dsl::Tracer& t = dsl::Tracer::current(at, "pow");
  auto id = t.emit("math.powf", {t.use(base.node(), at), t.use(exponent.node(), at)}, {},
                   dsl::type_of(base.dtype(), base.shape()), at);
  return Value(t.node(id, base.dtype(), base.shape()));
}

Value abs(const Value& v, Site at) {
  if (dsl::is_unsigned(v.dtype())) return v;
  if (is_float(v.dtype())) return float_function("math.absf", "abs", v, at);
  if (v.dtype() == DType::i1) dsl::fail(at, "abs of i1; take a number (cast(v, i32))");
  dsl::Tracer& t = dsl::Tracer::current(at, "abs");
  auto id = t.emit("math.absi", {t.use(v.node(), at)}, {}, dsl::type_of(v.dtype(), v.shape()), at);
  return Value(t.node(id, v.dtype(), v.shape()));
}

Value min(Term a, Term b) { return choose(dsl::Binary::kMin, "min", a, b); }
Value max(Term a, Term b) { return choose(dsl::Binary::kMax, "max", a, b); }
Index min(const Index& a, const Index& b, Site at) {
  return Index(dsl::binary(dsl::Binary::kMin, a.node(), b.node(), at));
}
Index max(const Index& a, const Index& b, Site at) {
  return Index(dsl::binary(dsl::Binary::kMax, a.node(), b.node(), at));
}

Value select(const Bool& chosen, Term a, Term b) {
  auto [x, y] = dsl::sides_of(a, b, "select");
  return Value(dsl::select_node(chosen.node(), x, y, a.at()));
}

Value cast(const Value& v, DType dtype, Site at) { return Value(dsl::cast_node(v.node(), dtype, at)); }

}  // namespace millrace
