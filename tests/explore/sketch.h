// SPDX-License-Identifier: Apache-2.0
// Small programs written by hand or drawn at random, and all of their runs, one interleaving after the other: the
// oracle of the explorer, made to be obviously right.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "explore/skeleton.h"

namespace millrace::test {

// One memory after the other; `elements` are bits, so that what overlaps is plain.
struct Touch {
  int memory = 0;
  int begin = 0, end = 1, stride = 1;
  std::uint64_t bits = 0;  // where not 0: these elements, instead
  std::uint64_t elements() const;
};

struct Act {
  enum class Kind { kRead, kWrite, kStart, kSignal, kWait } kind = Kind::kRead;
  Touch touch = {};   // of a read or write; a start's source
  Touch target = {};  // of a start
  int semaphore = 0;  // raised, signalled or awaited
  std::int64_t amount = 0;
  int sends = -1;  // of a start: the semaphore raised when it has read
};

struct Sketch {
  std::vector<std::vector<Act>> cores;
  std::vector<bool> bytes;  // by semaphore: counts bytes
};

Act read(Touch t);
Act write(Touch t);
Act start(Touch source, Touch target, int semaphore, std::int64_t amount, int sends = -1);
Act signal(int semaphore, std::int64_t amount);
Act wait(int semaphore, std::int64_t amount);

// As a run would tell it.
explore::Skeleton skeleton_of(const Sketch& sketch);

// The classes of all runs, each as a text: one letter a conflicting pair.
struct AllRuns {
  std::set<std::string> complete, deadlocked;
  bool all = true;  // false: there were too many to look at
};
AllRuns all_runs(const Sketch& sketch, bool whole, std::size_t most_states = 3'000);

// A program out of numbers: any numbers give one. `cores` of them, which share a semaphore only where `contended`.
using Genome = std::vector<std::vector<std::uint8_t>>;  // by core: four numbers an act
Sketch sketch_of(const Genome& genome, bool contended);
Genome random_genome(std::uint64_t seed, int cores, int acts);
std::string to_string(const Sketch& sketch);

}  // namespace millrace::test
