// SPDX-License-Identifier: Apache-2.0
// The steps of a core: the points of the grid, or its share of them (S5.11, S5.13).
#include <numeric>

#include "machine/run.h"

namespace millrace::machine {

// The points of each parallel axis in an order of the choice source's; the axes stay nested as they are.
void Core::order_grid() {
  constexpr std::int64_t kMostPoints = 1 << 20;
  orders_.resize(program_.grid.size());
  walked_.assign(program_.grid.size(), 0);
  for (std::size_t d = 0; d < program_.grid.size(); ++d) {
    const std::int64_t extent = program_.grid[d];
    if (!program_.parallel[d] || extent < 2 || extent > kMostPoints) continue;
    std::vector<std::int32_t> order(static_cast<std::size_t>(extent));
    std::iota(order.begin(), order.end(), 0);
    bool changed = false;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const std::size_t ahead = request_.choice->among(order.size() - i);
      std::swap(order[i], order[i + ahead]);
      changed |= ahead != 0;
    }
    if (!changed) continue;
    orders_[d] = std::move(order);
  }
}

// The points of the split axes, numbered in lexicographic order, are cut into one run a core. A core that gets none has
// nothing to do.
void Core::share_grid() {
  std::int64_t points = 1;
  for (std::size_t d = 0; d < program_.grid.size(); ++d)
    if (program_.split[d]) points *= program_.grid[d];
  const std::int64_t most = (points + program_.cores - 1) / program_.cores;
  first_ = std::min(core_ * most, points), last_ = std::min(first_ + most, points);
  bool some = first_ < last_;
  while (some && !mine()) some = next_point();
  if (!some && core_ > 0) state_ = State::kEnded;
  for (std::size_t d = 0; d < program_.grid.size(); ++d)
    frame_[program_.grid_index[d]] = static_cast<std::uint32_t>(coordinate(d));
}

bool Core::mine() const {
  if (program_.cores == 1) return true;
  std::int64_t number = 0;
  for (std::size_t d = 0; d < program_.grid.size(); ++d)
    if (program_.split[d]) number = number * program_.grid[d] + coordinate(d);
  return first_ <= number && number < last_;
}

// The last dimension fastest; a parallel axis may have an order of its own.
bool Core::next_point() {
  for (std::size_t d = program_.grid.size(); d-- > 0;) {
    if (static_cast<std::int64_t>(++walked_[d]) < program_.grid[d]) return true;
    walked_[d] = 0;
  }
  return false;
}

bool Core::grid_next(const Instruction& i) {
  bool more = next_point();
  while (more && !mine()) more = next_point();
  for (std::size_t d = 0; d < program_.grid.size(); ++d)
    frame_[program_.grid_next[d]] = static_cast<std::uint32_t>(coordinate(d));
  frame_[i.dst] = more;
  return true;
}

}  // namespace millrace::machine
