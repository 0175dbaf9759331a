// SPDX-License-Identifier: Apache-2.0
// What a kernel holds in the small memories of a chip: each window, scratch buffer and buffer of a scope, its elements,
// whole tiles counted, times its slots; and the sums beside what the chip gives. From the module alone; what the
// compiler adds of its own (spills, its own scratch) is not in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/rules.h"

namespace millrace::rules {

// Bytes by kind of memory.
struct Bytes {
  std::int64_t vmem = 0, smem = 0, semaphores = 0;
  void add(const Bytes& b);
  void most(const Bytes& b);  // the larger of both, each kind by itself
};

enum class Holder { kWindow, kWhole, kScratch, kScope };

// One memory. Bytes are of one slot, but `bytes`, which is padded times slots.
struct Held {
  std::string name;    // "in0", "scratch0", "scoped0"
  std::string memory;  // "VMEM", "SMEM", "semaphores"
  Holder holder = Holder::kWhole;
  std::int64_t slots = 1, logical = 0, padded = 0, bytes = 0;
};

struct Footprint {
  std::vector<Held> held;  // operands, scratch, then scopes in the order of the module
  Bytes scopes;            // the most that scopes hold at one time; those beside each other share their bytes
  Bytes total;             // operands, scratch and that
  Bytes limit;             // what a kernel gets
  std::int64_t vmem = 0;   // bytes of VMEM that the chip has
  std::string chip;        // "v5e"
};

std::string name_of(Holder holder);  // "window", "whole", "scratch", "scope"

// Error(kUser) where the module has no kernel.
Footprint footprint_of(const Question& question);

}  // namespace millrace::rules
