// SPDX-License-Identifier: Apache-2.0
// Branches and loops become jumps. A loop's results live where its carried values live.
#include <fmt/format.h>

#include <algorithm>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Region;
using mosaic::ValueId;

void take_known_branch(Lowering& l, const mosaic::Op& o, const Region& region) {
  l.ops(region);
  for (std::size_t i = 0; i < o.results.size(); ++i) l.bound(o.results[i]) = l.bound(region.ops.back().operands[i]);
}

void branch(Lowering& l, const Region& region, const mosaic::Op& o, const std::vector<Slot>& results) {
  const Lowering::Branch here(l);
  l.ops(region);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (l.needed(o.results[i])) l.copy(region.ops.back().operands[i], results[i]);
}

void if_op(Lowering& l, const mosaic::Op& o) {
  if (auto condition = l.known(o.operands[0])) {
    if (*condition || !o.regions[1].ops.empty()) take_known_branch(l, o, o.regions[*condition ? 0 : 1]);
    return;
  }
  Slot condition = l.slot_of(o.operands[0]);
  std::vector<Slot> results;
  for (ValueId r : o.results) results.push_back(l.define(r));
  std::uint32_t otherwise = l.emit_jump(Op::kJumpIfFalse, condition);
  branch(l, o.regions[0], o, results);
  bool has_else = o.regions.size() > 1 && (o.regions[1].ops.size() > 1 || !results.empty());
  if (!has_else) return l.land(otherwise);
  std::uint32_t end = l.emit_jump(Op::kJump);
  l.land(otherwise);
  branch(l, o.regions[1], o, results);
  l.land(end);
}

struct Carried {
  std::vector<ValueId> from;
  std::vector<Slot> to;
};

// All values move at once: one that another move would overwrite first goes through a copy of its own.
void move_all(Lowering& l, const Carried& moves) {
  std::vector<Slot> sources;
  for (ValueId v : moves.from) sources.push_back(l.slot_of(v));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto overwritten = std::find(moves.to.begin(), moves.to.begin() + static_cast<std::ptrdiff_t>(i), sources[i]);
    if (overwritten == moves.to.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    const mosaic::Type& type = l.type_of(moves.from[i]);
    Slot aside = l.allocate(std::max<std::uint64_t>(8, bytes_of(type)));
    l.copy_bytes(sources[i], aside, type);
    sources[i] = aside;
  }
  for (std::size_t i = 0; i < sources.size(); ++i) l.copy_bytes(sources[i], moves.to[i], l.type_of(moves.from[i]));
}

// A bound of a loop as i32. Of index values only those will do that are known, or came from an i32.
Slot bound_of(Lowering& l, ValueId v) {
  const Element element = l.type_of(v).element;
  if (element == Element::kI32) return l.slot_of(v);
  const Bound& b = l.bound(v);
  if (element == Element::kIndex && b.narrow) return b.slot;
  if (element == Element::kIndex && b.known && *b.known == static_cast<std::int32_t>(*b.known))
    return l.scalar_constant(*b.known, Element::kI32);
  l.unsupported(element == Element::kIndex
                    ? std::string("a scf.for over index values that no i32 holds is not supported")
                    : fmt::format("a scf.for over {} is not supported", mosaic::to_string(l.type_of(v))));
}

void for_op(Lowering& l, const mosaic::Op& o) {
  const Region& body = o.regions[0];
  Slot lower = bound_of(l, o.operands[0]), upper = bound_of(l, o.operands[1]), step = bound_of(l, o.operands[2]);
  Slot iv = l.define(body.arguments[0]);
  l.bound(body.arguments[0]).narrow = l.type_of(body.arguments[0]).element == Element::kIndex;
  Carried start, again;
  for (std::size_t i = 0; i < o.results.size(); ++i) {
    if (!l.needed(body.arguments[i + 1])) continue;
    Slot slot = l.define(body.arguments[i + 1]);
    l.bound(o.results[i]) = l.bound(body.arguments[i + 1]);
    start.from.push_back(o.operands[i + 3]), start.to.push_back(slot);
    again.from.push_back(body.ops.back().operands[i]), again.to.push_back(slot);
  }
  move_all(l, start);
  Instruction& first = l.emit(Op::kCopy);
  first.a = lower, first.dst = iv, first.n = 1;
  const Lowering::Branch loop(l);
  std::uint32_t head = l.here();
  Instruction& test = l.emit(Op::kLoopTest);
  test.a = iv, test.b = upper;
  l.ops(body);
  move_all(l, again);
  Instruction& next = l.emit(Op::kLoopNext);
  next.a = iv, next.b = step, next.aux = head;
  l.land(head);
}

void while_op(Lowering& l, const mosaic::Op& o) {
  const Region &before = o.regions[0], &after = o.regions[1];
  const mosaic::Op& condition = before.ops.back();
  Carried start, leave, again;
  for (std::size_t i = 0; i < before.arguments.size(); ++i) {
    if (!l.needed(before.arguments[i])) continue;
    Slot slot = l.define(before.arguments[i]);
    start.from.push_back(o.operands[i]), start.to.push_back(slot);
    again.from.push_back(after.ops.back().operands[i]), again.to.push_back(slot);
  }
  for (std::size_t i = 0; i < o.results.size(); ++i) {
    if (!l.needed(after.arguments[i]) && !l.needed(o.results[i])) continue;
    Slot slot = l.define(after.arguments[i]);
    l.bound(o.results[i]) = l.bound(after.arguments[i]);
    leave.from.push_back(condition.operands[i + 1]), leave.to.push_back(slot);
  }
  move_all(l, start);
  const Lowering::Branch loop(l);
  std::uint32_t head = l.here();
  l.ops(before);
  move_all(l, leave);
  std::uint32_t exit = l.emit_jump(Op::kJumpIfFalse, l.slot_of(condition.operands[0]));
  l.ops(after);
  move_all(l, again);
  l.emit(Op::kJump).aux = head;
  l.land(exit);
}

}  // namespace

void add_control_handlers(HandlerTable& table) {
  table["scf.if"] = if_op;
  table["scf.for"] = for_op;
  table["scf.while"] = while_op;
  for (std::string_view op : {"scf.yield", "scf.condition", "tpu.yield", "func.return"})
    table[op] = [](Lowering&, const mosaic::Op&) {};
}

}  // namespace millrace::program
