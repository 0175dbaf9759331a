// SPDX-License-Identifier: Apache-2.0
// Operations on the bits of elements: bitcasts, packing into words, stochastic rounding. Most become moves and
// elementwise steps that the machine has anyway.
#include <fmt/format.h>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;
using mosaic::ValueId;

int bits_of(Element e) {
  if (e == Element::kI1) return 1;
  if (e == Element::kI2) return 2;
  return e == Element::kI4 ? 4 : static_cast<int>(8 * bytes_of(e));
}

// Elementwise steps on `n` elements that no SSA value names.
class Steps {
 public:
  Steps(Lowering& l, const Type& type) : l_(l), n_(static_cast<std::uint32_t>(count_of(type))) {}

  Slot unary(std::string_view op, Element from, Element to, Slot a) {
    Slot dst = l_.allocate(bytes_of(to) * n_);
    into(op, from, to, a, dst);
    return dst;
  }
  void into(std::string_view op, Element from, Element to, Slot a, Slot dst) {
    std::uint32_t which = l_.elementwise({std::string(op), from, to, -1, 1, false});
    Instruction& i = l_.emit(Op::kUnary);
    i.a = a, i.dst = dst, i.n = n_, i.aux = which;
  }
  Slot binary(std::string_view op, Slot a, Slot b) { return words(Op::kBinary, op, a, b); }
  Slot with(std::string_view op, Slot a, std::int64_t constant) {
    return words(Op::kBinaryScalar, op, a, l_.scalar_constant(constant, Element::kI32));
  }

 private:
  Slot words(Op kind, std::string_view op, Slot a, Slot b) {
    std::uint32_t which =
        l_.elementwise({std::string(op), Element::kI32, Element::kI32, -1, 2, kind == Op::kBinaryScalar});
    Slot dst = l_.allocate(std::uint64_t{4} * n_);
    Instruction& i = l_.emit(kind);
    i.a = a, i.b = b, i.dst = dst, i.n = n_, i.aux = which;
    return dst;
  }

  Lowering& l_;
  std::uint32_t n_;
};

// The same bytes under another type.
void rename_bits(Lowering& l, const mosaic::Op& o) {
  l.bound(o.results[0]) = l.bound(o.operands[0]);
  if (!l.known(o.operands[0])) return;
  Slot slot = l.slot_of(o.operands[0]);
  l.bound(o.results[0]) = Bound{};
  l.bound(o.results[0]).slot = slot;
}

void nibbles(Lowering& l, Slot from, Slot to, std::int64_t bytes, bool join) {
  Instruction& i = l.emit(Op::kNibbles);
  i.a = from, i.dst = to, i.n = static_cast<std::uint32_t>(bytes), i.small = join ? 1 : 0;
}

// A row of wide elements stands for `ratio` rows of narrow ones, the low bits in the first: the parts of an element
// change places with the columns, either way.
void change_width(Lowering& l, const mosaic::Op& o) {
  const Type &in = l.type_of(o.operands[0]), &out = l.type_of(o.results[0]);
  const int from = bits_of(in.element), to = bits_of(out.element), narrow = std::min(from, to);
  if (narrow < 4)
    l.unsupported(fmt::format("tpu.bitcast from {} to {} is not supported", to_string(in), to_string(out)));
  const Type& wide = from > to ? in : out;
  const std::int64_t ratio = std::max(from, to) / narrow, rows = wide.shape[wide.shape.size() - 2],
                     columns = wide.shape.back(), whole = count_of(wide);
  const std::int64_t outer = rows * columns == 0 ? 0 : whole / (rows * columns);
  Move move;
  move.in = from > to ? std::vector<std::int64_t>{outer, rows, columns, ratio}
                      : std::vector<std::int64_t>{outer, rows, ratio, columns};
  move.out = {move.in[0], move.in[1], move.in[3], move.in[2]};
  move.numbers = {0, 1, 3, 2};
  move.element_bytes = static_cast<std::uint32_t>(bytes_of(from > to ? out.element : in.element));
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  const std::int64_t bytes = whole * std::max(from, to) / 8;
  Slot source = a, target = dst;
  if (narrow == 4 && from > to) nibbles(l, a, source = l.allocate(static_cast<std::uint64_t>(2 * bytes)), bytes, false);
  if (narrow == 4 && from < to) target = l.allocate(static_cast<std::uint64_t>(2 * bytes));
  Instruction& i = l.emit(Op::kTranspose);
  i.a = source, i.dst = target, i.aux = static_cast<std::uint32_t>(l.out_.moves.size());
  l.out_.moves.push_back(std::move(move));
  if (target != dst) nibbles(l, target, dst, bytes, true);
}

