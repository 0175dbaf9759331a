// SPDX-License-Identifier: Apache-2.0
// Instructions on tiles: each hands its operands to the tile arithmetic.
#include "machine/core.h"
#include "program/direct_stores.h"

namespace millrace::machine {

bool Core::elementwise(const Instruction& i) {
  if ((i.small & program::kStoredNext) == 0) compute(i, at(i.dst));
  return true;
}

void Core::compute(const Instruction& i, std::byte* to) {
  const Linked::Function& f = linked_.elementwise[i.aux];
  if (i.op == program::Op::kUnary)
    f.unary(tile(i.a, i.small & 1), to, i.n);
  else
    f.binary(tile(i.a, i.small & 1), tile(i.b, i.small & 2), to, i.n);
}

// The result may lie where an operand lies, but not overlap with part of one: then nothing is done (false).
bool Core::compute_into(const Instruction& i, std::byte* to) {
  const program::Elementwise& e = program_.elementwise[i.aux];
  const std::size_t from_bytes = tile::size_in_bytes(e.from) * i.n, to_bytes = tile::size_in_bytes(e.to) * i.n;
  const auto in_the_way = [&](program::Slot slot, int direct) {
    if (direct == 0) return false;  // the frame is no memory
    const std::byte* from = tile(slot, direct);
    return (from != to || from_bytes != to_bytes) && from < to + to_bytes && to < from + from_bytes;
  };
  if (in_the_way(i.a, i.small & 1) || in_the_way(i.b, i.small & 2)) return false;
  compute(i, to);
  return true;
}

bool Core::select(const Instruction& i) {
  tile::select(i.small)(at(i.a), at(i.b), at(i.c), at(i.dst), i.n);
  return true;
}

bool Core::broadcast(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::broadcast(at(i.a), m.in, at(i.dst), m.out, m.element_bytes);
  return true;
}

bool Core::transpose(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::transpose(at(i.a), m.in, m.numbers, at(i.dst), m.element_bytes);
  return true;
}

bool Core::slice(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::extract_slice(at(i.a), m.in, m.numbers, m.out, at(i.dst), m.element_bytes);
  return true;
}

bool Core::concatenate(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::concatenate_part(at(i.a), m.in, at(i.dst), m.out, m.numbers[0], m.numbers[1], m.element_bytes);
  return true;
}

bool Core::rotate(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  if (m.numbers.size() == 3) {
    tile::rotate_strided(at(i.a), m.in, m.numbers[0], i32(i.b), m.numbers[1], m.numbers[2], at(i.dst), m.element_bytes);
    return true;
  }
  tile::rotate(at(i.a), m.in, m.numbers[0], i32(i.b), at(i.dst), m.element_bytes);
  return true;
}

bool Core::gather(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  const auto* indices = reinterpret_cast<const std::int32_t*>(at(i.b));
  tile::gather(at(i.a), m.in, indices, m.out, m.numbers[0], at(i.dst), m.element_bytes);
  return true;
}

bool Core::nibbles(const Instruction& i) {
  (i.small == 0 ? tile::split_nibbles : tile::join_nibbles)(at(i.a), at(i.dst), i.n);
  return true;
}

bool Core::seed(const Instruction& i) {
  frame_[i.dst] = tile::seeded(i.small == 0 ? 0 : frame_[i.dst], static_cast<std::uint32_t>(i32(i.a)));
  return true;
}

bool Core::random_bits(const Instruction& i) {
  tile::random_words(frame_[i.a], reinterpret_cast<std::uint32_t*>(at(i.dst)), i.n);
  return true;
}

bool Core::reduce(const Instruction& i) {
  const program::Reduction& r = program_.reductions[i.aux];
  linked_.reduce[i.aux]({r.shape, r.dimensions}, at(i.a), at(i.b), at(i.dst));
  return true;
}

bool Core::reduce_index(const Instruction& i) {
  const program::Reduction& r = program_.reductions[i.aux];
  linked_.reduce_index[i.aux]({r.shape, r.dimensions}, at(i.a), at(i.dst));
  return true;
}

bool Core::matmul(const Instruction& i) {
  tile::matmul(linked_.matmuls[i.aux], at(i.a), at(i.b), at(i.c), at(i.dst));
  return true;
}

}  // namespace millrace::machine
