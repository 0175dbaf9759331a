// SPDX-License-Identifier: Apache-2.0
// Instructions on tiles: each hands its operands to the tile arithmetic.
#include "machine/run.h"

namespace millrace::machine {

bool Run::unary(const Instruction& i) {
  linked_.elementwise[i.aux].unary(at(i.a), at(i.dst), i.n);
  return true;
}

bool Run::binary(const Instruction& i) {
  linked_.elementwise[i.aux].binary(at(i.a), at(i.b), at(i.dst), i.n);
  return true;
}

bool Run::select(const Instruction& i) {
  tile::select(i.small)(at(i.a), at(i.b), at(i.c), at(i.dst), i.n);
  return true;
}

bool Run::broadcast(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::broadcast(at(i.a), m.in, at(i.dst), m.out, m.element_bytes);
  return true;
}

bool Run::transpose(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::transpose(at(i.a), m.in, m.numbers, at(i.dst), m.element_bytes);
  return true;
}

bool Run::slice(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::extract_slice(at(i.a), m.in, m.numbers, m.out, at(i.dst), m.element_bytes);
  return true;
}

bool Run::concatenate(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::concatenate_part(at(i.a), m.in, at(i.dst), m.out, m.numbers[0], m.numbers[1], m.element_bytes);
  return true;
}

bool Run::rotate(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  tile::rotate(at(i.a), m.in, m.numbers[0], i32(i.b), at(i.dst), m.element_bytes);
  return true;
}

bool Run::reduce(const Instruction& i) {
  const program::Reduction& r = program_.reductions[i.aux];
  linked_.reduce[i.aux]({r.shape, r.dimensions}, at(i.a), at(i.b), at(i.dst));
  return true;
}

bool Run::reduce_index(const Instruction& i) {
  const program::Reduction& r = program_.reductions[i.aux];
  linked_.reduce_index[i.aux]({r.shape, r.dimensions}, at(i.a), at(i.dst));
  return true;
}

bool Run::matmul(const Instruction& i) {
  tile::matmul(linked_.matmuls[i.aux], at(i.a), at(i.b), at(i.c), at(i.dst));
  return true;
}

}  // namespace millrace::machine
