// SPDX-License-Identifier: Apache-2.0
// Plays the scalar part of a traced kernel: its loops, branches and i32 arithmetic, and notes the copies, waits, loads
// and stores on the way. No data moves. It is small enough to be believed, and knows nothing of pipelines.
#pragma once

#include <string>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::test {

// A box of a memory: which one ("a0" the first argument, "m0" the first allocation, "s0" the first semaphore array),
// where it begins and how large it is in each dimension of the whole memory.
struct Part {
  std::string memory;
  std::vector<std::int64_t> begin, size;
  std::vector<bool> dropped;
};
std::string to_string(const Part& part);  // "a0[8+8, 0+128]", "m0[1, 0+8, 0+128]", "s0[1]"

struct Happening {
  enum Kind { kStart, kWait, kLoad, kStore } kind;
  Part from, to, semaphore;  // of a load only `from`, of a store only `to`
};
std::string to_string(const Happening& h);  // "start a0[...] -> m0[...] on s0[1]"

// Throws std::runtime_error at an operation that it does not know.
std::vector<Happening> replay(const mosaic::Module& module);
std::vector<std::string> replay_text(const mosaic::Module& module);

}  // namespace millrace::test
