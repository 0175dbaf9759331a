// SPDX-License-Identifier: Apache-2.0
// Integer scalars: index arithmetic, conditions, casts. What is known before the run is worked out here, once; most of
// a lowered pipeline is such arithmetic.
#include <fmt/format.h>

#include <array>

#include "program/lowering.h"
#include "program/predicate.h"

namespace millrace::program {

namespace {

using mosaic::Type;
using mosaic::ValueId;
using I64 = std::int64_t;

int width_of(Element e) {
  switch (e) {
    case Element::kI1: return 1;
    case Element::kI2: return 2;
    case Element::kI4: return 4;
    case Element::kI8: return 8;
    case Element::kI16: return 16;
    case Element::kI32: return 32;
    default: return 64;
  }
}

// The value as the frame holds it: i1 as 0 or 1, every other width sign-extended.
I64 wrap(std::uint64_t v, int width) {
  if (width == 1) return static_cast<I64>(v & 1);
  int spare = 64 - width;
  return static_cast<I64>(v << spare) >> spare;
}

std::uint64_t zero_extended(I64 v, int width) {
  return width == 64 ? static_cast<std::uint64_t>(v)
                     : static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << width) - 1);
}

// The result where both operands are known and the operation is total there.
std::optional<I64> fold(std::string_view op, I64 a, I64 b, int width) {
  std::uint64_t ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  if (op == "arith.addi") return wrap(ua + ub, width);
  if (op == "arith.subi") return wrap(ua - ub, width);
  if (op == "arith.muli") return wrap(ua * ub, width);
  if (op == "arith.andi") return wrap(ua & ub, width);
  if (op == "arith.ori") return wrap(ua | ub, width);
  if (op == "arith.xori") return wrap(ua ^ ub, width);
  if (op == "arith.minsi") return std::min(a, b);
  if (op == "arith.maxsi") return std::max(a, b);
  if (width == 1 || a < 0 || b <= 0) return {};
  if (op == "arith.divsi" || op == "arith.divui") return a / b;
  if (op == "arith.remsi" || op == "arith.remui") return a % b;
  return {};
}

std::optional<Op> fast_i32(std::string_view op) {
  if (op == "arith.addi") return Op::kAdd;
  if (op == "arith.subi") return Op::kSub;
  if (op == "arith.muli") return Op::kMul;
  if (op == "arith.remui") return Op::kRemU;
  if (op == "arith.divsi") return Op::kDivS;
  if (op == "arith.remsi") return Op::kRemS;
  if (op == "arith.minsi") return Op::kMinS;
  if (op == "arith.maxsi") return Op::kMaxS;
  return {};
}

std::optional<Op> fast_i1(std::string_view op) {
  if (op == "arith.andi") return Op::kAnd1;
  if (op == "arith.ori") return Op::kOr1;
  if (op == "arith.xori") return Op::kXor1;
  return {};
}

bool is_scalar_integer(const Type& t) { return t.kind == Type::Kind::kScalar && is_integer(t.element); }

void emit_binary(Lowering& l, const mosaic::Op& o, Op fast, std::uint16_t small = 0) {
  Slot a = l.slot_of(o.operands[0]), b = l.slot_of(o.operands[1]);
  l.scalar(o.results[0], fast, small, a, b);
}

// x and true, x or false, x + 0, x * 1: the lowering of JAX is full of them.
std::optional<ValueId> unchanged(Lowering& l, const mosaic::Op& o) {
  auto is = [&](int k, I64 v) { return l.known(o.operands[k]) == v; };
  bool i1 = l.type_of(o.operands[0]).element == Element::kI1;
  for (int k : {1, 0}) {
    bool zero = is(k, 0), one = is(k, 1);
    if ((o.name == "arith.addi" || o.name == "arith.ori" || o.name == "arith.xori") && zero) return o.operands[1 - k];
    if (o.name == "arith.muli" && one && !i1) return o.operands[1 - k];
    if (o.name == "arith.andi" && one && i1) return o.operands[1 - k];
    if (o.name == "arith.subi" && zero && k == 1) return o.operands[0];
  }
  return {};
}

void binary(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.results[0]);
  if (!is_scalar_integer(type)) return lower_elementwise(l, o);
  auto a = l.known(o.operands[0]), b = l.known(o.operands[1]);
  if (a && b)
    if (auto value = fold(o.name, *a, *b, width_of(type.element))) return l.set_known(o.results[0], *value);
  if (auto same = unchanged(l, o)) {
    l.bound(o.results[0]) = l.bound(*same);
    return;
  }
  if (type.element == Element::kI1 && o.name == "arith.andi" && (a == 0 || b == 0)) return l.set_known(o.results[0], 0);
  if (type.element == Element::kI1 && o.name == "arith.ori" && (a == 1 || b == 1)) return l.set_known(o.results[0], 1);
  auto fast = type.element == Element::kI32  ? fast_i32(o.name)
              : type.element == Element::kI1 ? fast_i1(o.name)
                                             : std::nullopt;
  if (fast)
    emit_binary(l, o, *fast);
  else
    lower_elementwise(l, o);
}

