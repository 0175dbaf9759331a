// SPDX-License-Identifier: Apache-2.0
// Reductions and matrix products.
#include <fmt/format.h>

#include <algorithm>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;

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

void matmul(Lowering& l, const mosaic::Op& o) {
  const Type &lhs = l.type_of(o.operands[0]), &rhs = l.type_of(o.operands[1]), &out = l.type_of(o.results[0]);
  Dimensions d = dimensions_of(l, o);
  if (d.lhs_contract.size() != 1 || d.rhs_contract.size() != 1 || d.lhs_free.size() > 1 || d.rhs_free.size() > 1 ||
      d.lhs_batch.size() > 1)
    l.unsupported("tpu.matmul with more than one contracting, free or batch dimension a side is not supported");
  auto left = strides_of(lhs.shape), right = strides_of(rhs.shape);
  auto pick = [](const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& dims, std::int64_t none) {
    return dims.empty() ? none : from[static_cast<std::size_t>(dims[0])];
  };
  Contraction c;
  c.batch = pick(lhs.shape, d.lhs_batch, 1);
  c.rows = pick(lhs.shape, d.lhs_free, 1);
  c.columns = pick(rhs.shape, d.rhs_free, 1);
  c.depth = pick(lhs.shape, d.lhs_contract, 1);
  c.lhs_stride[0] = pick(left, d.lhs_batch, 0), c.lhs_stride[1] = pick(left, d.lhs_free, 0);
  c.lhs_stride[2] = pick(left, d.lhs_contract, 0);
  c.rhs_stride[0] = pick(right, d.rhs_batch, 0), c.rhs_stride[1] = pick(right, d.rhs_contract, 0);
  c.rhs_stride[2] = pick(right, d.rhs_free, 0);
  c.lhs = lhs.element, c.rhs = rhs.element, c.out = out.element;
  const auto* precision = mosaic::as_dialect(o.find("precision"));
  c.round_operands = !precision || precision->keywords.empty() || precision->keywords[0] != "fp32";
  Slot a = l.slot_of(o.operands[0]), b = l.slot_of(o.operands[1]), acc = l.slot_of(o.operands[2]);
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
