// SPDX-License-Identifier: Apache-2.0
// Instructions on values that compiled code leaves to the tile arithmetic, which is the simulator's own.
#include <algorithm>
#include <cstring>
#include <optional>

#include "machine/tile/tile.h"
#include "target/cpu/matmul.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

using program::Instruction;
using program::Op;

void Worker::tile(const Instruction& i) {
  const auto& linked = plan_.linked;
  switch (i.op) {
    case Op::kCopy: std::memmove(at(i.dst), at(i.a), std::size_t{8} * i.n); return;
    case Op::kUnary: return linked.elementwise[i.aux].unary(at(i.a), at(i.dst), i.n);
    case Op::kBinary:
    case Op::kBinaryScalar: return linked.elementwise[i.aux].binary(at(i.a), at(i.b), at(i.dst), i.n);
    case Op::kSelect: return tile::select(i.small)(at(i.a), at(i.b), at(i.c), at(i.dst), i.n);
    case Op::kReduce: {
      const program::Reduction& r = program_.reductions[i.aux];
      return linked.reduce[i.aux]({r.shape, r.dimensions}, at(i.a), at(i.b), at(i.dst));
    }
    case Op::kReduceIndex: {
      const program::Reduction& r = program_.reductions[i.aux];
      return linked.reduce_index[i.aux]({r.shape, r.dimensions}, at(i.a), at(i.dst));
    }
    case Op::kMatmul:
      if (!product(i)) tile::matmul(linked.matmuls[i.aux], at(i.a), at(i.b), at(i.c), at(i.dst));
      return;
    case Op::kNibbles: return (i.small == 0 ? tile::split_nibbles : tile::join_nibbles)(at(i.a), at(i.dst), i.n);
    case Op::kSeed:
      frame_[i.dst] = tile::seeded(i.small == 0 ? 0 : frame_[i.dst], static_cast<std::uint32_t>(number(i.a)));
      return;
    case Op::kRandomBits: return tile::random_words(frame_[i.a], reinterpret_cast<std::uint32_t*>(at(i.dst)), i.n);
    default: return move(i);
  }
}

namespace {

// How one side lies in memory, by its strides along rows and columns; none where neither is 1.
std::optional<target::MatrixView> matrix(std::int64_t rows, std::int64_t columns, const std::int64_t strides[3],
                                         mosaic::Element element, bool round) {
  target::MatrixView m{nullptr, 0};
  if (element == mosaic::Element::kBF16)
    m.packing = target::Packing::kBf16;
  else if (element == mosaic::Element::kF32)
    m.packing = round ? target::Packing::kRoundedToBf16 : target::Packing::kF32;
  else
    return {};
  m.transposed = strides[2] != 1 && columns > 1;
  if (m.transposed && strides[1] != 1 && rows > 1) return {};
  m.row_stride = std::max(m.transposed ? strides[2] : strides[1], m.transposed ? rows : columns);
  return m;
}

}  // namespace

// Products of f32 and bf16 by the library (C2); false for all others.
bool Worker::product(const Instruction& i) {
  const program::Contraction& c = program_.contractions[i.aux];
  auto left = matrix(c.rows, c.depth, c.lhs_stride, c.lhs, c.round_operands);
  auto right = matrix(c.depth, c.columns, c.rhs_stride, c.rhs, c.round_operands);
  if (!left || !right || c.out != mosaic::Element::kF32) return false;
  const std::int64_t each = c.rows * c.columns;
  if (i.c != i.dst) std::memcpy(at(i.dst), at(i.c), static_cast<std::size_t>(4 * c.batch * each));
  for (std::int64_t b = 0; b < c.batch; ++b) {
    left->data = at(i.a) + b * c.lhs_stride[0] * static_cast<std::int64_t>(tile::size_in_bytes(c.lhs));
    right->data = at(i.b) + b * c.rhs_stride[0] * static_cast<std::int64_t>(tile::size_in_bytes(c.rhs));
    target::matmul(c.rows, c.columns, c.depth, *left, *right, reinterpret_cast<float*>(at(i.dst)) + b * each, c.columns,
                   true);
  }
  return true;
}

void Worker::move(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  switch (i.op) {
    case Op::kBroadcast: return tile::broadcast(at(i.a), m.in, at(i.dst), m.out, m.element_bytes);
    case Op::kTranspose: return tile::transpose(at(i.a), m.in, m.numbers, at(i.dst), m.element_bytes);
    case Op::kSlice: return tile::extract_slice(at(i.a), m.in, m.numbers, m.out, at(i.dst), m.element_bytes);
    case Op::kConcatenate:
      return tile::concatenate_part(at(i.a), m.in, at(i.dst), m.out, m.numbers[0], m.numbers[1], m.element_bytes);
    case Op::kRotate:
      if (m.numbers.size() == 3)
        return tile::rotate_strided(at(i.a), m.in, m.numbers[0], number(i.b), m.numbers[1], m.numbers[2], at(i.dst),
                                    m.element_bytes);
      return tile::rotate(at(i.a), m.in, m.numbers[0], number(i.b), at(i.dst), m.element_bytes);
    default:  // kGather
      return tile::gather(at(i.a), m.in, reinterpret_cast<const std::int32_t*>(at(i.b)), m.out, m.numbers[0], at(i.dst),
                          m.element_bytes);
  }
}

}  // namespace millrace::cpu