void compare(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.operands[0]);
  const I64 predicate = *mosaic::as_integer(o.find("predicate"));
  if (!is_scalar_integer(type)) return lower_compare(l, o);
  auto a = l.known(o.operands[0]), b = l.known(o.operands[1]);
  const I64 sign = type.element == Element::kI1 ? -1 : 1;
  if (a && b) return l.set_known(o.results[0], holds(predicate, sign * *a, sign * *b));
  if (type.element != Element::kI32) return lower_compare(l, o);
  emit_binary(l, o, Op::kCompare, static_cast<std::uint16_t>(predicate));
}

void select(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.results[0]);
  if (auto c = l.known(o.operands[0]); c && l.type_of(o.operands[0]).kind == Type::Kind::kScalar) {
    l.bound(o.results[0]) = l.bound(o.operands[*c ? 1 : 2]);
    return;
  }
  if (type.kind != Type::Kind::kScalar) return lower_select(l, o);
  Slot c = l.slot_of(o.operands[0]), a = l.slot_of(o.operands[1]), b = l.slot_of(o.operands[2]);
  l.scalar(o.results[0], Op::kSelectScalar, 0, c, a, b);
}

void cast(Lowering& l, const mosaic::Op& o) {
  const Type &from = l.type_of(o.operands[0]), &to = l.type_of(o.results[0]);
  if (!is_scalar_integer(from) || !is_scalar_integer(to)) return lower_convert(l, o);
  if (auto v = l.known(o.operands[0])) {
    bool sign = o.name == "arith.extsi" || o.name == "arith.index_cast" || o.name == "arith.trunci";
    I64 signed_value = from.element == Element::kI1 && o.name == "arith.extsi" ? -*v : *v;
    std::uint64_t bits = sign ? static_cast<std::uint64_t>(signed_value) : zero_extended(*v, width_of(from.element));
    return l.set_known(o.results[0], wrap(bits, width_of(to.element)));
  }
  if (o.name == "arith.index_cast" && from.element == Element::kI32) {
    l.bound(o.results[0]) = l.bound(o.operands[0]);
    l.bound(o.results[0]).narrow = true;
    return;
  }
  if (o.name == "arith.index_cast" && l.bound(o.operands[0]).narrow && to.element == Element::kI32) {
    l.bound(o.results[0]) = l.bound(o.operands[0]);
    l.bound(o.results[0]).narrow = false;
    return;
  }
  if (o.name == "arith.extui" && from.element == Element::kI1 && to.element == Element::kI32) {
    return l.scalar(o.results[0], Op::kExtend1, 0, l.slot_of(o.operands[0]));
  }
  lower_convert(l, o);
}

void assume_multiple(Lowering& l, const mosaic::Op& o) {
  const std::int64_t* multiple = mosaic::as_integer(o.find("multiple"));
  l.bound(o.results[0]) = l.bound(o.operands[0]);
  if (l.known(o.operands[0]) || !multiple || *multiple < 2 || l.bound(o.operands[0]).slot == kNoSlot) return;
  if (l.type_of(o.operands[0]).element != Element::kI32 && !l.bound(o.operands[0]).narrow) return;
  Instruction& i = l.emit(Op::kAssume);
  i.a = l.bound(o.operands[0]).slot;
  i.n = static_cast<std::uint32_t>(*multiple);
}

void iteration_bound(Lowering& l, const mosaic::Op& o) {
  const std::int64_t* dim = mosaic::as_integer(o.find("dim"));
  l.set_known(o.results[0], l.out_.grid.at(static_cast<std::size_t>(*dim)));
}

}  // namespace

void add_scalar_handlers(HandlerTable& table) {
  for (std::string_view op : {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.remsi", "arith.divui",
                              "arith.remui", "arith.andi", "arith.ori", "arith.xori", "arith.shli", "arith.shrsi",
                              "arith.shrui", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"})
    table[op] = binary;
  for (std::string_view op : {"arith.index_cast", "arith.index_castui", "arith.extui", "arith.extsi", "arith.trunci"})
    table[op] = cast;
  table["arith.cmpi"] = compare;
  table["arith.select"] = select;
  table["tpu.assume_multiple"] = assume_multiple;
  table["tpu.iteration_bound"] = iteration_bound;
}

}  // namespace millrace::program
