// SPDX-License-Identifier: Apache-2.0
// Which instructions wait until somebody asks for their value, and when they can wait no longer: before what they read
// changes, and where the straight line of instructions ends.
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

#include <algorithm>
#include <cstring>

#include "machine/memory.h"
#include "machine/tile/tile.h"
#include "millrace/error.h"
#include "target/cpu/arithmetic.h"
#include "target/cpu/kernel.h"

namespace millrace::cpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;
using program::Instruction;
using program::kNoSlot;
using program::Op;
using program::Slot;
using Kind = Node::Kind;

namespace {

constexpr int kCheap = 6;     // operations that are sooner done twice than kept
constexpr int kLargest = 64;  // operations of one loop

int weight(const program::Elementwise& e) {
  if (e.op.starts_with("math.")) return e.op == "math.absf" ? 1 : 12;
  return e.op == "arith.divf" || e.op.starts_with("arith.div") || e.op.starts_with("arith.rem") ? 5 : 1;
}

bool any_leaf(const NodePtr& n, const auto& holds) {
  if (n->leaf()) return holds(*n);
  return std::ranges::any_of(n->operands, [&](const NodePtr& o) { return any_leaf(o, holds); });
}

}  // namespace

NodePtr KernelEmitter::node_of(Slot s, std::int64_t count, unsigned bytes) {
  if (const auto p = pending_.find(s); p != pending_.end() && count > 1) {
    if (p->second->count == count && p->second->bytes == bytes) return p->second;
    compute(p->second);
  }
  auto node = std::make_shared<Node>();
  node->slot = s, node->count = count, node->bytes = bytes;
  const auto c = constants_.find(s);
  if (count == 1 || (c != constants_.end() && c->second->data.size() == bytes)) {
    node->kind = Kind::kScalar;
    node->value = bits(s, bytes);
  }
  return node;
}

void KernelEmitter::expect(const Instruction& i, NodePtr node) {
  node->slot = i.dst, node->by = &i;
  for (const NodePtr& o : node->operands) node->cost += o->cost;
  pending_[i.dst] = node;
  if (node->cost > kLargest) compute(node);
}

bool KernelEmitter::lazy(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  auto node = std::make_shared<Node>();
  switch (i.op) {
    case Op::kLoad: return load(pc);
    case Op::kStore: return store(pc);
    case Op::kCopy: return copy(pc);
    case Op::kReduce: return reduce(pc);
    case Op::kUnary:
    case Op::kBinary:
    case Op::kBinaryScalar: {
      const program::Elementwise& e = p_.elementwise[i.aux];
      if (!Arithmetic::knows(e) || i.n == 0) return false;
      node->kind = Kind::kElementwise;
      node->count = i.n, node->bytes = raw_bits(e.to) / 8, node->cost = weight(e);
      const unsigned from = raw_bits(e.from) / 8;
      node->operands.push_back(node_of(i.a, i.n, from));
      if (i.op != Op::kUnary) node->operands.push_back(node_of(i.b, i.op == Op::kBinary ? i.n : 1, from));
      return expect(i, node), true;
    }
    case Op::kSelect:
      if (i.n == 0) return false;
      node->kind = Kind::kSelect, node->count = i.n, node->bytes = i.small, node->cost = 1;
      node->operands = {node_of(i.a, i.n, 1), node_of(i.b, i.n, i.small), node_of(i.c, i.n, i.small)};
      return expect(i, node), true;
    case Op::kBroadcast:
    case Op::kTranspose:
    case Op::kSlice: {
      const program::Move& m = p_.moves[i.aux];
      node->kind = Kind::kMove, node->bytes = m.element_bytes;
      node->count = static_cast<std::int64_t>(bytes_of(m.out, 1));
      const auto in = static_cast<std::int64_t>(bytes_of(m.in, 1));
      if (in == 0 || node->count == 0) return false;
      node->operands.push_back(node_of(i.a, in, m.element_bytes));
      return expect(i, node), true;
    }
    default: return false;
  }
}

