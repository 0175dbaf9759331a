// SPDX-License-Identifier: Apache-2.0
#include "program/work.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace millrace::program {

namespace {

using event::Unit;

// What goes through the unit for functions, one element at a time in each lane.
constexpr std::array kTranscendental = {"math.exp",    "math.exp2",   "math.log",    "math.log1p",  "math.tanh",
                                        "math.erf",    "math.sin",    "math.cos",    "math.tan",    "math.powf",
                                        "math.atan2",  "math.rsqrt",  "math.sqrt",   "arith.divf",  "arith.remf",
                                        "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "tpu.reciprocal"};

int bits_of(Element element) {
  return element == Element::kI4 ? 4 : static_cast<int>(8 * mosaic::size_in_bytes(element));
}

bool is_floating(Element element) { return element <= Element::kF64; }

std::int64_t product(const std::vector<std::int64_t>& shape) {
  std::int64_t n = 1;
  for (const std::int64_t s : shape) n *= s;
  return n;
}

event::Computed elementwise(const Program& p, const Instruction& i) {
  const Elementwise& e = p.elementwise[i.aux];
  const bool slow = std::ranges::find(kTranscendental, std::string_view(e.op)) != kTranscendental.end();
  return {{}, slow ? Unit::kTranscendental : Unit::kVector, i.n, bits_of(e.from), is_floating(e.from), i.place};
}

event::Computed moved(const Program& p, const Instruction& i, Unit unit) {
  const Move& m = p.moves[i.aux];
  return {{},    unit,   product(i.op == Op::kConcatenate ? m.in : m.out), static_cast<int>(8 * m.element_bytes),
          false, i.place};
}

event::Computed multiplied(const Program& p, const Instruction& i) {
  const Contraction& c = p.contractions[i.aux];
  int bits = std::max(bits_of(c.lhs), bits_of(c.rhs));
  if (c.round_operands && bits == 32) bits = 16;
  return {{}, Unit::kMatrix, c.batch * c.rows * c.columns * c.depth, bits, is_floating(c.out), i.place};
}

}  // namespace

std::optional<event::Computed> work_of(const Program& p, const Instruction& i) {
  switch (i.op) {
    case Op::kUnary:
    case Op::kBinary:
    case Op::kBinaryScalar: return elementwise(p, i);
    case Op::kSelect: return event::Computed{{}, Unit::kVector, i.n, 8 * i.small, false, i.place};
    case Op::kBroadcast: return moved(p, i, Unit::kVector);
    case Op::kTranspose:
    case Op::kSlice:
    case Op::kConcatenate:
    case Op::kRotate:
    case Op::kGather: return moved(p, i, Unit::kRearrange);
    case Op::kReduce:
    case Op::kReduceIndex: {
      const Reduction& r = p.reductions[i.aux];
      return event::Computed{{}, Unit::kVector, product(r.shape), bits_of(r.element), is_floating(r.element), i.place};
    }
    case Op::kMatmul: return multiplied(p, i);
    case Op::kRandomBits: return event::Computed{{}, Unit::kVector, i.n, 32, false, i.place};
    default: return {};
  }
}

}  // namespace millrace::program
