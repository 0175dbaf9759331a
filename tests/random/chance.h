// SPDX-License-Identifier: Apache-2.0
// Random numbers of one seed, the same on every machine.
#pragma once

#include <cstdint>

#include "array/splitmix.h"

namespace millrace::programs {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  int pick(int n) { return static_cast<int>(next_splitmix(state_) % static_cast<std::uint64_t>(n)); }  // 0 to n - 1
  int from(int low, int high) { return low + pick(high - low + 1); }                                   // both included
  bool one_in(int n) { return pick(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace millrace::programs
