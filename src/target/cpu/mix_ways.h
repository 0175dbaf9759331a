// SPDX-License-Identifier: Apache-2.0
// The ways of calibrate.h, one for each kind of vectors and stores: inner loops, and nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "target/cpu/calibrate.h"

namespace millrace::target {

struct MixLoop::Way {
  std::string name;
  bool (*here)();  // whether this CPU has it
  // write[i] = reads[0][i] ^ reads[1][i] ^ ... for i in [first, last), multiples of 64 apart; `write` + first is
  // aligned to 64, or null: then what is read is only used up.
  void (*pass)(const char* const* reads, int count, char* write, std::size_t first, std::size_t last);
};
const std::vector<MixLoop::Way>& mix_ways();

// The same for any [first, last), slowly.
void mix_bytes(const char* const* reads, int count, char* write, std::size_t first, std::size_t last);

struct FmaLoop::Way {
  std::string name;
  bool (*here)();
  void (*run)();
  double flops;  // of a run
};
const std::vector<FmaLoop::Way>& fma_ways();

}  // namespace millrace::target
