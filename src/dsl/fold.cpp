// SPDX-License-Identifier: Apache-2.0
#include "dsl/fold.h"

#include <algorithm>

namespace millrace::dsl {
namespace {

bool is_scalar_i32(const Node& n) { return n.dtype == DType::i32 && n.shape.empty(); }
bool is_scalar_i1(const Node& n) { return n.dtype == DType::i1 && n.shape.empty(); }
bool same_value(const Node& a, const Node& b) {
  return !a.constant && !b.constant && a.owner == b.owner && a.id == b.id;
}

std::int64_t wrapped(std::int64_t n) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(n)); }

std::int64_t compute(Binary op, std::int64_t a, std::int64_t b, const Site& at) {
  if ((op == Binary::kDiv || op == Binary::kRem) && b == 0) fail(at, "division by zero");
  switch (op) {
    case Binary::kAdd: return a + b;
    case Binary::kSub: return a - b;
    case Binary::kMul: return a * b;
    case Binary::kDiv: return a / b;
    case Binary::kRem: return a % b;
    case Binary::kAnd: return a & b;
    case Binary::kOr: return a | b;
    case Binary::kXor: return a ^ b;
    case Binary::kShl: return b >= 0 && b < 32 ? a << b : 0;
    case Binary::kShr: return b >= 0 && b < 32 ? a >> b : 0;
    case Binary::kMin: return std::min(a, b);
    case Binary::kMax: return std::max(a, b);
  }
  return 0;
}

std::optional<Node> fold_condition(Binary op, const Node& a, const Node& b) {
  const Node& number = a.constant ? a : b;
  const Node& other = a.constant ? b : a;
  if (!number.constant) return {};
  bool on = *number.constant != 0;
  if (op == Binary::kAnd) return on ? other : number;
  if (op == Binary::kOr) return on ? number : other;
  if (op == Binary::kXor && other.constant) return known(DType::i1, on != (*other.constant != 0));
  if (op == Binary::kXor && !on) return other;
  return {};
}

std::optional<Node> fold_neutral(Binary op, const Node& a, const Node& b) {
  auto is = [](const Node& n, std::int64_t number) { return n.constant && *n.constant == number; };
  if (op == Binary::kAdd && is(a, 0)) return b;
  if ((op == Binary::kAdd || op == Binary::kSub) && is(b, 0)) return a;
  if (op == Binary::kMul && is(a, 1)) return b;
  if ((op == Binary::kMul || op == Binary::kDiv) && is(b, 1)) return a;
  if (op == Binary::kMul && (is(a, 0) || is(b, 0))) return known(DType::i32, 0);
  if (op == Binary::kRem && is(b, 1)) return known(DType::i32, 0);
  if (op == Binary::kSub && same_value(a, b)) return known(DType::i32, 0);
  return {};
}

}  // namespace

std::optional<Node> fold(Binary op, const Node& a, const Node& b, const Site& at) {
  if (is_scalar_i1(a) && is_scalar_i1(b)) return fold_condition(op, a, b);
  if (!is_scalar_i32(a) || !is_scalar_i32(b)) return {};
  if ((op == Binary::kDiv || op == Binary::kRem) && b.constant == 0) fail(at, "division by zero");
  if (a.constant && b.constant) return known(DType::i32, wrapped(compute(op, *a.constant, *b.constant, at)));
  return fold_neutral(op, a, b);
}

std::optional<Node> fold(Compare op, const Node& a, const Node& b) {
  if (!is_scalar_i32(a) || !is_scalar_i32(b)) return {};
  if (same_value(a, b)) return known(DType::i1, op == Compare::kEq || op == Compare::kLe || op == Compare::kGe);
  if (!a.constant || !b.constant) return {};
  std::int64_t x = *a.constant, y = *b.constant;
  switch (op) {
    case Compare::kEq: return known(DType::i1, x == y);
    case Compare::kNe: return known(DType::i1, x != y);
    case Compare::kLt: return known(DType::i1, x < y);
    case Compare::kLe: return known(DType::i1, x <= y);
    case Compare::kGt: return known(DType::i1, x > y);
    case Compare::kGe: return known(DType::i1, x >= y);
  }
  return {};
}

}  // namespace millrace::dsl
