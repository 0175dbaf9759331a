// SPDX-License-Identifier: Apache-2.0
// A small kernel as a tree of steps, for programs that nobody wrote. Whatever numbers stand in it, it stays inside its
// memories and comes to an end or a deadlock, so steps may be dropped or changed freely.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::programs {

// Memories are f32: so many rows of 16 elements, once or in several slots. A cell is half a row: 32 bytes, which is one
// granule of a DMA.
inline constexpr int kRows = 8, kWidth = 16, kCell = 8;
inline constexpr int kFlags = 4;

struct Memory {
  enum class Kind { kInput, kOutput, kScratch, kScoped } kind = Kind::kScratch;  // kScoped: where a kScope makes it
  int slots = 1;
};
struct Semaphore {
  bool bytes = true;  // a DMA semaphore
  int slots = 1;
};

// (base + step * i) modulo what there is room for, where i counts the innermost loop's iterations (0 outside of loops).
struct Number {
  int base = 0, step = 0;
  int at(int i, int room) const { return ((base + step * i) % room + room) % room; }
};

// Some rows of a memory, one after the other or every second one, whole or their left or right half.
struct View {
  int memory = 0;
  Number slot, row;
  bool comb = false;
  bool right = false;  // where only half of each row is taken
};
// How many places there are for so many rows.
inline int room(bool comb, int rows) { return comb ? 2 * (kRows / 2 - rows + 1) : kRows - rows + 1; }

struct Counter {
  int semaphore = 0;
  Number slot;
};

struct Condition {
  enum class Kind { kFlag, kCore, kBefore, kAfter } kind = Kind::kFlag;
  int value = 0;  // which input flag is set; which core this is; i below it; i above it
};

struct Step {
  enum class Kind { kStart, kAwait, kWait, kSignal, kMove, kStore, kLoop, kIf, kScope } kind = Kind::kMove;
  int line = 0;            // in the kernel's source
  View from, to;           // of kStart, kMove; kStore writes `to`
  int rows = 1;            // 1 to 4, of both views; of kAwait: of what is waited for
  bool half = false;       // of each row
  Counter on;              // raised or awaited
  Counter sends;           // of a remote kStart
  bool remote = false;     // kStart, kSignal: the other core's or device's; alone, a kStart to oneself
  int amount = 1;          // of kWait, kSignal
  int times = 1;           // of kLoop
  Condition condition;     // of kIf
  int makes = 0;           // of kScope: a memory
  std::vector<Step> body;  // of kLoop, kIf, kScope
};

struct Program {
  int cores = 1;
  bool devices = false;  // the cores are devices of one core each
  std::vector<Memory> memories;
  std::vector<Semaphore> semaphores;
  std::array<bool, kFlags> flags = {};
  std::vector<Step> steps;  // of every core
};

std::string to_string(const Program& program);

// How many steps there are, loops' and branches' bodies included, and how many of one kind.
std::size_t count(const std::vector<Step>& steps);
std::size_t count(const std::vector<Step>& steps, Step::Kind kind);
// Calls f for each step, outer ones first.
template <class Steps, class F>
void for_each(Steps& steps, const F& f) {
  for (auto& step : steps) {
    f(step);
    for_each(step.body, f);
  }
}

// The scratch memory that stands for a scoped one outside of its scope, and for one that another core is to reach.
inline constexpr int kInstead = 2;

// What a core really does, loops unrolled and branches decided. A memory or semaphore has one number for all cores
// that share it.
struct Act {
  Step::Kind kind = Step::Kind::kMove;  // kStart, kWait, kSignal, kMove (a read of `from`), kStore
  int from = 0, to = 0;                 // memories
  std::uint64_t from_cells = 0, to_cells = 0;
  int semaphore = 0, sends = -1;
  std::int64_t amount = 0;  // bytes on a DMA semaphore
  int line = 0;
};
// A scoped memory has a new number each time that it is made.
std::vector<Act> acts_of(const Program& program, int core);
// By the semaphores' numbers: whether they count bytes.
std::vector<bool> counts_bytes(const Program& program);

}  // namespace millrace::programs
