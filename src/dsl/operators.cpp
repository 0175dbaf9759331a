// SPDX-License-Identifier: Apache-2.0
// The operators of value.h.
#include <fmt/format.h>

#include "dsl/arith.h"
#include "dsl/tracer.h"

namespace millrace {
namespace {

using dsl::Binary;
using dsl::Compare;

Value apply(Binary op, const char* sign, const Term& a, const Term& b) {
  auto [x, y] = dsl::sides_of(a, b, sign);
  return Value(dsl::binary(op, x, y, a.at()));
}

Bool apply(Compare op, const char* sign, const Term& a, const Term& b) {
  auto [x, y] = dsl::sides_of(a, b, sign);
  return Bool(dsl::compare(op, x, y, a.at()));
}

Index apply(Binary op, const IndexTerm& a, const IndexTerm& b) {
  return Index(dsl::binary(op, a.index().node(), b.index().node(), a.at()));
}

Bool apply(Compare op, const IndexTerm& a, const IndexTerm& b) {
  return Bool(dsl::compare(op, a.index().node(), b.index().node(), a.at()));
}

Bool apply(Binary op, const BoolTerm& a, const BoolTerm& b) {
  return Bool(dsl::binary(op, a.node(), b.node(), a.at()));
}

}  // namespace

Index::Index(std::int64_t number, int) : node_(dsl::known(DType::i32, number)) {
  if (number < INT32_MIN || number > INT32_MAX) {
    throw Error(ErrorCode::kUser,
                fmt::format("{} is no i32: an Index lies between {} and {}", number, INT32_MIN, INT32_MAX));
  }
}

Index::Index(const Value& scalar, Site at) : node_(scalar.node()) {
  if (scalar.dtype() == DType::i32 && scalar.shape().empty()) return;
  dsl::fail(
      at, fmt::format("an Index is made of an i32 scalar; this is {}", dsl::describe(scalar.dtype(), scalar.shape())));
}

Bool::Bool(const Value& mask, Site at) : node_(mask.node()) {
  if (mask.dtype() == DType::i1) return;
  dsl::fail(at, fmt::format("a Bool is made of an i1; this is {}; compare it, as in v != 0",
                            dsl::describe(mask.dtype(), mask.shape())));
}

Value::Value(const Bool& condition) : node_(condition.node()) {}

Index operator+(IndexTerm a, IndexTerm b) { return apply(Binary::kAdd, a, b); }
Index operator-(IndexTerm a, IndexTerm b) { return apply(Binary::kSub, a, b); }
Index operator*(IndexTerm a, IndexTerm b) { return apply(Binary::kMul, a, b); }
Index operator/(IndexTerm a, IndexTerm b) { return apply(Binary::kDiv, a, b); }
Index operator%(IndexTerm a, IndexTerm b) { return apply(Binary::kRem, a, b); }
Index operator-(IndexTerm a) { return 0 - a.index(); }
Bool operator==(IndexTerm a, IndexTerm b) { return apply(Compare::kEq, a, b); }
Bool operator!=(IndexTerm a, IndexTerm b) { return apply(Compare::kNe, a, b); }
Bool operator<(IndexTerm a, IndexTerm b) { return apply(Compare::kLt, a, b); }
Bool operator<=(IndexTerm a, IndexTerm b) { return apply(Compare::kLe, a, b); }
Bool operator>(IndexTerm a, IndexTerm b) { return apply(Compare::kGt, a, b); }
Bool operator>=(IndexTerm a, IndexTerm b) { return apply(Compare::kGe, a, b); }

Value operator+(Term a, Term b) { return apply(Binary::kAdd, "+", a, b); }
Value operator-(Term a, Term b) { return apply(Binary::kSub, "-", a, b); }
Value operator*(Term a, Term b) { return apply(Binary::kMul, "*", a, b); }
Value operator/(Term a, Term b) { return apply(Binary::kDiv, "/", a, b); }
Value operator%(Term a, Term b) { return apply(Binary::kRem, "%", a, b); }
Value operator&(Term a, Term b) { return apply(Binary::kAnd, "&", a, b); }
Value operator|(Term a, Term b) { return apply(Binary::kOr, "|", a, b); }
Value operator^(Term a, Term b) { return apply(Binary::kXor, "^", a, b); }
Value operator<<(Term a, Term b) { return apply(Binary::kShl, "<<", a, b); }
Value operator>>(Term a, Term b) { return apply(Binary::kShr, ">>", a, b); }
Value operator-(Term a) { return Value(dsl::negate(a.node(), a.at())); }
Bool operator==(Term a, Term b) { return apply(Compare::kEq, "==", a, b); }
Bool operator!=(Term a, Term b) { return apply(Compare::kNe, "!=", a, b); }
Bool operator<(Term a, Term b) { return apply(Compare::kLt, "<", a, b); }
Bool operator<=(Term a, Term b) { return apply(Compare::kLe, "<=", a, b); }
Bool operator>(Term a, Term b) { return apply(Compare::kGt, ">", a, b); }
Bool operator>=(Term a, Term b) { return apply(Compare::kGe, ">=", a, b); }

Value& Value::operator+=(Term b) { return *this = apply(Binary::kAdd, "+", Term(*this, b.at()), b); }
Value& Value::operator-=(Term b) { return *this = apply(Binary::kSub, "-", Term(*this, b.at()), b); }
Value& Value::operator*=(Term b) { return *this = apply(Binary::kMul, "*", Term(*this, b.at()), b); }
Value& Value::operator/=(Term b) { return *this = apply(Binary::kDiv, "/", Term(*this, b.at()), b); }

Bool operator&(BoolTerm a, BoolTerm b) { return apply(Binary::kAnd, a, b); }
Bool operator|(BoolTerm a, BoolTerm b) { return apply(Binary::kOr, a, b); }
Bool operator^(BoolTerm a, BoolTerm b) { return apply(Binary::kXor, a, b); }
Bool operator!(const Bool& a) {
  // Exactly this type, so that the truth that Bool does not have is no candidate; hence no place of its own.
  return Bool(dsl::binary(Binary::kXor, a.node(), dsl::known(DType::i1, 1), dsl::made_at(a.node())));
}

}  // namespace millrace
