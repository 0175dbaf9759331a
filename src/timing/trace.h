// SPDX-License-Identifier: Apache-2.0
// A run without its data and without time: for each core what it did, one thing after another, and the DMAs that it
// started. The modeled clock (clock.h) gives these things their times.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/work.h"
#include "timing/costs.h"

namespace millrace::timing {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffff;

// Memory that tiles lie in: the windows of an operand, or a scratch buffer. A leading dimension of 2 to 16 before two
// or more others counts slots.
struct Buffer {
  std::string name;      // "in0" of windows, "scoped0"
  std::string operand;   // what its DMAs bring or take away, "in0"; empty: no DMA touches it
  Index letter = kNone;  // A, B, ...: the same for the buffers of this name on all cores
  int device = 0, core = 0;
  std::uint32_t slots = 1;
};

// What one slot holds from the moment something new comes into it until the next new thing does.
struct Life {
  Index buffer = 0, slot = 0;
  std::uint32_t version = 0;                  // of this slot, from 0
  Index block = kNone;                        // which part of the operand: Trace::blocks
  Index fetched_by = kNone;                   // a copy; else the compute below wrote it
  Index made_by = kNone;                      // a compute
  Index first_use = kNone, last_use = kNone;  // computes
  Index stored_by = kNone;                    // the last copy that takes it away
};

// What a core computed between two things that others can notice.
struct Compute {
  Index core = 0, step = kNone;
  event::PlaceId at = 0;
  double vector = 0, transcendental = 0, rearrange = 0;                          // elements
  double loaded = 0, stored = 0;                                                 // bytes
  double matrix = 0, matrix32 = 0, matrix_i8 = 0, matrix_f8 = 0, matrix_i4 = 0;  // multiply-adds by operands
  std::vector<Index> reads = {}, writes = {};                                    // lives, each once
};

enum class Direction : std::uint8_t { kLoad, kStore, kHbm, kLocal, kSend };

struct Copy {
  Index core = 0;  // that started it, counted over all devices
  Direction direction = Direction::kLoad;
  std::string operand;  // the array in HBM, else what it copies from
  std::int64_t bytes = 0;
  Index block = kNone, step = kNone;
  event::PlaceId at = 0;
  Index action = 0;               // its start, among the core's actions
  Index raises = 0;               // a semaphore
  Index sends = kNone;            // the same of a remote copy's sending half
  std::int64_t amount = 0;        // by which it raises each
  std::vector<Index> from, into;  // lives
  bool window = false;
};

struct Wait {
  Index semaphore = 0;
  std::int64_t amount = 0;
  std::int64_t has = 0;            // of one that is never met: how much there is
  std::vector<Index> proved = {};  // the copies that it proves to be complete (S4.1)
  std::uint32_t open = 0;          // copies on its semaphore that it leaves open
};

struct Signal {
  Index semaphore = 0;
  std::int64_t amount = 0;
  bool far = false;  // of another device's core
};

enum class Act : std::uint8_t { kCompute, kStart, kWait, kStuck, kSignal, kGridStep, kPipelineStep, kMemory };

struct Action {
  Act act = Act::kCompute;
  event::PlaceId at = 0;
  Index index = 0;         // into computes, copies, waits, signals or steps
  std::int64_t bytes = 0;  // of kMemory: VMEM that comes (or, below zero, goes)
};

struct CoreTrace {
  int device = 0, core = 0;
  std::vector<Action> actions;
};

struct Block {
  std::vector<std::int64_t> at;
  bool elements = false;  // `at` are elements, since they are no multiples of a block
  friend auto operator<=>(const Block&, const Block&) = default;
};

// Where an access was: which execution of a place it is, findings say.
struct PlaceOfCore {
  Index core = 0;
  event::PlaceId at = 0;
  std::string memory;  // of accesses; empty of starts and waits
  friend auto operator<=>(const PlaceOfCore&, const PlaceOfCore&) = default;
};

struct Trace {
  std::vector<event::Place> places;
  std::vector<CoreTrace> cores;  // those of device 0, then those of device 1, ...
  int devices = 1, cores_of_device = 1;
  std::vector<Buffer> buffers;
  std::vector<std::string> letters;  // names of buffers, by letter
  std::vector<Life> lives;
  std::vector<Compute> computes;
  std::vector<Copy> copies;
  std::vector<Wait> waits;
  std::vector<Signal> signals;
  std::vector<std::string> semaphores;           // "scopedsem0[1]"
  std::vector<Index> semaphore_core;             // whose it is
  std::vector<std::vector<std::int64_t>> steps;  // of the grid, or a number in a pipeline
  std::vector<Block> blocks;
  std::map<PlaceOfCore, std::vector<Index>> accesses;    // by execution: the compute
  std::map<PlaceOfCore, std::vector<Index>> starts;      // the copy
  std::map<PlaceOfCore, std::vector<Index>> waited;      // the action of the core
  std::map<std::string, std::vector<std::string>> also;  // other names of a memory
  bool cut = false;                                      // there was more than the recorder keeps
};

}  // namespace millrace::timing
