// SPDX-License-Identifier: Apache-2.0
// The grid of a pipeline counted as one line of steps, the last axis fastest.
#pragma once

#include <vector>

#include "dsl/arith.h"

namespace millrace::dsl {

class Steps {
 public:
  explicit Steps(Shape grid) : grid_(std::move(grid)), count_(element_count(grid_)) {}
  std::int64_t count() const { return count_; }
  const Shape& grid() const { return grid_; }

  // The grid point of step s in [0, count).
  std::vector<Index> point(const Index& s) const { return split(s, false); }
  // The point `ahead` steps after s (or, for -1, before it), wrapping around at the ends.
  std::vector<Index> point_ahead(const Index& s, std::int64_t ahead) const {
    return ahead == 0 ? point(s) : split(s + (ahead < 0 ? ahead + count_ : ahead), true);
  }

 private:
  std::vector<Index> split(Index rest, bool wraps) const {
    std::vector<Index> point(grid_.size(), 0);
    std::size_t outermost = 0;  // the first axis that counts: only there can a step run past the end
    while (outermost < grid_.size() && grid_[outermost] == 1) ++outermost;
    for (std::size_t axis = grid_.size(); axis-- > outermost;) {
      point[axis] = axis == outermost && !wraps ? rest : rest % grid_[axis];
      if (axis != outermost) rest = rest / grid_[axis];
    }
    return point;
  }
  Shape grid_;
  std::int64_t count_;
};

inline Bool differ(const std::vector<Index>& a, const std::vector<Index>& b) {
  Bool any(known(DType::i1, 0));
  for (std::size_t i = 0; i < a.size(); ++i) any = any | (a[i] != b[i]);
  return any;
}

}  // namespace millrace::dsl
