// SPDX-License-Identifier: Apache-2.0
// The run of a single core, cut where no DMA that races is in flight. Nothing crosses such a cut: what was started
// before it is proven complete, or touches nothing that anybody else touches in another order. So the classes of a run
// are those of its stretches, multiplied.
//
// All in one pass: a DMA is in some order with what comes between its start and the wait that proves it complete
// (S4.1), and on one core that is exact.
#pragma once

#include <cstddef>
#include <vector>

#include "explore/system.h"
#include "explore/trial.h"

namespace millrace::explore {

struct Pair {
  Step first, second;  // in program order; of a DMA, that of its start
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

struct Stretch {
  std::size_t begin = 0, end = 0;  // operations of the core
  std::vector<Pair> pairs;         // of conflicting accesses that may come in either order
};

struct Sweep {
  std::size_t end = 0;  // how far the core comes
  std::vector<Stretch> stretches;
  std::vector<std::size_t> proven;  // by DMA: the wait from which on it is known to be complete; `end`: none
  bool all = true;                  // false: there are more pairs than were asked for
};
Sweep sweep(const Skeleton& s, bool whole, std::size_t max_pairs);

// A stretch as a system of its own: what cannot hold up any of its pairs is left out.
struct Cutout {
  System system;
  std::vector<Ordered> pairs;
};

// Cuts out one stretch after the other, in their order.
class Cutter {
 public:
  Cutter(const Skeleton& s, bool whole);
  Cutout cut(const Stretch& stretch);

 private:
  void pass(const Op& op);

  const Skeleton& skeleton_;
  bool whole_;
  std::size_t at_ = 0;
  std::vector<std::int64_t> held_;    // by semaphore, with every DMA complete
  std::vector<std::uint32_t> local_;  // by semaphore: its number in the system being made
};

}  // namespace millrace::explore