bool KernelEmitter::load(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  const program::MemoryAccess& a = p_.accesses[i.aux];
  if (!plain(a)) return false;
  const auto place = address(pc, a);
  if (!place) return false;
  auto node = std::make_shared<Node>();
  node->kind = Kind::kMemory, node->value = *place, node->layout = layout_of(a);
  node->count = count_of(node->layout), node->bytes = raw_bits(a.view.element) / 8;
  node->memory = a.view.memory, node->access = i.aux;
  if (node->count > 1) return expect(i, node), true;
  pending_.erase(i.dst);
  set_bits(i.dst, LLVM::LoadOp::create(b_, at_, b_.getIntegerType(8 * node->bytes), *place));
  return true;
}

bool KernelEmitter::store(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  const program::MemoryAccess& a = p_.accesses[i.aux];
  if (!plain(a)) return false;
  const Layout layout = layout_of(a);
  const std::int64_t count = count_of(layout);
  const unsigned bytes = raw_bits(a.view.element) / 8;
  before_write(a.view.memory, i.aux);
  NodePtr value = count == 1 ? nullptr : node_of(i.a, count, bytes);
  NodePtr mask = i.b == kNoSlot || count == 1 ? nullptr : node_of(i.b, count, 1);
  const auto place = address(pc, a);
  if (!place) return false;
  if (count == 1) {
    Value v = bits(i.a, bytes);
    if (i.b != kNoSlot)
      v = arith::SelectOp::create(b_, at_, truth(i.b), v, LLVM::LoadOp::create(b_, at_, v.getType(), *place));
    LLVM::StoreOp::create(b_, at_, v, *place);
    return true;
  }
  if (mask) {
    auto before = std::make_shared<Node>();
    before->kind = Kind::kMemory, before->value = *place, before->layout = layout, before->count = count;
    before->bytes = bytes, before->memory = a.view.memory, before->access = i.aux;
    auto chosen = std::make_shared<Node>();
    chosen->kind = Kind::kSelect, chosen->count = count, chosen->bytes = bytes;
    chosen->operands = {mask, value, before};
    value = chosen;
  }
  fill(value, {*place, layout, bytes, kNoSlot, a.view.memory, i.aux, streams(a)});
  return true;
}

// Of a tile: the value goes straight to where it is carried.
bool KernelEmitter::copy(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  if (i.n == 1) {
    const Value v = bits(i.a, 8);
    pending_.erase(i.dst);
    set_bits(i.dst, v);
    return true;
  }
  const auto p = pending_.find(i.a);
  NodePtr value;
  if (p != pending_.end()) {
    value = p->second;
  } else if (const auto c = constants_.find(i.a);
             c != constants_.end() && c->second->count > 1 && c->second->data.size() <= 8) {
    value = node_of(i.a, static_cast<std::int64_t>(c->second->count), static_cast<unsigned>(c->second->data.size()));
  } else {
    value = node_of(i.a, i.n, 8);
  }
  fill(value, {frame(i.dst), dense(value->count), value->bytes, i.dst});
  pending_.erase(i.dst);
  return true;
}

// At once, what is reduced on the way, unless it is dear and asked for again.
bool KernelEmitter::reduce(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  const program::Reduction& r = p_.reductions[i.aux];
  if (!Loops::folds(r)) return false;
  const unsigned bytes = raw_bits(r.element) / 8;
  const auto count = static_cast<std::int64_t>(bytes_of(r.shape, 1));
  if (count == 1) return false;
  const NodePtr operand = node_of(i.a, count, bytes);
  if (!operand->leaf() && operand->cost > kCheap && uses_[i.a].size() > 1) compute(operand);
  compute_if_pending(i.b);
  Value start = frame(i.b);
  if (const auto c = constants_.find(i.b); c != constants_.end() && c->second->data.size() == bytes)
    start = bits(i.b, bytes);
  prepare(operand);
  for (NodePtr stuck; !loops_.fold(operand, r, frame(i.dst), start, stuck); stuck = nullptr) {
    if (!stuck && operand->kind == Kind::kFrame)
      throw Error(ErrorCode::kInternal, "the CPU target cannot lay out what is reduced");
    compute(stuck ? stuck : operand);
  }
  pending_.erase(i.dst);
  return true;
}

void KernelEmitter::compute_if_pending(Slot s) {
  if (const auto p = pending_.find(s); p != pending_.end()) compute(p->second);
}

