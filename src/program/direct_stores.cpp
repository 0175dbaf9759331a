// SPDX-License-Identifier: Apache-2.0
#include "program/direct_stores.h"

#include <algorithm>

namespace millrace::program {

namespace {

bool is_elementwise(Op op) { return op == Op::kUnary || op == Op::kBinary || op == Op::kBinaryScalar; }

bool is_jump(Op op) { return op == Op::kJump || op == Op::kJumpIfFalse || op == Op::kLoopTest || op == Op::kLoopNext; }

}  // namespace

void mark_direct_stores(Program& program) {
  std::vector<Instruction>& code = program.code;
  std::vector<std::uint32_t> uses(program.frame_units);
  std::vector<bool> target(code.size() + 1);
  for (const Instruction& i : code) {
    if (is_jump(i.op)) target[i.aux] = true;
    for (Slot s : {i.a, i.b, i.c})
      if (s < uses.size()) ++uses[s];  // a slot or not: at worst one use too many, and the store stays as it is
  }
  for (std::size_t k = 1; k < code.size(); ++k) {
    Instruction &maker = code[k - 1], &store = code[k];
    // A scalar may be part of an address, which no instruction names.
    if (store.op != Op::kStore || store.b != kNoSlot || target[k] || !is_elementwise(maker.op) || maker.n == 1)
      continue;
    if (maker.dst != store.a || uses[store.a] != 1) continue;
    maker.small |= kStoredNext;
    store.small = 1;
  }
}

}  // namespace millrace::program
