// SPDX-License-Identifier: Apache-2.0
// From a graph of nodes to the list of what a loop does for each element.
#include "machine/tile/tile.h"
#include "target/cpu/tiles.h"

namespace millrace::cpu {

using program::Op;

namespace {

class Spread {
 public:
  Spread(const Plan& plan, Recipe& recipe) : plan_(plan), recipe_(recipe) {}

  // The step that computes the node where it is seen through these moves, the innermost last.
  std::optional<std::size_t> visit(const NodePtr& n, const std::vector<const Node*>& moves) {
    if (n->kind == Node::Kind::kMove) {
      std::vector<const Node*> inner = moves;
      inner.push_back(n.get());
      return visit(n->operands[0], inner);
    }
    const auto key = std::pair{static_cast<const Node*>(n.get()), moves};
    if (const auto known = done_.find(key); known != done_.end()) return known->second;
    Recipe::Step step{n.get(), {}, 0};
    if (n->kind == Node::Kind::kScalar) {
      step.leaf = recipe_.scalars.size();
      recipe_.scalars.push_back(n->value);
    } else if (n->leaf()) {
      Recipe::Leaf leaf{n, n->kind == Node::Kind::kMemory ? n->layout : dense(n->count), 0};
      if (!through(moves, leaf)) return {};
      step.leaf = recipe_.leaves.size();
      recipe_.leaves.push_back(std::move(leaf));
    }
    for (const NodePtr& o : n->operands) {
      const auto operand = visit(o, moves);
      if (!operand) return {};
      step.operands.push_back(*operand);
    }
    kept_.push_back(n);
    recipe_.steps.push_back(std::move(step));
    return done_[key] = recipe_.steps.size() - 1;
  }

  const Node* blocked = nullptr;  // the move that cannot be seen through

 private:
  bool through(const std::vector<const Node*>& moves, Recipe::Leaf& leaf) {
    for (auto m = moves.rbegin(); m != moves.rend(); ++m) {
      const program::Move& move = plan_.program.moves[(*m)->by->aux];
      std::optional<Layout> next;
      if ((*m)->by->op == Op::kBroadcast) next = broadcast(leaf.layout, move.in, move.out);
      if ((*m)->by->op == Op::kTranspose) next = transposed(leaf.layout, move.in, move.numbers);
      if ((*m)->by->op == Op::kSlice) next = sliced(leaf.layout, move.in, move.numbers, move.out, leaf.offset);
      if (!next) return blocked = *m, false;
      leaf.layout = std::move(*next);
    }
    return true;
  }

  const Plan& plan_;
  Recipe& recipe_;
  std::map<std::pair<const Node*, std::vector<const Node*>>, std::size_t> done_;
  std::vector<NodePtr> kept_;
};

bool same(const program::Sum& a, const program::Sum& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) return false;
  for (std::size_t i = 0; i < a.terms.size(); ++i)
    if (a.terms[i].slot != b.terms[i].slot || a.terms[i].wide != b.terms[i].wide) return false;
  return true;
}

}  // namespace

bool recipe_of(const Plan& plan, const NodePtr& root, Recipe& recipe, NodePtr& stuck) {
  Spread spread(plan, recipe);
  if (spread.visit(root, {})) return true;
  if (spread.blocked) stuck = spread.blocked->operands[0];
  return false;
}

bool same_place(const program::Program& p, std::uint32_t access, std::uint32_t other) {
  const program::MemoryAccess &a = p.accesses[access], &b = p.accesses[other];
  if (a.view.memory != b.view.memory || a.view.frame || b.view.frame || a.view.dims.size() != b.view.dims.size())
    return false;
  for (std::size_t d = 0; d < a.view.dims.size(); ++d)
    if (!same(a.view.dims[d].start, b.view.dims[d].start)) return false;
  if (a.view.shown != b.view.shown || a.shape != b.shape || a.strides != b.strides) return false;
  for (std::size_t k = 0; k < a.index.size(); ++k)
    if (!same(a.index[k], b.index[k])) return false;
  return true;
}

bool apart(const program::Program& p, std::uint32_t access, std::uint32_t other) {
  const program::MemoryAccess &a = p.accesses[access], &b = p.accesses[other];
  if (a.view.memory != b.view.memory || a.view.frame || b.view.frame) return false;
  // Where both begin at known places along a dimension, the stretches that they take of it.
  struct Stretch {
    bool known = true;
    std::int64_t first = 0, last = 0;
  };
  const auto stretch = [](const program::MemoryAccess& m, std::size_t d) {
    Stretch s{m.view.dims[d].start.terms.empty(), m.view.dims[d].start.constant, 0};
    s.last = s.first + m.view.dims[d].size;
    for (std::size_t k = 0; k < m.view.shown.size(); ++k) {
      if (m.view.shown[k] != d) continue;
      s.known &= m.index[k].terms.empty();
      s.first += m.index[k].constant;
      s.last = s.first + (m.shape[k] - 1) * m.strides[k] + 1;
    }
    return s;
  };
  for (std::size_t d = 0; d < a.view.dims.size(); ++d) {
    const Stretch x = stretch(a, d), y = stretch(b, d);
    if (x.known && y.known && (x.last <= y.first || y.last <= x.first)) return true;
  }
  return false;
}

}  // namespace millrace::cpu
