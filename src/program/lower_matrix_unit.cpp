// SPDX-License-Identifier: Apache-2.0
// The matrix unit programmed by hand: a right side is pushed to a staging register, loaded, and multiplied by left
// sides into accumulators. Registers, loaded right side and accumulators are places in the frame; what shape each
// holds must be plain from the order of the operations in the module.
#include <fmt/format.h>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;

std::int64_t number(const mosaic::Op& o, std::string_view name) {
  const std::int64_t* value = mosaic::as_integer(o.find(name));
  return value ? *value : 0;
}

// The place for a tile of this type, made at its first use.
Slot place_for(Lowering& l, const Lowering::UnitKey& key, const Type& type) {
  auto [entry, fresh] = l.matrix_unit().try_emplace(key, Lowering::UnitTile{type, kNoSlot});
  Lowering::UnitTile& tile = entry->second;
  if (tile.type != type)
    l.unsupported(fmt::format("a matrix unit that holds now {}, now {} in one place is not supported",
                              to_string(tile.type), to_string(type)));
  if (fresh) tile.slot = l.allocate(bytes_of(type));
  return tile.slot;
}

const Lowering::UnitTile& held(Lowering& l, const mosaic::Op& o, const Lowering::UnitKey& key, const char* what) {
  auto entry = l.matrix_unit().find(key);
  if (entry == l.matrix_unit().end())
    l.unsupported(fmt::format("{}, where the module has put nothing into {} before, is not supported", o.name, what));
  return entry->second;
}

void push_rhs(Lowering& l, const mosaic::Op& o) {
  const Type& in = l.type_of(o.operands[0]);
  if (in.element != Element::kBF16 && in.element != Element::kI8)
    l.unsupported(fmt::format("tpu.matmul_push_rhs of {} is not supported; bf16 and i8 are", to_string(in)));
  Type type = in;
  Slot from = l.slot_of(o.operands[0]);
  const bool transpose = number(o, "transpose") != 0;
  if (transpose) std::swap(type.shape[0], type.shape[1]);
  Slot to = place_for(l, {'s', number(o, "mxu_index"), number(o, "staging_register")}, type);
  if (!transpose) return l.copy_bytes(from, to, type);
  Instruction& i = l.emit(Op::kTranspose);
  i.a = from, i.dst = to, i.aux = static_cast<std::uint32_t>(l.out_.moves.size());
  l.out_.moves.push_back({in.shape, type.shape, {1, 0}, static_cast<std::uint32_t>(bytes_of(in.element))});
}

void acc_lhs(Lowering& l, const mosaic::Op& o) {
  const std::int64_t unit = number(o, "mxu_index");
  if (o.find("load_staged_rhs")) {
    const Lowering::UnitTile staged =
        held(l, o, {'s', unit, number(o, "load_staged_rhs")}, "the staging register that it loads");
    l.copy_bytes(staged.slot, place_for(l, {'r', unit, 0}, staged.type), staged.type);
  }
  const Lowering::UnitTile rhs = held(l, o, {'r', unit, 0}, "the right side");
  const Type& lhs = l.type_of(o.operands[0]);
  if (lhs.element != rhs.type.element || lhs.shape[1] != rhs.type.shape[0])
    l.unsupported(
        fmt::format("{} of {} with a right side {} is not supported", o.name, to_string(lhs), to_string(rhs.type)));
  const Element out = lhs.element == Element::kI8 ? Element::kI32 : Element::kF32;
  Contraction c;
  c.rows = lhs.shape[0], c.columns = rhs.type.shape[1], c.depth = lhs.shape[1];
  c.lhs_stride[1] = c.depth, c.lhs_stride[2] = 1;
  c.rhs_stride[1] = c.columns, c.rhs_stride[2] = 1;
  c.lhs = lhs.element, c.rhs = rhs.type.element, c.out = out;
  Slot a = l.slot_of(o.operands[0]);
  Slot sum = place_for(l, {'a', unit, number(o, "acc")}, Type::vector(out, {c.rows, c.columns}));
  Instruction& i = l.emit(Op::kMatmul);
  i.a = a, i.b = rhs.slot, i.c = sum, i.dst = sum, i.aux = static_cast<std::uint32_t>(l.out_.contractions.size());
  l.out_.contractions.push_back(c);
}

// Takes the sum out and leaves zeros.
void pop(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.results[0]);
  const Lowering::UnitTile acc = held(l, o, {'a', number(o, "mxu_index"), number(o, "acc")}, "the accumulator");
  if (acc.type != type)
    l.unsupported(fmt::format("tpu.matmul_pop of {} from an accumulator that holds {} is not supported",
                              to_string(type), to_string(acc.type)));
  l.copy_bytes(acc.slot, l.define(o.results[0]), type);
  Slot zero = l.constant(std::vector<std::byte>(8), 1);
  Instruction& i = l.emit(Op::kBroadcast);
  i.a = zero, i.dst = acc.slot, i.aux = static_cast<std::uint32_t>(l.out_.moves.size());
  l.out_.moves.push_back({{1}, {count_of(type)}, {}, static_cast<std::uint32_t>(bytes_of(type.element))});
}

}  // namespace

void add_matrix_unit_handlers(HandlerTable& table) {
  table["tpu.matmul_push_rhs"] = push_rhs;
  table["tpu.matmul_acc_lhs"] = acc_lhs;
  table["tpu.matmul_pop"] = pop;
}

}  // namespace millrace::program
