// SPDX-License-Identifier: Apache-2.0
// A run as it may be drawn: lanes of bars, the lives of slots, arrows, counters, what limits it, and where it is
// faulty. Plain data; times are modeled (docs/timing.md) in picoseconds since the kernel began.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"
#include "timing/trace.h"

namespace millrace::timing {

enum class LaneKind : std::uint8_t { kLoad, kStore, kHbm, kLocal, kSend, kCompute, kWait };

struct Lane {
  LaneKind kind = LaneKind::kCompute;
  int device = 0, core = 0;
  std::string operand;  // of DMAs: "in0"
};

// A buffer that DMAs fill or empty. Its slots are called A0, A1, ...
struct Row {
  std::string letter;         // "A"; the same on all cores
  std::string name, operand;  // "scoped0", "in0"
  int device = 0, core = 0;
  std::uint32_t slots = 1;
};

struct Bar {
  Index lane = 0;
  Time begin = 0, end = 0;
  Time moves = 0;       // of a DMA: when its first byte moves; else `begin`
  std::string label;    // "A0"; of a compute "A0 B0>C0": what it reads and writes
  Index block = kNone;  // Timeline::blocks
  Index step = kNone;   // Timeline::steps
  event::PlaceId at = 0;
  std::int64_t bytes = 0;     // of a DMA
  std::vector<Index> lives;   // of a DMA: what it fills or empties; of a compute: what it reads, then what it writes
  std::vector<Index> proves;  // of a wait: the bars of the DMAs that it proves to be complete
  std::uint32_t leaves_open = 0;     // of a wait: DMAs on its semaphore that it does not prove
  std::string semaphore;             // of a wait
  std::int64_t amount = 0, has = 0;  // of a wait: what it takes; of one that is never met: what there is
  bool never = false;                // a wait that is never met
  bool critical = false;             // on the critical path
  std::uint64_t count = 1;           // how many bars this one stands for (coarse.h)
  Time busy = 0;                     // and how long they take together
};

// One slot, from the moment that something new comes into it.
struct Tenancy {
  Index row = 0, slot = 0;
  std::uint32_t version = 0;
  Time begin = 0;      // the DMA that fills it has started, or the core begins to write it
  Time filled = 0;     // it is there
  Time last_use = 0;   // nobody reads it any more
  Time reusable = -1;  // the core knows that; -1: it never does
  Index block = kNone;
  Index opened_by = kNone;  // a bar
  Index last_by = kNone;    // the bar of its last use
  std::uint64_t count = 1;  // as of a Bar
};

// A DMA's start, its end, and the wait that took its last byte.
struct Arrow {
  Index copy = 0, wait = 0;  // bars
};

struct Counter {
  std::string name, unit;
  int device = 0, core = 0;
  struct Point {
    Time at = 0;
    std::int64_t value = 0;  // from then on
  };
  std::vector<Point> points;
  std::int64_t most = 0;
};

// Where a finding happens.
struct Moment {
  Index bar = kNone;
  Time begin = 0, end = 0;
  std::string what;  // "core read", "waits for scratch1[0]: has 0, needs 4096"
  std::string at;    // as the finding has it
};
struct Fault {
  std::string id, message, memory, box, schedules;
  std::vector<Moment> moments;  // of a race: both accesses
  bool error = true;
};

// A part of the critical path: all of its time that goes to this.
struct PathPart {
  std::string what;  // "compute", "control", "latency", "transfer", "signal"
  Index lane = kNone;
  Time time = 0;
};

struct Term {        // of the formula for a step
  std::string what;  // "slots of A: (latency + transfer + compute) / 2"
  Time time = 0;
};

// The middle of a run in steps, and what the theory says a step must take at least: the largest term.
struct Steady {
  std::string steps;        // what is counted: "grid steps", "pipeline steps", or a place; empty: there are no steps
  std::uint64_t count = 0;  // of all of them, and how many the middle has
  std::uint64_t middle = 0;
  Time from = 0, to = 0;
  Time simulated = 0, theory = 0;  // per step
  std::vector<Term> terms;
  std::string bounded_by;  // the largest term
};

struct Coarse {
  bool is = false;         // bars were joined
  std::uint64_t bars = 0;  // how many there were
  Time bucket = 0;         // bars that begin within one such stretch of a lane are one
};

struct Timeline {
  std::string title;  // the kernel
  std::string execution = "modeled";
  std::string device;    // of a measured timeline: what ran it; else empty
  std::string chip;      // whose costs the clock takes
  std::string schedule;  // under which the run was recorded
  std::vector<Parameter> parameters;
  Time end = 0;
  int devices = 1, cores = 1;
  std::vector<event::Place> places;
  std::vector<Block> blocks;
  std::vector<std::vector<std::int64_t>> steps;
  std::vector<Lane> lanes;
  std::vector<Row> rows;
  std::vector<Bar> bars;           // by lane, then by time
  std::vector<Tenancy> tenancies;  // by row, slot and time
  std::vector<Arrow> arrows;
  std::vector<Counter> counters;
  std::vector<Fault> faults;
  std::vector<PathPart> path;  // largest first
  std::string bounded_by;      // "latency of loads": the largest part of the path, by what and direction
  Steady steady;
  Time moving = 0, computing = 0, waiting = 0;  // of all cores: some DMA is on its way; the core computes; stands still
  Time overlapped = 0;                          // computes while some DMA is on its way
  double overlap = 0;                           // overlapped / the shorter of moving and computing
  bool cut = false;                             // the run went on; this is its beginning
  Coarse coarse;
};

std::string letter_of(Index number);                          // A ... Z, AA, AB, ...
std::string name_of(const Timeline& t, const Lane& lane);     // "load in0", "core 1: compute", "device 1: wait"
std::string name_of(LaneKind kind);                           // "load"
std::string slot_of(const Timeline& t, const Tenancy& life);  // "A0"
std::string block_text(const Timeline& t, Index block);       // "block (0, 1)", "elements (3, 128)", ""
std::string step_text(const Timeline& t, Index step);         // "(0, 1)", ""

}  // namespace millrace::timing
