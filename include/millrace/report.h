// SPDX-License-Identifier: Apache-2.0
// What a check reports. Text, JSON and SARIF are prints of these values; docs/schema/finding.schema.json describes
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "millrace/array.h"

namespace millrace {

enum class Severity { kError, kWarning };

// Half-open elements begin, begin + stride, ... below end, along one dimension of a memory.
struct Range {
  std::int64_t begin = 0, end = 0, stride = 1;
  friend bool operator==(const Range&, const Range&) = default;
};

// One of the two accesses that a finding is about.
struct Side {
  std::string access;     // "core read", "core write", "DMA read", "DMA write", "pipeline write"
  std::string at;         // the raw place in the module, "file:line" or a scope name
  std::uint64_t nth = 0;  // which execution of that place, from 0
  int core = 0;
  int device = 0;
  std::vector<std::int64_t> grid_step;  // of a pipeline write
  std::string where;                    // the sentence for people
};

// A core that waits for ever.
struct Waiter {
  std::string semaphore;  // "scratch1[0]"
  std::string at;
  std::uint64_t nth = 0;
  int core = 0;
  std::int64_t has = 0, needs = 0;  // bytes on a DMA semaphore, else a count
  int device = 0;
};

struct Finding {
  std::string id;  // stable: "race.read-write", "deadlock", ...
  Severity severity = Severity::kError;
  std::string message;  // one sentence: what happens
  std::string hint;     // how such a thing is usually mended
  std::string clause;   // of docs/semantics.md: "S4.2"
  std::string memory;   // "in0", "out0", "scratch0", "scoped0"; empty where the finding has none
  std::optional<Side> first, second;
  std::vector<Range> box;  // the elements concerned, one range a dimension of the memory
  std::vector<Waiter> waiters;
  std::string schedules;  // "all" | "some" | empty

  // By id, empty elsewhere.
  std::vector<std::string> same_memory;      // races through two names of one array: both
  std::string semaphore;                     // leftover.*
  std::optional<std::int64_t> bytes, count;  // leftover.dma, leftover.semaphore
  std::string at;                            // of a finding without sides: the raw place
  std::vector<std::int64_t> extent;          // bounds.dma, bounds.access: the shape that was left
  std::vector<std::int64_t> block, blocks;   // bounds.block, revisit.output, ...: which block, how many there are
  std::vector<std::int64_t> grid_step;       // in which step
  std::vector<std::vector<Range>> boxes;     // uncovered.output
  std::string output;                        // alias.hazard: the output that the array is, too
  std::vector<std::int64_t> written_in;      // alias.hazard: the step that replaced the block
  std::vector<std::int64_t> left_after;      // revisit.output: the step after which the block was left
};

enum class Verdict { kClean, kFaulty };

struct Work {
  std::uint64_t steps = 0;  // instructions executed
  std::uint64_t grid_steps = 0;
  std::uint64_t dmas = 0;
  std::uint64_t dma_bytes = 0;
};

struct Report {
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;
  std::vector<Array> outputs;  // of the canonical schedule; empty where the kernel did not end
  Work work;
};

}  // namespace millrace
