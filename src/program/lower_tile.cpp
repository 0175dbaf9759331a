// SPDX-License-Identifier: Apache-2.0
// Arithmetic on vectors (and on scalars that lower_scalar.cpp leaves to it), constants, and moves of whole tiles.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;
using mosaic::ValueId;

std::uint32_t count32(const Type& type) { return static_cast<std::uint32_t>(count_of(type)); }

bool commutes(std::string_view op) {
  return op == "arith.addf" || op == "arith.mulf" || op == "arith.addi" || op == "arith.muli" || op == "arith.andi" ||
         op == "arith.ori" || op == "arith.xori";
}

// The one element that stands for all of a splat, or kNoSlot.
Slot splat_of(Lowering& l, ValueId v) { return l.type_of(v).kind == Type::Kind::kVector ? l.bound(v).splat : kNoSlot; }

void unary(Lowering& l, const mosaic::Op& o) {
  Element e = l.type_of(o.operands[0]).element;
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  std::uint32_t which = l.elementwise({o.name, e, l.type_of(o.results[0]).element, -1, 1, false});
  Instruction& i = l.emit(Op::kUnary);
  i.a = a, i.dst = dst, i.n = count32(l.type_of(o.results[0])), i.aux = which;
}

void emit_binary(Lowering& l, const mosaic::Op& o, std::int64_t predicate) {
  ValueId left = o.operands[0], right = o.operands[1];
  if (predicate < 0 && splat_of(l, left) != kNoSlot && splat_of(l, right) == kNoSlot && commutes(o.name))
    std::swap(left, right);
  Element e = l.type_of(left).element;
  bool scalar = predicate < 0 && splat_of(l, right) != kNoSlot;
  Slot a = l.slot_of(left), b = scalar ? splat_of(l, right) : l.slot_of(right), dst = l.define(o.results[0]);
  std::uint32_t which = l.elementwise({o.name, e, l.type_of(o.results[0]).element, predicate, 2, scalar});
  Instruction& i = l.emit(scalar ? Op::kBinaryScalar : Op::kBinary);
  i.a = a, i.b = b, i.dst = dst, i.n = count32(l.type_of(o.results[0])), i.aux = which;
}

// Constants: scalars are known; a splat keeps its one element; others stand in the frame from the start.
void constant(Lowering& l, const mosaic::Op& o) {
  ValueId result = o.results[0];
  const Type& type = l.type_of(result);
  const mosaic::Attribute* value = o.find("value");
  if (const std::int64_t* i = mosaic::as_integer(value)) {
    l.set_known(result, type.element == Element::kI1 ? *i & 1 : *i);
    return;
  }
  if (const auto* f = std::get_if<mosaic::FloatAttr>(&value->value)) {
    l.bound(result) = Bound{};
    l.bound(result).slot = l.scalar_constant(static_cast<std::int64_t>(f->bits), type.element);
    return;
  }
  const auto* dense = std::get_if<mosaic::DenseElementsAttr>(&value->value);
  if (!dense) l.unsupported("a constant of this kind is not supported");
  l.bound(result) = Bound{};
  if (!dense->splat) {
    l.bound(result).slot = l.constant(dense->data, 1);
    return;
  }
  std::vector<std::byte> one = dense->data;
  l.bound(result).slot = l.constant(one, static_cast<std::uint64_t>(count_of(type)));
  l.bound(result).spread = true;
  one.resize(8);
  l.bound(result).splat = l.constant(std::move(one), 1);
}

std::uint32_t add_move(Lowering& l, const mosaic::Op& o, ValueId from, std::vector<std::int64_t> numbers) {
  const Type &in = l.type_of(from), &out = l.type_of(o.results[0]);
  l.out_.moves.push_back({in.shape, out.shape, std::move(numbers), static_cast<std::uint32_t>(bytes_of(out.element))});
  return static_cast<std::uint32_t>(l.out_.moves.size() - 1);
}

void emit_move(Lowering& l, const mosaic::Op& o, Op op, std::vector<std::int64_t> numbers) {
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  std::uint32_t move = add_move(l, o, o.operands[0], std::move(numbers));
  Instruction& i = l.emit(op);
  i.a = a, i.dst = dst, i.aux = move;
}

void broadcast(Lowering& l, const mosaic::Op& o) {
  ValueId from = o.operands[0];
  if (count_of(l.type_of(from)) == 1) {
    Slot one = l.type_of(from).kind == Type::Kind::kVector && l.bound(from).splat != kNoSlot ? l.bound(from).splat
                                                                                             : l.slot_of(from);
    l.bound(o.results[0]) = Bound{};
    l.bound(o.results[0]).splat = one;
    return;
  }
  emit_move(l, o, Op::kBroadcast, {});
}

void shape_cast(Lowering& l, const mosaic::Op& o) { l.bound(o.results[0]) = l.bound(o.operands[0]); }

