// SPDX-License-Identifier: Apache-2.0
// Reductions and matrix products.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;
using mosaic::ValueId;

std::string keyword(Lowering& l, const mosaic::Op& o, std::string_view attribute) {
  const auto* kind = mosaic::as_dialect(o.find(attribute));
  if (!kind || kind->keywords.empty())
    l.unsupported(fmt::format("{} without a {} is not supported", o.name, attribute));
  return kind->keywords[0];
}

void multi_reduction(Lowering& l, const mosaic::Op& o) {
  const Type& in = l.type_of(o.operands[0]);
  Slot a = l.slot_of(o.operands[0]), b = l.slot_of(o.operands[1]), dst = l.define(o.results[0]);
  std::vector<std::int64_t> dimensions = *mosaic::as_integers(o.find("reduction_dims"));
  std::sort(dimensions.begin(), dimensions.end());
  Instruction& i = l.emit(Op::kReduce);
  i.a = a, i.b = b, i.dst = dst, i.aux = static_cast<std::uint32_t>(l.out_.reductions.size());
  l.out_.reductions.push_back({keyword(l, o, "kind"), in.element, in.shape, std::move(dimensions)});
}

void reduce_index(Lowering& l, const mosaic::Op& o) {
  const Type& in = l.type_of(o.operands[0]);
  Slot a = l.slot_of(o.operands[0]), dst = l.define(o.results[0]);
  Instruction& i = l.emit(Op::kReduceIndex);
  i.a = a, i.dst = dst, i.aux = static_cast<std::uint32_t>(l.out_.reductions.size());
  l.out_.reductions.push_back({keyword(l, o, "kind"), in.element, in.shape, {*mosaic::as_integer(o.find("axis"))}});
}

// Element strides of a row-major shape.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// The lists of #tpu.dot_dimension_numbers: contracting, then free, then output order, then batch, left and right each.
struct Dimensions {
  std::vector<std::int64_t> lhs_contract{1}, rhs_contract{0}, lhs_free{0}, rhs_free{1}, lhs_batch, rhs_batch;
};

bool flag(const mosaic::Op& o, std::string_view name) {
  const std::int64_t* value = mosaic::as_integer(o.find(name));
  return value && *value != 0;
}

Dimensions dimensions_of(Lowering& l, const mosaic::Op& o) {
  Dimensions d;
  const auto* numbers = mosaic::as_dialect(o.find("dimension_numbers"));
  if (!numbers) {
    if (flag(o, "transpose_lhs")) std::swap(d.lhs_contract, d.lhs_free);
    if (flag(o, "transpose_rhs")) std::swap(d.rhs_contract, d.rhs_free);
    return d;
  }
  if (flag(o, "transpose_lhs") || flag(o, "transpose_rhs"))
    l.unsupported("tpu.matmul with both dimension numbers and a transposition is not supported");
  const auto& lists = numbers->lists;
  if (lists.size() < 7) l.unsupported("tpu.matmul with these dimension numbers is not supported");
  d.lhs_contract = lists[0], d.rhs_contract = lists[1], d.lhs_free = lists[2], d.rhs_free = lists[3];
  d.lhs_batch = lists[5], d.rhs_batch = lists[6];
  return d;
}

// One side of a product: its dimensions by role, as one step each. Several free dimensions count as one, the last
// fastest.
struct Side {
  std::int64_t batch = 1, free = 1, depth = 1;
  std::int64_t batch_stride = 0, free_stride = 0, depth_stride = 0;
};

// The free dimensions as one loop, where one stride steps through them all.
std::optional<std::int64_t> common_stride(const std::vector<std::int64_t>& shape,
                                          const std::vector<std::int64_t>& dimensions) {
  const std::vector<std::int64_t> strides = strides_of(shape);
  std::int64_t stride = 0, next = 0;
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
    const auto at = static_cast<std::size_t>(*d);
    if (shape[at] == 1) continue;
    if (stride == 0)
      stride = strides[at];
    else if (strides[at] != next)
      return {};
    next = strides[at] * shape[at];
  }
  return stride;
}

