// SPDX-License-Identifier: Apache-2.0
// All operations of a region, those in its operations' regions included, in the order of the text. Without recursion:
// the depth of a module is its author's.
#pragma once

#include <cstddef>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::mosaic {

template <class F>
void each_op(const Region& region, const F& f) {
  struct Open {
    const std::vector<Op>* ops;
    std::size_t next;
  };
  std::vector<Open> open{{&region.ops, 0}};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == top.ops->size()) {
      open.pop_back();
      continue;
    }
    const Op& op = (*top.ops)[top.next++];
    f(op);
    for (std::size_t r = op.regions.size(); r-- > 0;) open.push_back({&op.regions[r].ops, 0});
  }
}

}  // namespace millrace::mosaic