void transpose(Lowering& l, const mosaic::Op& o) {
  emit_move(l, o, Op::kTranspose, *mosaic::as_integers(o.find("permutation")));
}

// ArrayAttr of integers (vector.extract_strided_slice) or a dense array.
std::vector<std::int64_t> integers(const mosaic::Attribute* a) {
  if (const auto* dense = mosaic::as_integers(a)) return *dense;
  std::vector<std::int64_t> out;
  if (const auto* list = a ? std::get_if<mosaic::ArrayAttr>(&a->value) : nullptr)
    for (const mosaic::Attribute& e : list->values) out.push_back(*mosaic::as_integer(&e));
  return out;
}

void extract_strided_slice(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> offsets = integers(o.find("offsets"));
  for (std::int64_t s : integers(o.find("strides")))
    if (s != 1) l.unsupported("strides other than 1 in vector.extract_strided_slice are not supported");
  offsets.resize(l.type_of(o.operands[0]).shape.size(), 0);
  emit_move(l, o, Op::kSlice, std::move(offsets));
}

// A static position: the rest of the vector from there on, as a slice that then loses its unit dimensions.
void extract(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> offsets = integers(o.find("static_position"));
  const Type& in = l.type_of(o.operands[0]);
  if (o.operands.size() > 1) l.unsupported("vector.extract at a position known only at run time is not supported");
  // MLIR's -1 is no position: what it gives may be anything.
  if (std::ranges::any_of(offsets, [](std::int64_t at) { return at < 0; }))
    l.unsupported("vector.extract at position -1, of which nothing is known, is not supported");
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  std::vector<std::int64_t> sizes = in.shape;
  for (std::size_t d = 0; d < offsets.size(); ++d) sizes[d] = 1;
  offsets.resize(in.shape.size(), 0);
  Instruction& i = l.emit(Op::kSlice);
  i.a = a, i.dst = dst, i.aux = static_cast<std::uint32_t>(l.out_.moves.size());
  l.out_.moves.push_back(
      {in.shape, std::move(sizes), std::move(offsets), static_cast<std::uint32_t>(bytes_of(in.element))});
}

void concatenate(Lowering& l, const mosaic::Op& o) {
  const std::int64_t dimension = *mosaic::as_integer(o.find("dimension"));
  std::vector<Slot> parts;
  for (ValueId v : o.operands) parts.push_back(l.slot_of(v));
  Slot dst = l.define(o.results[0]);
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::uint32_t move = add_move(l, o, o.operands[k], {dimension, offset});
    Instruction& i = l.emit(Op::kConcatenate);
    i.a = parts[k], i.dst = dst, i.aux = move;
    offset += l.type_of(o.operands[k]).shape[static_cast<std::size_t>(dimension)];
  }
}

// tpu.rotate has its amount as an attribute, tpu.dynamic_rotate as an operand. With a stride the amount grows along
// another dimension.
void rotate(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> numbers = {*mosaic::as_integer(o.find("dimension"))};
  if (o.find("stride"))
    for (std::string_view name : {"stride", "stride_dimension"}) numbers.push_back(*mosaic::as_integer(o.find(name)));
  const std::int64_t* fixed = mosaic::as_integer(o.find("amount"));
  Slot amount = fixed ? l.scalar_constant(*fixed, Element::kI32) : l.slot_of(o.operands[1]);
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  std::uint32_t move = add_move(l, o, o.operands[0], std::move(numbers));
  Instruction& i = l.emit(Op::kRotate);
  i.a = a, i.b = amount, i.dst = dst, i.aux = move;
}

void repeat(Lowering& l, const mosaic::Op& o) {
  const std::int64_t dimension = *mosaic::as_integer(o.find("dimension"));
  const std::int64_t size = l.type_of(o.operands[0]).shape[static_cast<std::size_t>(dimension)];
  const std::int64_t times = *mosaic::as_integer(o.find("times"));
  constexpr std::int64_t kMostTimes = 4096;  // an instruction each
  if (times > kMostTimes)
    l.unsupported(fmt::format("tpu.repeat {} times is not supported; {} times at most are", times, kMostTimes));
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  for (std::int64_t k = 0; k < times; ++k) {
    std::uint32_t move = add_move(l, o, o.operands[0], {dimension, k * size});
    Instruction& i = l.emit(Op::kConcatenate);
    i.a = a, i.dst = dst, i.aux = move;
  }
}

void dynamic_gather(Lowering& l, const mosaic::Op& o) {
  const std::vector<std::int64_t>& dimensions = *mosaic::as_integers(o.find("dimensions"));
  const Type& indices = l.type_of(o.operands[1]);
  if (dimensions.size() != 1 || indices.element != Element::kI32)
    l.unsupported(fmt::format("tpu.dynamic_gather along {} dimensions by {} is not supported; along one by i32 is",
                              dimensions.size(), to_string(indices)));
  Slot a = l.slot_of(o.operands[0]), b = l.slot_of(o.operands[1]), dst = l.define(o.results[0]);
  std::uint32_t move = add_move(l, o, o.operands[0], {dimensions[0]});
  Instruction& i = l.emit(Op::kGather);
  i.a = a, i.b = b, i.dst = dst, i.aux = move;
}

