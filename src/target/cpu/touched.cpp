// SPDX-License-Identifier: Apache-2.0
// Which places in the frame an instruction reads and writes.
#include "machine/tile/tile.h"
#include "target/cpu/plan.h"

namespace millrace::cpu {

using program::Instruction;
using program::kNoSlot;
using program::Op;
using program::Program;
using program::Slot;

bool is_jump(Op op) { return op == Op::kJump || op == Op::kJumpIfFalse || op == Op::kLoopTest || op == Op::kLoopNext; }

std::uint64_t bytes_of(const std::vector<std::int64_t>& shape, std::size_t element_bytes) {
  std::uint64_t n = element_bytes;
  for (const std::int64_t d : shape) n *= static_cast<std::uint64_t>(d);
  return n;
}

namespace {

class Finder {
 public:
  explicit Finder(const Program& p) : p_(p) {}

  Touched of(const Instruction& i) {
    if (i.op >= Op::kAdd && i.op <= Op::kExtend1) return scalars(i);
    if (i.op >= Op::kUnary && i.op <= Op::kMatmul) return tiles(i), t_;
    switch (i.op) {
      case Op::kJumpIfFalse:
      case Op::kAssert:
      case Op::kAssume:
      case Op::kWindowSend:
      case Op::kWindowAwaitSent: return read(i.a, 8), t_;
      case Op::kLoopTest: return read(i.a, 8), read(i.b, 8), t_;
      case Op::kLoopNext: return read(i.a, 8), read(i.b, 8), write(i.a, 8), t_;
      case Op::kCopy: return read(i.a, 8 * std::uint64_t{i.n}), write(i.dst, 8 * std::uint64_t{i.n}), t_;
      case Op::kGridNext: return write(i.dst, 8), t_;
      case Op::kGather: {
        const program::Move& m = p_.moves[i.aux];
        read(i.a, bytes_of(m.in, m.element_bytes)), read(i.b, bytes_of(m.out, 4));
        return write(i.dst, bytes_of(m.out, m.element_bytes)), t_;
      }
      case Op::kNibbles:
        return read(i.a, i.n * std::uint64_t(i.small == 0 ? 1 : 2)),
               write(i.dst, i.n * std::uint64_t(i.small == 0 ? 2 : 1)), t_;
      case Op::kSeed: return read(i.a, 8), read(i.dst, 8), write(i.dst, 8), t_;
      case Op::kRandomBits: return read(i.a, 8), write(i.a, 8), write(i.dst, 4 * std::uint64_t{i.n}), t_;
      default: return memory(i), t_;
    }
  }

 private:
  void read(Slot s, std::uint64_t bytes) {
    if (s != kNoSlot) t_.reads.push_back({s, bytes});
  }
  void write(Slot s, std::uint64_t bytes) { t_.writes.push_back({s, bytes}); }
  void read(const program::Sum& sum) {
    for (const auto& term : sum.terms) read(term.slot, 8);
  }
  void read(const program::ViewPlan& v) {
    for (const program::ViewDim& d : v.dims) read(d.start), read(d.size_slot, 8);
    if (v.frame) read(v.frame->of);
  }

  Touched scalars(const Instruction& i) {
    read(i.a, 8), read(i.b, 8), read(i.c, 8), write(i.dst, 8);
    return t_;
  }

  void tiles(const Instruction& i) {
    switch (i.op) {
      case Op::kUnary:
      case Op::kBinary:
      case Op::kBinaryScalar: {
        const program::Elementwise& e = p_.elementwise[i.aux];
        read(i.a, i.n * tile::size_in_bytes(e.from));
        read(i.b, (i.op == Op::kBinaryScalar ? 1 : i.n) * tile::size_in_bytes(e.from));
        return write(i.dst, i.n * tile::size_in_bytes(e.to));
      }
      case Op::kSelect:
        read(i.a, i.n), read(i.b, std::uint64_t{i.n} * i.small), read(i.c, std::uint64_t{i.n} * i.small);
        return write(i.dst, std::uint64_t{i.n} * i.small);
      case Op::kReduce:
      case Op::kReduceIndex: return reduction(i);
      case Op::kMatmul: {
        const program::Contraction& c = p_.contractions[i.aux];
        const auto n = [&](std::int64_t a, std::int64_t b) { return static_cast<std::uint64_t>(c.batch * a * b); };
        read(i.a, n(c.rows, c.depth) * tile::size_in_bytes(c.lhs));
        read(i.b, n(c.depth, c.columns) * tile::size_in_bytes(c.rhs));
        read(i.c, n(c.rows, c.columns) * tile::size_in_bytes(c.out));
        return write(i.dst, n(c.rows, c.columns) * tile::size_in_bytes(c.out));
      }
      default: {
        const program::Move& m = p_.moves[i.aux];
        read(i.a, bytes_of(m.in, m.element_bytes)), read(i.b, 8);
        return write(i.dst, bytes_of(m.out, m.element_bytes));
      }
    }
  }

  void reduction(const Instruction& i) {
    const program::Reduction& r = p_.reductions[i.aux];
    std::uint64_t kept = 1;
    for (std::size_t d = 0; d < r.shape.size(); ++d) {
      bool reduced = false;
      for (const std::int64_t k : r.dimensions) reduced |= k == static_cast<std::int64_t>(d);
      if (!reduced) kept *= static_cast<std::uint64_t>(r.shape[d]);
    }
    const std::size_t element = tile::size_in_bytes(r.element);
    read(i.a, bytes_of(r.shape, element)), read(i.b, kept * element);
    write(i.dst, kept * (i.op == Op::kReduceIndex ? 4 : element));
  }

  void memory(const Instruction& i) {
    switch (i.op) {
      case Op::kLoad:
      case Op::kStore: {
        const program::MemoryAccess& a = p_.accesses[i.aux];
        for (const program::Sum& s : a.index) read(s);
        read(a.view);
        const std::uint64_t bytes = bytes_of(a.shape, tile::size_in_bytes(a.view.element));
        if (i.op == Op::kLoad) return write(i.dst, bytes);
        return read(i.a, bytes), read(i.b, bytes_of(a.shape, 1));
      }
      case Op::kDmaStart: {
        const program::Dma& d = p_.dmas[i.aux];
        read(d.source), read(d.target), read(d.semaphore), read(d.device, 8), read(d.core, 8);
        if (d.sends) read(*d.sends);
        return;
      }
      case Op::kDmaWait: return read(p_.dma_waits[i.aux].semaphore), read(p_.dma_waits[i.aux].target);
      case Op::kSignal:
      case Op::kWait: return read(i.a, 8), read(i.b, 8), read(i.c, 8), read(p_.semaphores[i.aux]);
      case Op::kReadSemaphore: return read(p_.semaphores[i.aux]), write(i.dst, 8);
      default: return;
    }
  }

  const Program& p_;
  Touched t_;
};

}  // namespace

Touched touched(const Program& program, const Instruction& i) { return Finder(program).of(i); }

}  // namespace millrace::cpu
