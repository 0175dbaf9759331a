// SPDX-License-Identifier: Apache-2.0
// Counts the ways in which the runs of a system order given pairs of happenings.
//
// A tree of decisions, pair by pair: a node fixes the order of the first so many pairs, and a run that keeps them shows
// one way to decide all the others. So each node has a run below it, each leaf is one class, and no class is met twice.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/trial.h"

namespace millrace::explore {

// What may still be spent: classes met, and happenings tried.
struct Budget {
  std::uint64_t classes = 0, work = 0;
};

class Classes {
 public:
  using Visit = std::function<void(const std::vector<Ordered>&)>;

  Classes(const System& system, std::vector<Ordered> pairs) : trial_(system), way_(std::move(pairs)) {}

  // Shows each class: the pairs in the order in which they were given, each turned as the class has it. False: the
  // budget was spent before all were met.
  bool run(Budget& budget, const Visit& visit = {});
  std::uint64_t count() const { return count_; }

 private:
  bool turn(std::size_t pair);
  void read_off(std::size_t from);

  Trial trial_;
  std::vector<Ordered> way_;  // of each pair; those beyond the current depth as the last run had them
  std::uint64_t count_ = 0;
};

}  // namespace millrace::explore
