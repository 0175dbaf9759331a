// SPDX-License-Identifier: Apache-2.0
// The grid of a pipeline counted as one line of steps, the last axis fastest.
#pragma once

#include <vector>

#include "dsl/arith.h"

namespace millrace::dsl {

class Steps {
 public:
  explicit Steps(std::vector<Index> grid) : grid_(std::move(grid)) {
    for (const Index& n : grid_) count_ = count_ * n;
  }
  const Index& count() const { return count_; }
  std::optional<std::int64_t> known_count() const { return count_.node().constant; }
  const std::vector<Index>& grid() const { return grid_; }

  // The grid point of step s in [0, count).
  std::vector<Index> point(const Index& s) const { return split(s, false); }
  // The point `ahead` steps after s (or, for -1, before it), wrapping around at the ends.
  std::vector<Index> point_ahead(const Index& s, std::int64_t ahead) const {
    if (ahead == 0) return point(s);
    return split(s + (ahead < 0 ? count_ + ahead : Index(ahead)), true);
  }

 private:
  static Index modulo(const Index& a, const Index& n) {
    return Index(remainder_of_counts(a.node(), n.node(), Site::current()));
  }
  std::vector<Index> split(Index rest, bool wraps) const {
    std::vector<Index> point(grid_.size(), 0);
    std::size_t outermost = 0;  // the first axis that counts: only there can a step run past the end
    while (outermost < grid_.size() && grid_[outermost].node().constant == 1) ++outermost;
    for (std::size_t axis = grid_.size(); axis-- > outermost;) {
      point[axis] = axis == outermost && !wraps ? rest : modulo(rest, grid_[axis]);
      if (axis != outermost) rest = rest / grid_[axis];
    }
    return point;
  }
  std::vector<Index> grid_;
  Index count_ = 1;
};

inline Bool differ(const std::vector<Index>& a, const std::vector<Index>& b) {
  Bool any(known(DType::i1, 0));
  for (std::size_t i = 0; i < a.size(); ++i) any = any | (a[i] != b[i]);
  return any;
}

}  // namespace millrace::dsl