// Row-major positions along the named dimensions, their low bits: a constant.
void iota(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.results[0]);
  if (!is_integer(type.element) || type.element == Element::kI4 || type.element == Element::kI2)
    l.unsupported(fmt::format("tpu.iota of {} is not supported", to_string(type)));
  const std::size_t bytes = bytes_of(type.element);
  std::vector<std::int64_t> dims = *mosaic::as_integers(o.find("dimensions"));
  std::vector<std::byte> data(static_cast<std::size_t>(count_of(type)) * bytes);
  for (std::int64_t i = 0, n = count_of(type); i < n; ++i) {
    std::vector<std::int64_t> at(type.shape.size());
    std::int64_t rest = i;
    for (std::size_t d = type.shape.size(); d-- > 0; rest /= type.shape[d]) at[d] = rest % type.shape[d];
    std::int64_t value = 0;
    for (std::int64_t d : dims)
      value = value * type.shape[static_cast<std::size_t>(d)] + at[static_cast<std::size_t>(d)];
    if (type.element == Element::kI1) value &= 1;
    std::memcpy(&data[static_cast<std::size_t>(i) * bytes], &value, bytes);
  }
  l.bound(o.results[0]) = Bound{};
  l.bound(o.results[0]).slot = l.constant(std::move(data), 1);
}

}  // namespace

void lower_elementwise(Lowering& l, const mosaic::Op& o) { emit_binary(l, o, -1); }

void lower_compare(Lowering& l, const mosaic::Op& o) { emit_binary(l, o, *mosaic::as_integer(o.find("predicate"))); }

void lower_select(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.results[0]);
  Slot a = l.slot_of(o.operands[1]), b = l.slot_of(o.operands[2]);
  bool scalar = l.type_of(o.operands[0]).kind == Type::Kind::kScalar;
  Slot c = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  if (scalar) {  // one condition for the whole tile: copy one or the other
    std::uint32_t other = l.emit_jump(Op::kJumpIfFalse, c);
    l.copy_bytes(a, dst, type);
    std::uint32_t end = l.emit_jump(Op::kJump);
    l.land(other);
    l.copy_bytes(b, dst, type);
    l.land(end);
    return;
  }
  Instruction& i = l.emit(Op::kSelect);
  i.a = c, i.b = a, i.c = b, i.dst = dst, i.n = count32(type);
  i.small = static_cast<std::uint16_t>(bytes_of(type.element));
}

void lower_convert(Lowering& l, const mosaic::Op& o) {
  if (count_of(l.type_of(o.operands[0])) != count_of(l.type_of(o.results[0])) ||
      l.type_of(o.operands[0]).shape != l.type_of(o.results[0]).shape)
    l.unsupported(fmt::format("{} that changes the shape is not supported", o.name));
  unary(l, o);
}

void add_tile_handlers(HandlerTable& table) {
  for (std::string_view op : {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
                              "arith.minimumf", "arith.maxnumf", "arith.minnumf", "math.powf", "math.atan2"})
    table[op] = lower_elementwise;
  for (std::string_view op : {"arith.negf", "math.exp",       "math.exp2", "math.log",   "math.log1p",    "math.rsqrt",
                              "math.sqrt",  "math.tanh",      "math.absf", "math.absi",  "math.ceil",     "math.floor",
                              "math.round", "math.roundeven", "math.erf",  "math.sin",   "math.cos",      "math.tan",
                              "math.ctlz",  "math.ctpop",     "math.cttz", "math.trunc", "tpu.reciprocal"})
    table[op] = unary;
  for (std::string_view op :
       {"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui", "tpu.weird"})
    table[op] = lower_convert;
  table["arith.cmpf"] = lower_compare;
  table["arith.constant"] = constant;
  table["vector.broadcast"] = broadcast;
  table["vector.shape_cast"] = shape_cast;
  table["vector.extract_strided_slice"] = extract_strided_slice;
  table["vector.extract"] = extract;
  for (std::string_view op : {"tpu.transpose", "vector.transpose"}) table[op] = transpose;  // the older name too
  table["tpu.concatenate"] = concatenate;
  table["tpu.dynamic_rotate"] = rotate;
  table["tpu.rotate"] = rotate;
  table["tpu.repeat"] = repeat;
  table["tpu.reshape"] = shape_cast;
  table["tpu.dynamic_gather"] = dynamic_gather;
  table["tpu.iota"] = iota;
}

}  // namespace millrace::program