Side side_of(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& batch,
             const std::vector<std::int64_t>& free, std::int64_t contracted, std::int64_t free_stride) {
  const std::vector<std::int64_t> strides = strides_of(shape);
  Side side;
  if (!batch.empty()) {
    side.batch = shape[static_cast<std::size_t>(batch[0])];
    side.batch_stride = strides[static_cast<std::size_t>(batch[0])];
  }
  for (std::int64_t d : free) side.free *= shape[static_cast<std::size_t>(d)];
  side.free_stride = free_stride;
  side.depth = shape[static_cast<std::size_t>(contracted)];
  side.depth_stride = strides[static_cast<std::size_t>(contracted)];
  return side;
}

// The operand's slot, and how to step through it; turned to (batch, free, contracted) where its free dimensions do not
// follow each other evenly.
Side operand_of(Lowering& l, ValueId v, const std::vector<std::int64_t>& batch, const std::vector<std::int64_t>& free,
                std::int64_t contracted, Slot& slot) {
  const Type& type = l.type_of(v);
  slot = l.slot_of(v);
  if (auto stride = common_stride(type.shape, free)) return side_of(type.shape, batch, free, contracted, *stride);
  Move turn{type.shape, {}, batch, static_cast<std::uint32_t>(bytes_of(type.element))};
  turn.numbers.insert(turn.numbers.end(), free.begin(), free.end());
  turn.numbers.push_back(contracted);
  for (std::int64_t d : turn.numbers) turn.out.push_back(type.shape[static_cast<std::size_t>(d)]);
  const Slot turned = l.allocate(bytes_of(type));
  Instruction& i = l.emit(Op::kTranspose);
  i.a = slot, i.dst = turned, i.aux = static_cast<std::uint32_t>(l.out_.moves.size());
  slot = turned;
  const std::vector<std::int64_t> shape = turn.out;
  l.out_.moves.push_back(std::move(turn));
  std::vector<std::int64_t> new_free(free.size());
  std::iota(new_free.begin(), new_free.end(), static_cast<std::int64_t>(batch.size()));
  return side_of(shape, batch.empty() ? batch : std::vector<std::int64_t>{0}, new_free,
                 static_cast<std::int64_t>(shape.size()) - 1, shape.back());
}

void matmul(Lowering& l, const mosaic::Op& o) {
  const Type &lhs = l.type_of(o.operands[0]), &rhs = l.type_of(o.operands[1]), &out = l.type_of(o.results[0]);
  Dimensions d = dimensions_of(l, o);
  if (d.lhs_contract.size() != 1 || d.rhs_contract.size() != 1 || d.lhs_batch.size() > 1)
    l.unsupported("tpu.matmul with more than one contracting or batch dimension a side is not supported");
  Slot a = kNoSlot, b = kNoSlot;
  const Side left = operand_of(l, o.operands[0], d.lhs_batch, d.lhs_free, d.lhs_contract[0], a);
  const Side right = operand_of(l, o.operands[1], d.rhs_batch, d.rhs_free, d.rhs_contract[0], b);
  Contraction c;
  c.batch = left.batch, c.rows = left.free, c.columns = right.free, c.depth = left.depth;
  c.lhs_stride[0] = left.batch_stride, c.lhs_stride[1] = left.free_stride, c.lhs_stride[2] = left.depth_stride;
  c.rhs_stride[0] = right.batch_stride, c.rhs_stride[1] = right.depth_stride, c.rhs_stride[2] = right.free_stride;
  c.lhs = lhs.element, c.rhs = rhs.element, c.out = out.element;
  const auto* precision = mosaic::as_dialect(o.find("precision"));
  c.round_operands = !precision || precision->keywords.empty() || precision->keywords[0] != "fp32";
  Slot acc = l.slot_of(o.operands[2]);
  Slot dst = l.define(o.results[0]);
  Instruction& i = l.emit(Op::kMatmul);
  i.a = a, i.b = b, i.c = acc, i.dst = dst, i.aux = static_cast<std::uint32_t>(l.out_.contractions.size());
  l.out_.contractions.push_back(c);
}

}  // namespace

void add_reduction_handlers(HandlerTable& table) {
  table["vector.multi_reduction"] = multi_reduction;
  table["tpu.reduce_index"] = reduce_index;
  table["tpu.matmul"] = matmul;
}

}  // namespace millrace::program
