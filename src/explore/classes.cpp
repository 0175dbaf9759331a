// SPDX-License-Identifier: Apache-2.0
#include "explore/classes.h"

#include <span>
#include <utility>

namespace millrace::explore {

void Classes::read_off(std::size_t from) {
  for (std::size_t i = from; i < way_.size(); ++i)
    if (trial_.when(way_[i].before) > trial_.when(way_[i].after)) std::swap(way_[i].before, way_[i].after);
}

// Decides the pair the other way, under the decisions before it.
bool Classes::turn(std::size_t pair) {
  std::swap(way_[pair].before, way_[pair].after);
  if (trial_.run(std::span(way_).first(pair + 1))) {
    read_off(pair + 1);
    return true;
  }
  std::swap(way_[pair].before, way_[pair].after);
  return false;
}

bool Classes::run(Budget& budget, const Visit& visit) {
  count_ = 0;
  std::vector<bool> turned(way_.size(), false);
  const auto met = [&] {
    if (budget.classes == 0) return false;
    --budget.classes, ++count_;
    if (visit) visit(way_);
    return true;
  };
  std::uint64_t spent = 0;
  if (!trial_.run({})) return true;
  read_off(0);
  if (!met()) return false;
  for (std::size_t depth = way_.size(); depth > 0;) {
    const std::size_t pair = depth - 1;
    if (turned[pair]) {
      turned[pair] = false, --depth;
      continue;
    }
    turned[pair] = true;
    if (turn(pair)) {
      if (!met()) return false;
      depth = way_.size();
    }
    const std::uint64_t work = trial_.work() - std::exchange(spent, trial_.work());
    if (work > budget.work) return false;
    budget.work -= work;
  }
  return true;
}

}  // namespace millrace::explore
