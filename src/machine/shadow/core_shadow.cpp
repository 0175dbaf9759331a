// SPDX-License-Identifier: Apache-2.0
// Which rule an instruction follows. Each kind of instruction is named here; the compiler warns of one that is not.
#include "machine/shadow/core_shadow.h"

#include <algorithm>
#include <cstring>

#include "machine/shadow/memory_shadow.h"
#include "machine/tile/tile.h"

namespace millrace::machine::shadow {

using program::Instruction;
using program::Op;
using program::Slot;

CoreShadow::CoreShadow(Definedness& memories, const program::Program& program, const std::uint64_t* frame,
                       event::Agent core)
    : memories_(memories),
      labels_(memories.labels()),
      program_(program),
      value_(frame),
      core_(core),
      frame_(program.frame_units) {
  for (const program::Elementwise& e : program.elementwise) rules_.push_back(rule_of(e));
  for (const Instruction& i : program.code)
    if (i.op == Op::kLoad && i.small == 1) direct_[i.a] = i.dst;
}

Label CoreShadow::scalar(Slot slot) {
  Label all = kDefined;
  if (const Label* labels = frame_.labels(slot, 8))
    for (int k = 0; k < 8; ++k) all = labels_.join(all, labels[k]);
  return all;
}

bool CoreShadow::step(const Instruction& i) {
  lost_ = false;
  switch (i.op) {
    case Op::kJump:
    case Op::kEnd:
    case Op::kAllocate:
    case Op::kFree:
    case Op::kWindowAwait:
    case Op::kWindowSend:
    case Op::kWindowAwaitSent:
    case Op::kWindowAdvance:
    case Op::kStepBegin:
    case Op::kStepEnd:
    case Op::kScopeBegin:
    case Op::kScopeEnd:
    case Op::kAssume: return true;
    case Op::kJumpIfFalse:
    case Op::kLoopTest:
    case Op::kAssert:
    case Op::kLoad:
    case Op::kStore:
    case Op::kDmaStart:
    case Op::kDmaWait:
    case Op::kWindowFetch:
    case Op::kSignal:
    case Op::kWait:
    case Op::kReadSemaphore:
    case Op::kGridNext: return control(i);
    case Op::kLoopNext:
    case Op::kCopy:
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kRemU:
    case Op::kDivS:
    case Op::kRemS:
    case Op::kMinS:
    case Op::kMaxS:
    case Op::kCompare:
    case Op::kAnd1:
    case Op::kOr1:
    case Op::kXor1:
    case Op::kSelectScalar:
    case Op::kWiden:
    case Op::kNarrow:
    case Op::kExtend1:
    case Op::kSeed: return scalars(i), true;
    case Op::kUnary:
    case Op::kBinary:
    case Op::kBinaryScalar: return elementwise(i), true;
    case Op::kSelect: return select(i), true;
    case Op::kBroadcast:
    case Op::kTranspose:
    case Op::kSlice:
    case Op::kConcatenate: return moves(i), true;
    case Op::kRotate: return rotate(i), true;
    case Op::kGather: return gather(i), true;
    case Op::kReduce:
    case Op::kReduceIndex: return reduce(i), true;
    case Op::kMatmul: return matmul(i), true;
    case Op::kNibbles: return nibbles(i), true;
    case Op::kRandomBits: return frame_.fill(i.dst, std::size_t{i.n} * 4, scalar(i.a)), true;
    case Op::kCount: break;
  }
  return true;
}

// --- where undefined values do harm

void CoreShadow::use(event::Use use, const Instruction& i, Label label) {
  if (label == kDefined) return;
  if (use == event::Use::kAddress) lost_ = true;
  memories_.used(use, core_, i.place, label);
}

void CoreShadow::address(const Instruction& i, const program::Sum& sum) {
  for (const auto& term : sum.terms) use(event::Use::kAddress, i, scalar(term.slot));
}

void CoreShadow::address(const Instruction& i, const program::ViewPlan& plan) {
  for (const program::ViewDim& d : plan.dims) {
    address(i, d.start);
    if (d.size_slot != program::kNoSlot) use(event::Use::kAddress, i, scalar(d.size_slot));
  }
  if (plan.frame) address(i, plan.frame->of);
}

void CoreShadow::addresses(const Instruction& i) {
  if (i.op == Op::kLoad || i.op == Op::kStore) {
    const program::MemoryAccess& access = program_.accesses[i.aux];
    address(i, access.view);
    for (const program::Sum& index : access.index) address(i, index);
  } else if (i.op == Op::kDmaStart) {
    const program::Dma& dma = program_.dmas[i.aux];
    address(i, dma.source), address(i, dma.target), address(i, dma.semaphore);
  } else if (i.op == Op::kDmaWait) {
    address(i, program_.dma_waits[i.aux].semaphore), address(i, program_.dma_waits[i.aux].target);
  } else if (i.op == Op::kWindowFetch) {
    const program::Window& w = program_.windows[i.aux];
    for (Slot number : i.small == 0 ? w.current : w.next) use(event::Use::kAddress, i, scalar(number));
  } else {
    address(i, program_.semaphores[i.aux]);
  }
}

bool CoreShadow::control(const Instruction& i) {
  switch (i.op) {
    case Op::kJumpIfFalse:
    case Op::kAssert: branch(i, i.a); break;
    case Op::kLoopTest: branch(i, i.a), branch(i, i.b); break;
    case Op::kGridNext: set_scalar(i.dst, kDefined); break;
    case Op::kReadSemaphore: addresses(i), set_scalar(i.dst, kDefined); break;
    case Op::kSignal:
    case Op::kWait:
      addresses(i);
      use(event::Use::kAmount, i, scalar(i.a));
      return scalar(i.a) == kDefined;
    default: addresses(i);
  }
  return true;
}

// --- values

void CoreShadow::scalars(const Instruction& i) {
  const auto word = [&](Slot slot) { return static_cast<std::int32_t>(value_[slot]); };
  const auto decides = [&](Slot slot, std::int32_t bits, std::int32_t value) {
    return (word(slot) & bits) == value && scalar(slot) == kDefined;
  };
  const Label a = i.a == program::kNoSlot ? kDefined : scalar(i.a);
  const auto both = [&] { return labels_.join(a, scalar(i.b)); };
  switch (i.op) {
    case Op::kCopy:
      if (frame_.clean(i.a, std::size_t{i.n} * 8)) return frame_.clear(i.dst, std::size_t{i.n} * 8);
      room(std::size_t{i.n} * 8);
      std::copy_n(frame_.labels(i.a, room_.size()), room_.size(), room_.begin());
      return frame_.assign(i.dst, room_);
    case Op::kLoopNext: return set_scalar(i.a, both());
    case Op::kMul: return set_scalar(i.dst, decides(i.a, -1, 0) || decides(i.b, -1, 0) ? kDefined : both());
    case Op::kAnd1: return set_scalar(i.dst, decides(i.a, 1, 0) || decides(i.b, 1, 0) ? kDefined : both());
    case Op::kOr1: return set_scalar(i.dst, decides(i.a, 1, 1) || decides(i.b, 1, 1) ? kDefined : both());
    case Op::kSelectScalar: return set_scalar(i.dst, a != kDefined ? a : scalar((value_[i.a] & 1) != 0 ? i.b : i.c));
    case Op::kWiden:
    case Op::kNarrow:
    case Op::kExtend1: return set_scalar(i.dst, a);
    case Op::kSeed: return set_scalar(i.dst, i.small == 0 ? a : labels_.join(a, scalar(i.dst)));
    default: return set_scalar(i.dst, both());
  }
}

const std::byte* CoreShadow::tile_data(Slot slot, int direct) const {
  if (direct == 0) return data(slot);
  const std::byte* address = nullptr;
  std::memcpy(&address, data(slot), sizeof address);
  return address;
}

std::vector<Label>& CoreShadow::room(std::size_t bytes) {
  room_.assign(bytes, kDefined);
  return room_;
}

namespace {

// Undefined data comes in stretches, and most of a tile is defined. So the rules look at pieces of so many elements,
// which are whole units of the frame whatever an element takes, and pass over those where all is defined.
constexpr std::size_t kPiece = 64;

Slot piece_of(Slot tile, std::size_t first, std::size_t bytes) { return tile + static_cast<Slot>(first * bytes / 8); }

}  // namespace

void CoreShadow::elementwise(const Instruction& i) {
  const program::Elementwise& e = program_.elementwise[i.aux];
  const std::size_t from = tile::size_in_bytes(e.from), to = tile::size_in_bytes(e.to), n = i.n;
  const bool two = i.op != Op::kUnary, one = i.op == Op::kBinaryScalar;
  const Slot left = tile_of(i.a, i.small & 1), right = two ? tile_of(i.b, i.small & 2) : program::kNoSlot;
  const std::byte *a_data = tile_data(i.a, i.small & 1), *b_data = two ? tile_data(i.b, i.small & 2) : nullptr;
  const Label* scalar = one ? frame_.labels(right, from) : nullptr;
  if (frame_.clean(left, n * from) && !scalar && (!two || one || frame_.clean(right, n * from)))
    return frame_.clear(i.dst, n * to);
  for (std::size_t first = 0; first < n; first += kPiece) {
    const std::size_t count = std::min(kPiece, n - first);
    const Slot dst = piece_of(i.dst, first, to);
    const Operand a{frame_.labels(piece_of(left, first, from), count * from), a_data + first * from};
    Operand b{scalar, b_data, one};
    if (two && !one) b = {frame_.labels(piece_of(right, first, from), count * from), b_data + first * from};
    if (!a.labels && !b.labels) {
      frame_.clear(dst, count * to);
      continue;
    }
    room(count * to);
    if (two)
      binary(labels_, rules_[i.aux], e.from, count, a, b, room_.data(), to);
    else
      unary(labels_, rules_[i.aux], count, a, from, room_.data(), to);
    frame_.assign(dst, room_);
  }
}

void CoreShadow::select(const Instruction& i) {
  const std::size_t n = i.n, bytes = i.small;
  if (frame_.clean(i.a, n) && frame_.clean(i.b, n * bytes) && frame_.clean(i.c, n * bytes))
    return frame_.clear(i.dst, n * bytes);
  for (std::size_t first = 0; first < n; first += kPiece) {
    const std::size_t count = std::min(kPiece, n - first);
    const auto labels = [&](Slot tile, std::size_t each) {
      return frame_.labels(piece_of(tile, first, each), count * each);
    };
    const Operand condition{labels(i.a, 1), data(i.a) + first};
    const Label *yes = labels(i.b, bytes), *no = labels(i.c, bytes);
    const Slot dst = piece_of(i.dst, first, bytes);
    if (!condition.labels && !yes && !no) {
      frame_.clear(dst, count * bytes);
      continue;
    }
    shadow::select(count, bytes, condition, yes, no, room(count * bytes).data());
    frame_.assign(dst, room_);
  }
}

void CoreShadow::nibbles(const Instruction& i) {
  const std::size_t n = i.n, in = i.small == 0 ? n : 2 * n, out = i.small == 0 ? 2 * n : n;
  const Label* a = frame_.labels(i.a, in);
  if (!a) return frame_.clear(i.dst, out);
  room(out);
  for (std::size_t k = 0; k < 2 * n; ++k) {
    Label& label = room_[i.small == 0 ? k : k / 2];
    label = labels_.join(label, a[i.small == 0 ? k / 2 : k]);
  }
  frame_.assign(i.dst, room_);
}

// --- loads and stores

void CoreShadow::load(const View& from, const Instruction& i) {
  const auto part = static_cast<std::size_t>(part_bytes(from));
  const auto bytes = static_cast<std::size_t>(elements_of(from) * element_bytes(from));
  if (from.memory->shadow->defined()) return frame_.clear(i.dst, bytes);
  ViewLabels& labels = taken_;
  memories_.load(from, core_, i.place, labels);
  frame_.clear(i.dst, bytes);
  for (std::size_t first = 0; first < labels.size(); first += kPiece) {
    const std::span<const Label> piece(labels.data() + first, std::min(kPiece, labels.size() - first));
    Label any = kDefined;
    for (Label label : piece) any |= label;
    if (any == kDefined) continue;
    Label* to = room(piece.size() * part).data();
    for (Label label : piece) to = std::fill_n(to, part, label);
    frame_.assign(piece_of(i.dst, first, part), room_);
  }
}

// Where the mask itself is undefined, so is what the memory holds then.
void CoreShadow::store(const View& to, const Instruction& i) {
  const auto elements = static_cast<std::size_t>(elements_of(to)), part = static_cast<std::size_t>(part_bytes(to));
  const auto bytes = elements * static_cast<std::size_t>(element_bytes(to));
  const bool masked = i.b != program::kNoSlot;
  const Label* a = frame_.labels(i.a, bytes);
  const Label* mask = masked ? frame_.labels(i.b, elements) : nullptr;
  ViewLabels& labels = room(a || mask ? elements * static_cast<std::size_t>(to.parts) : 0);
  for (std::size_t first = 0; a && first < labels.size(); first += kPiece) {
    const std::size_t last = std::min(first + kPiece, labels.size());
    if (frame_.clean(piece_of(i.a, first, part), (last - first) * part)) continue;
    for (std::size_t u = first; u < last; ++u) labels[u] = joined(labels_, a + u * part, part);
  }
  if (!masked) return memories_.store(to, labels);
  const auto parts = static_cast<std::size_t>(to.parts);
  for (std::size_t u = 0; mask && u < labels.size(); ++u) labels[u] = labels_.join(mask[u / parts], labels[u]);
  std::vector<bool> keep(elements);
  for (std::size_t e = 0; e < elements; ++e) keep[e] = data(i.b)[e] == std::byte{0} && (!mask || mask[e] == kDefined);
  memories_.store_masked(to, labels, keep);
}

}  // namespace millrace::machine::shadow
