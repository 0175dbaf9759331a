// SPDX-License-Identifier: Apache-2.0
// What a run does without its data: for each core, in program order, what it touches, starts, signals and waits for.
// About 32 bytes an operation, so a run of a million takes tens of megabytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"
#include "explore/areas.h"

namespace millrace::explore {

using SemaphoreId = std::uint32_t;  // index into Skeleton::semaphores

struct Op {  // of a core
  enum class Kind : std::uint8_t { kRead, kWrite, kStart, kSignal, kWait } kind = Kind::kRead;
  event::PlaceId at = 0;
  std::uint32_t what = 0;   // an area, a DMA, or a semaphore
  std::int64_t amount = 0;  // of a signal or a wait
};

struct Dma {
  event::DmaId id = 0;
  std::uint32_t core = 0;  // whose start it is, and which operation of that core
  std::uint32_t op = 0;
  AreaId source = 0, target = 0;
  SemaphoreId raises = 0;             // when it has written
  std::optional<SemaphoreId> sends;   // when it has read: of a copy to another core or device
  std::int64_t amount = 0, last = 0;  // in all; the last granule. The rest may have been raised at any time
  bool window = false;                // a move of the grid's own window pipeline
  std::uint32_t step = 0;             // of such a move: the step whose block it moves, in Skeleton::steps; 0: none
};

struct Core {
  int device = 0, core = 0;
  std::vector<Op> ops;
  bool blocked = false;  // the last operation is a wait that did not return in the recorded run
};

// Whose a memory is: the `nth` of its name that this core allocated; core event::kShared: all cores of the device. The
// same in all runs, while ids depend on the schedule.
struct Owner {
  int device = 0, core = 0;
  std::uint32_t nth = 0;
  std::optional<std::uint32_t> until;  // freed before the kernel's end: how many operations its core had done
};

struct Skeleton {
  std::vector<Core> cores;
  std::vector<Dma> dmas;
  std::vector<event::Semaphore> semaphores;
  Areas areas;
  std::vector<event::Place> places;
  std::vector<std::string> memories;                    // names, by MemoryId
  std::vector<Owner> owners;                            // likewise
  std::vector<std::vector<std::int64_t>> steps = {{}};  // of the grid, those that moves of windows name
  bool cut = false;                                     // the run ended before its kernel did: a fault stopped it
};

// An access of a core, or one end of a DMA.
struct Step {
  enum class Kind : std::uint8_t { kCore, kDmaRead, kDmaWrite } kind = Kind::kCore;
  std::uint32_t core = 0;   // of a DMA: of its start
  std::uint32_t index = 0;  // the core's operation, or the DMA
  friend auto operator<=>(const Step&, const Step&) = default;
};

// An array and its windows' buffers have one name in findings: "in0.window1" is "in0".
std::string operand_name(const std::string& memory);
AreaId area_of(const Skeleton& s, const Step& step);
bool writes(const Skeleton& s, const Step& step);
bool same_agent(const Step& a, const Step& b);
// Two accesses of different agents that touch a common element, one of them a write. Windows of one core are judged by
// step (S5.12), not here.
bool conflict(const Skeleton& s, const Step& a, const Step& b);
std::string to_string(const Skeleton& s, const Step& step);  // "DMA 3 writes scratch0[0:8] (kernel.py:7)"

}  // namespace millrace::explore