void bitcast(Lowering& l, const mosaic::Op& o) {
  const Element from = l.type_of(o.operands[0]).element, to = l.type_of(o.results[0]).element;
  if (bits_of(from) == bits_of(to))
    rename_bits(l, o);
  else
    change_width(l, o);
}

// The type that pack_elementwise and unpack_elementwise name.
Element part_type(const mosaic::Op& o, std::string_view attribute) {
  return std::get<mosaic::TypeAttr>(o.find(attribute)->value).type.element;
}

bool is_float(Element e) { return !is_integer(e); }

Element carrier_of(Element part) {
  return part == Element::kI4 ? Element::kI4 : bytes_of(part) == 1 ? Element::kI8 : Element::kI16;
}

// Part k of a word holds source k, the first in the low bits: floats rounded to nearest even, integers cut.
void pack_elementwise(Lowering& l, const mosaic::Op& o) {
  const Type& out = l.type_of(o.results[0]);
  const Element part = part_type(o, "target_type"), carrier = carrier_of(part);
  Steps steps(l, out);
  Slot words = kNoSlot;
  for (std::size_t k = 0; k < o.operands.size(); ++k) {
    Slot source = l.slot_of(o.operands[k]);
    Slot cut = is_float(part) ? steps.unary("arith.truncf", Element::kF32, part, source)
                              : steps.unary("arith.trunci", Element::kI32, part, source);
    Slot word = steps.unary("arith.extui", carrier, Element::kI32, cut);
    if (k > 0) word = steps.with("arith.shli", word, static_cast<std::int64_t>(k) * bits_of(part));
    words = k == 0 ? word : steps.binary("arith.ori", words, word);
  }
  l.bound(o.results[0]) = Bound{};
  l.bound(o.results[0]).slot = words;
}

void unpack_elementwise(Lowering& l, const mosaic::Op& o) {
  const Element part = part_type(o, "source_type");
  const std::int64_t shift = *mosaic::as_integer(o.find("index")) * bits_of(part);
  Steps steps(l, l.type_of(o.results[0]));
  Slot words = l.slot_of(o.operands[0]);
  if (shift > 0) words = steps.with("arith.shrui", words, shift);
  Slot cut = steps.unary("arith.trunci", Element::kI32, carrier_of(part), words);
  Slot dst = l.define(o.results[0]);
  if (is_float(part))
    steps.into("arith.extf", part, Element::kF32, cut, dst);
  else
    steps.into("arith.extsi", part, Element::kI32, cut, dst);
}

// Adds the low 16 random bits below the last place of a bf16 and cuts there. Infinities and NaN stay.
void stochastic_convert(Lowering& l, const mosaic::Op& o) {
  const Type &in = l.type_of(o.operands[0]), &out = l.type_of(o.results[0]);
  if (out.element != Element::kBF16)
    l.unsupported(fmt::format("tpu.stochastic_convert to {} is not supported", to_string(out)));
  Steps steps(l, in);
  Slot value = l.slot_of(o.operands[0]), random = l.slot_of(o.operands[1]);
  Slot sum = steps.binary("arith.addi", value, steps.with("arith.andi", random, 0xffff));
  Slot cut = steps.unary("arith.trunci", Element::kI32, Element::kI16, steps.with("arith.shrui", sum, 16));
  Slot plain = steps.unary("arith.truncf", Element::kF32, Element::kBF16, value);
  Slot weird = steps.unary("tpu.weird", Element::kF32, Element::kI1, value);
  Slot dst = l.define(o.results[0]);
  Instruction& i = l.emit(Op::kSelect);
  i.a = weird, i.b = plain, i.c = cut, i.dst = dst;
  i.n = static_cast<std::uint32_t>(count_of(in)), i.small = 2;
}

}  // namespace

void add_bits_handlers(HandlerTable& table) {
  table["arith.bitcast"] = bitcast;
  table["tpu.bitcast"] = bitcast;
  table["tpu.pack_elementwise"] = pack_elementwise;
  table["tpu.unpack_elementwise"] = unpack_elementwise;
  table["tpu.stochastic_convert"] = stochastic_convert;
}

}  // namespace millrace::program
