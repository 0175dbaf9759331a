// SPDX-License-Identifier: Apache-2.0
// What a loop's function depends on: a recipe, and how its leaves and its target lie, with as few dimensions as there
// can be.
#pragma once

#include <string>
#include <vector>

#include "target/cpu/tiles.h"

namespace millrace::cpu {

inline constexpr std::int64_t kLine = 64, kShortRow = 512;  // bytes

struct Loops::Form {
  Recipe recipe;
  unsigned bytes = 4;           // of an element of the target
  Layout target;                // joined
  std::vector<Layout> leaves;   // joined, by leaf of the recipe
  std::vector<bool> is_target;  // by leaf: it lies where the target does
  bool apart = true;            // no other leaf shares memory with the target
  std::vector<int> symbols;     // that strides name, ascending

  std::string text(const Plan& plan) const;
  // Rows of the leaf lie so far apart that the processor does not foresee the next one.
  bool far_rows(std::size_t leaf) const {
    const Node& n = *recipe.leaves[leaf].node;
    if (n.kind != Node::Kind::kMemory || is_target[leaf] || leaves[leaf].size() != 2 || leaves[leaf][1].stride != 1)
      return false;
    const std::int64_t row = leaves[leaf][1].size * n.bytes;
    return row >= kShortRow && leaves[leaf][0].stride * n.bytes >= row + kLine;
  }
  bool rows_apart() const {
    if (target.size() != 2 || !symbols.empty()) return false;
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (far_rows(k)) return true;
    return false;
  }
};

}  // namespace millrace::cpu
