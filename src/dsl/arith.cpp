// SPDX-License-Identifier: Apache-2.0
#include "dsl/arith.h"

#include <fmt/format.h>

#include "dsl/attributes.h"
#include "dsl/fold.h"

namespace millrace::dsl {
namespace {

struct Names {
  const char *sign, *of_float, *of_signed, *of_unsigned;  // null: not of this kind
};

Names names_of(Binary op) {
  switch (op) {
    case Binary::kAdd: return {"+", "arith.addf", "arith.addi", "arith.addi"};
    case Binary::kSub: return {"-", "arith.subf", "arith.subi", "arith.subi"};
    case Binary::kMul: return {"*", "arith.mulf", "arith.muli", "arith.muli"};
    case Binary::kDiv: return {"/", "arith.divf", "arith.divsi", "arith.divui"};
    case Binary::kRem: return {"%", "arith.remf", "arith.remsi", "arith.remui"};
    case Binary::kAnd: return {"&", nullptr, "arith.andi", "arith.andi"};
    case Binary::kOr: return {"|", nullptr, "arith.ori", "arith.ori"};
    case Binary::kXor: return {"^", nullptr, "arith.xori", "arith.xori"};
    case Binary::kShl: return {"<<", nullptr, "arith.shli", "arith.shli"};
    case Binary::kShr: return {">>", nullptr, "arith.shrsi", "arith.shrui"};
    case Binary::kMin: return {"min", "arith.minimumf", "arith.minsi", "arith.minui"};
    case Binary::kMax: return {"max", "arith.maximumf", "arith.maxsi", "arith.maxui"};
  }
  return {};
}

const char* operation_of(Binary op, DType dtype, const Site& at) {
  Names names = names_of(op);
  bool bitwise = op == Binary::kAnd || op == Binary::kOr || op == Binary::kXor;
  if (dtype == DType::i1 && !bitwise) {
    fail(at, fmt::format("{} of i1; take a number (cast(v, i32))", names.sign));
  }
  if (is_float(dtype) && !names.of_float) {
    fail(at, fmt::format("{} of {}; it works on integers only", names.sign, name_of(dtype)));
  }
  return is_float(dtype) ? names.of_float : is_unsigned(dtype) ? names.of_unsigned : names.of_signed;
}

const char* sign_of(Compare op) {
  constexpr const char* kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
  return kSigns[static_cast<int>(op)];
}

// MLIR's numbers of the predicates.
int predicate_of(Compare op, DType dtype) {
  constexpr int kFloat[] = {1, 1, 4, 5, 2, 3};  // ordered; != is made of ==
  constexpr int kSigned[] = {0, 1, 2, 3, 4, 5};
  constexpr int kUnsigned[] = {0, 1, 6, 7, 8, 9};
  int i = static_cast<int>(op);
  return is_float(dtype) ? kFloat[i] : is_unsigned(dtype) ? kUnsigned[i] : kSigned[i];
}

void check_dtypes(const Node& a, const Node& b, const char* sign, const Site& at) {
  if (a.dtype == b.dtype) return;
  fail(at, fmt::format("{} {} {}: both sides need one dtype; write cast(v, {}) or cast(v, {})", name_of(a.dtype), sign,
                       name_of(b.dtype), name_of(a.dtype), name_of(b.dtype)));
}

void broadcast_both(Node& a, Node& b, const char* sign, const Site& at) {
  Shape shape = broadcast_shape(a.shape, b.shape, sign, at);
  a = broadcast_node(a, shape, at);
  b = broadcast_node(b, shape, at);
}

// Scalars are shared, vectors are made anew.
Node make(Tracer& t, const std::string& name, const std::vector<mosaic::ValueId>& ids, mosaic::AttributeList attributes,
          const std::string& key, DType dtype, const Shape& shape, const Site& at) {
  auto type = type_of(dtype, shape);
  auto id = shape.empty() ? t.share(name, ids, key, std::move(attributes), type, at)
                          : t.emit(name, ids, std::move(attributes), type, at);
  return t.node(id, dtype, shape);
}

}  // namespace

Node known(DType dtype, std::int64_t number) { return {nullptr, 0, dtype, {}, number}; }

Node node_of_number(const Term& number, DType dtype, const Shape& shape, std::string_view what) {
  double value = number.number();
  if (!is_float(dtype) && !number.whole()) {
    fail(number.at(), fmt::format("{}: the number {} has a fraction and the other side is {}; write an integer, or "
                                  "cast(v, f32)",
                                  what, value, name_of(dtype)));
  }
  bool fits = is_float(dtype) || (value >= lowest(dtype) && value <= highest(dtype));
  if (!fits) {
    fail(number.at(),
         fmt::format("{}: {} is no {} ({} to {})", what, value, name_of(dtype), lowest(dtype), highest(dtype)));
  }
  if (dtype == DType::i32 && shape.empty()) return known(dtype, *number.whole());
  Tracer& t = Tracer::current(number.at(), what);
  return t.node(t.constant(type_of(dtype, shape), encode(dtype, value)), dtype, shape);
}

std::pair<Node, Node> sides_of(const Term& a, const Term& b, std::string_view what) {
  if (a.is_number() && b.is_number()) fail(a.at(), fmt::format("{} of two C++ numbers; use C++ for them", what));
  if (a.is_number()) return {node_of_number(a, b.node().dtype, b.node().shape, what), b.node()};
  if (b.is_number()) return {a.node(), node_of_number(b, a.node().dtype, a.node().shape, what)};
  return {a.node(), b.node()};
}

Node binary(Binary op, Node a, Node b, const Site& at) {
  const char* sign = names_of(op).sign;
  check_dtypes(a, b, sign, at);
  const char* operation = operation_of(op, a.dtype, at);
  if (auto folded = fold(op, a, b, at)) return *folded;
  Tracer& t = Tracer::current(at, sign);
  broadcast_both(a, b, sign, at);
  return make(t, operation, {t.use(a, at), t.use(b, at)}, {}, "", a.dtype, a.shape, at);
}

Node remainder_of_counts(const Node& a, const Node& b, const Site& at) {
  if (auto folded = fold(Binary::kRem, a, b, at)) return *folded;
  Tracer& t = Tracer::current(at, "%");
  return make(t, "arith.remui", {t.use(a, at), t.use(b, at)}, {}, "", DType::i32, {}, at);
}

Node compare(Compare op, Node a, Node b, const Site& at) {
  const char* sign = sign_of(op);
  check_dtypes(a, b, sign, at);
  if (a.dtype == DType::i1) fail(at, fmt::format("{} of i1; use & | ^ ! on conditions", sign));
  if (auto folded = fold(op, a, b)) return *folded;
  Tracer& t = Tracer::current(at, sign);
  broadcast_both(a, b, sign, at);
  int predicate = predicate_of(op, a.dtype);
  mosaic::AttributeList attributes{{"predicate", integer(predicate, mosaic::Element::kI64)}};
  const char* operation = is_float(a.dtype) ? "arith.cmpf" : "arith.cmpi";
  Node result =
      make(t, operation, {t.use(a, at), t.use(b, at)}, attributes, std::to_string(predicate), DType::i1, a.shape, at);
  // Of floats, != is the opposite of ==, so that it holds for NaN.
  if (!is_float(a.dtype) || op != Compare::kNe) return result;
  return binary(Binary::kXor, result, known(DType::i1, 1), at);
}

Node select_node(const Node& chosen, Node a, Node b, const Site& at) {
  check_dtypes(a, b, "or", at);
  if (chosen.constant && a.shape == b.shape) return *chosen.constant ? a : b;
  Tracer& t = Tracer::current(at, "select");
  broadcast_both(a, b, "select", at);
  Node mask = chosen;
  if (!mask.shape.empty()) {
    Shape shape = broadcast_shape(mask.shape, a.shape, "select", at);
    mask = broadcast_node(mask, shape, at);
    a = broadcast_node(a, shape, at);
    b = broadcast_node(b, shape, at);
  }
  return make(t, "arith.select", {t.use(mask, at), t.use(a, at), t.use(b, at)}, {}, "", a.dtype, a.shape, at);
}

Node negate(const Node& a, const Site& at) {
  if (!is_float(a.dtype)) return binary(Binary::kSub, node_of_number(Term(0, at), a.dtype, a.shape, "-"), a, at);
  Tracer& t = Tracer::current(at, "-");
  return make(t, "arith.negf", {t.use(a, at)}, {}, "", a.dtype, a.shape, at);
}

Node unary_float(const char* operation, const char* name, const Node& v, const Site& at) {
  if (!is_float(v.dtype)) fail(at, fmt::format("{} of {}; take a float (cast(v, f32))", name, name_of(v.dtype)));
  Tracer& t = Tracer::current(at, name);
  return make(t, operation, {t.use(v, at)}, {}, "", v.dtype, v.shape, at);
}

}  // namespace millrace::dsl
