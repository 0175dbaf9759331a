// SPDX-License-Identifier: Apache-2.0
#include "program/direct_loads.h"

#include <map>
#include <set>

namespace millrace::program {

namespace {

bool is_elementwise(Op op) { return op == Op::kUnary || op == Op::kBinary || op == Op::kBinaryScalar; }

// Nothing that writes memory, lets a DMA move, or leaves the straight line.
bool keeps_memory(Op op) { return op == Op::kLoad || op == Op::kCopy || (op >= Op::kAdd && op <= Op::kMatmul); }

bool is_jump(Op op) { return op == Op::kJump || op == Op::kJumpIfFalse || op == Op::kLoopTest || op == Op::kLoopNext; }

class Marking {
 public:
  explicit Marking(Program& program) : code_(program.code), units_(program.frame_units) {
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      if (is_jump(code_[i].op)) targets_.insert(code_[i].aux);
      for (Slot s : {code_[i].a, code_[i].b, code_[i].c})
        if (s != kNoSlot) ++uses_[s];  // a slot or not: at worst one use too many, and the load stays as it is
    }
  }

  void load(std::uint32_t at) {
    const Slot tile = code_[at].dst;
    std::uint32_t found = 0;
    std::vector<std::uint32_t> readers;
    for (std::uint32_t j = at + 1; j < code_.size() && !targets_.contains(j) && keeps_memory(code_[j].op); ++j) {
      const Instruction& i = code_[j];
      const std::uint32_t here = (i.a == tile) + (i.b == tile) + (i.c == tile);
      if (here == 0) continue;
      if (!is_elementwise(i.op) || (i.op == Op::kBinaryScalar && i.b == tile)) return;
      found += here;
      readers.push_back(j);
    }
    if (found == 0 || found != uses_[tile]) return;
    code_[at].small = 1;
    code_[at].a = units_++;
    for (std::uint32_t j : readers) redirect(code_[j], tile, code_[at].a);
  }

 private:
  static void redirect(Instruction& i, Slot tile, Slot address) {
    if (i.a == tile) i.a = address, i.small |= 1;
    if (i.b == tile) i.b = address, i.small |= 2;
  }

  std::vector<Instruction>& code_;
  std::uint32_t& units_;
  std::set<std::uint32_t> targets_;
  std::map<Slot, std::uint32_t> uses_;
};

}  // namespace

void mark_direct_loads(Program& program) {
  Marking marking(program);
  for (std::uint32_t i = 0; i < program.code.size(); ++i)
    if (program.code[i].op == Op::kLoad) marking.load(i);
}

}  // namespace millrace::program