void KernelEmitter::compute(const NodePtr& node) {
  if (node->kind == Kind::kFrame || node->kind == Kind::kScalar) return;
  fill(node, {frame(node->slot), dense(node->count), node->bytes, node->slot});
  node->kind = Kind::kFrame, node->cost = 0;
  node->operands.clear();
}

// What is dear, and asked for elsewhere as well, is computed once; so is what a broadcast would compute again and
// again.
void KernelEmitter::prepare(const NodePtr& root) {
  std::map<const Node*, std::size_t> edges;
  std::vector<NodePtr> order, open{root};
  while (!open.empty()) {
    const NodePtr n = open.back();
    open.pop_back();
    if (edges.contains(n.get()) && edges[n.get()] > 1) continue;
    order.push_back(n);
    for (const NodePtr& o : n->operands)
      if (++edges[o.get()] == 1) open.push_back(o);
  }
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    if (n->get() != root.get() && !(*n)->leaf() && (*n)->cost > kCheap && uses_[(*n)->slot].size() > edges[n->get()])
      compute(*n);
    if ((*n)->kind != Kind::kMove || (*n)->by->op != Op::kBroadcast) continue;
    const NodePtr& inner = (*n)->operands[0];
    if (!inner->leaf() && inner->cost > 0 && inner->count < (*n)->count) compute(inner);
  }
}

void KernelEmitter::fill(const NodePtr& root, const Target& to) {
  prepare(root);
  bool tried = false;
  for (;;) {
    NodePtr stuck;
    if (loops_.fill(root, to, stuck)) return;
    if (!stuck || stuck == root) {
      if (root->slot == to.slot || root->kind == Kind::kFrame || std::exchange(tried, true))
        throw Error(ErrorCode::kInternal, "the CPU target cannot lay out a value");
      stuck = root;
    }
    if (stuck->slot != kNoSlot) {
      compute(stuck);
    } else {  // a masked store, whose last operand is what the memory holds
      compute(stuck->operands[0]);
      compute(stuck->operands[1]);
    }
  }
}

bool KernelEmitter::used_later(Slot s) const {
  const auto u = uses_.find(s);
  if (u == uses_.end()) return false;
  const std::uint32_t made = static_cast<std::uint32_t>(pending_.at(s)->by - p_.code.data());
  return std::ranges::any_of(u->second, [&](std::uint32_t at) { return at > pc_ || at <= made; });
}

// What other blocks read must stand in the frame where this one ends.
void KernelEmitter::flush(std::uint32_t end) {
  const std::map<Slot, NodePtr> all = std::exchange(pending_, {});
  for (const auto& [slot, node] : all) {
    const auto made = static_cast<std::uint32_t>(node->by - p_.code.data());
    const auto u = uses_.find(slot);
    if (u != uses_.end() && std::ranges::any_of(u->second, [&](std::uint32_t at) { return at >= end || at <= made; }))
      compute(node);
  }
}

void KernelEmitter::before_write(std::uint32_t memory, std::optional<std::uint32_t> access) {
  const auto changes = [&](const Node& leaf) {
    return leaf.kind == Kind::kMemory && plan_.root[leaf.memory] == plan_.root[memory] &&
           !(access && apart(p_, leaf.access, *access));
  };
  const std::map<Slot, NodePtr> all = pending_;
  for (const auto& [slot, node] : all)
    if (used_later(slot) && any_leaf(node, changes)) compute(node);
}

// Another core may change any memory from here on.
void KernelEmitter::before_release() {
  const auto reads = [](const Node& leaf) { return leaf.kind == Kind::kMemory; };
  const std::map<Slot, NodePtr> all = pending_;
  for (const auto& [slot, node] : all)
    if (used_later(slot) && any_leaf(node, reads)) compute(node);
}

void KernelEmitter::before_overwrite(Slot s) {
  const auto d = definitions_.find(s);
  if (d == definitions_.end() || d->second < 2) return;
  const auto reads = [&](const Node& leaf) { return leaf.kind == Kind::kFrame && leaf.slot == s; };
  const std::map<Slot, NodePtr> all = pending_;
  for (const auto& [slot, node] : all)
    if (slot != s && used_later(slot) && any_leaf(node, reads)) compute(node);
}

}  // namespace millrace::cpu
