// SPDX-License-Identifier: Apache-2.0
// Racing pairs of accesses, gathered into findings: one a pair of places and memory, by its earliest pair.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "check/by_number.h"
#include "check/in_flight.h"
#include "event/box_copy.h"
#include "event/event.h"
#include "event/window_steps.h"
#include "millrace/report.h"

namespace millrace::checkers {

// An access as a race checker remembers it.
struct Seen {
  event::Agent who;
  event::Box box;
  event::AccessKind kind = event::AccessKind::kRead;
  event::PlaceId at = 0;
  std::uint64_t nth = 0;                            // which execution of that place (of a core access: on this memory)
  std::uint64_t order = 0;                          // in the program order of its core; of a DMA: its start
  bool window = false;                              // a move of the grid's own window pipeline
  const std::vector<event::Box>* more = nullptr;    // of a reshaped view: its other boxes, kept by Accesses
  const std::vector<std::int64_t>* step = nullptr;  // of a window's move: the step whose block it moves, kept likewise
};

// Whether the two touch a common element and one of them writes. Windows of one core are judged by step (S5.12).
bool exact_conflict(const Seen& a, const Seen& b);
// The same; most that do not are told by the kinds of access, or by where the boxes begin and end.
inline bool conflict(const Seen& a, const Seen& b) {
  if (a.kind == event::AccessKind::kRead && b.kind == event::AccessKind::kRead) return false;
  for (int d = 0; !a.more && !b.more && d < a.box.rank; ++d)
    if (a.box.ranges[d].end <= b.box.ranges[d].begin || b.box.ranges[d].end <= a.box.ranges[d].begin) return false;
  return exact_conflict(a, b);
}
bool same_dma(const Seen& a, const Seen& b);
bool same_core(const event::Agent& a, const event::Agent& b);

// Turns events into accesses: numbers them, and knows the DMAs that are still to read and write.
class Accesses {
 public:
  void on(const event::RunBegan& e) { places_.assign(e.places.begin(), e.places.end()); }
  void on(const event::RegionAllocated& e) { entry(names_, e.memory) = number_of(e.name); }
  void on(const event::WindowBound& e) {  // the buffers of a window go by the operand's name
    for (const event::MemoryId slot : e.slots) entry(names_, slot) = number_of(e.name);
  }
  void on(const event::DmaIssued& e);
  void on(const event::StepBegan& e);
  void on(const event::WindowEntered& e) { window_steps_.on(e); }
  // The same for one who keeps the two accesses that a DMA will make, and fills them in here.
  void start(const event::DmaIssued& e, Seen& read, Seen& write);
  // These fill an access in, every field of it, and say on which memory it is. (They are most of what a check does, and
  // making a new one each time would be half of it.)
  event::MemoryId fill(const event::Access& e, Seen& access);
  event::MemoryId fill(const event::DmaRead& e, Seen& access) const;
  event::MemoryId fill(const event::DmaWrote& e, Seen& access);  // the last that is heard of the DMA

  const std::string& name(event::MemoryId memory) const { return *texts_.at(names_.at(memory) - 1); }
  const event::Place& place(event::PlaceId at) const { return places_.at(at); }
  // How often a place has started a DMA so far, or a core's access there has touched a memory of this name.
  std::uint64_t starts(const event::Agent& who, event::PlaceId at) const;
  std::uint64_t executions(const event::Agent& who, event::PlaceId at, const std::string& memory) const;

 private:
  struct OfCore {
    std::vector<std::uint64_t> starts;  // by place
    Executions executions;              // by place and the memory's name
    std::uint64_t order = 0;
    std::deque<std::vector<std::int64_t>> steps;  // one that has not begun yet is empty
    const std::vector<std::int64_t>*step = nullptr, *next = nullptr;
  };
  const std::vector<std::int64_t>* step_of(OfCore& core, const event::Agent& by, const event::WindowMove& move);
  struct Issue {
    event::MemoryId source = 0, target = 0;
    Seen read, write;
  };
  void set(Seen& access, const event::DmaIssued& e, const event::End& end, event::AccessKind kind);
  const std::vector<event::Box>* keep(const std::vector<event::Box>& more) {
    return more.empty() ? nullptr : kept(more);
  }
  const std::vector<event::Box>* kept(const std::vector<event::Box>& more);
  std::uint32_t number_of(const std::string& name);

  std::vector<event::Place> places_;
  // Names by number from 1, as comparing texts would be most of the work.
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;
  std::vector<std::uint32_t> names_;  // by memory; 0: not heard of
  InFlight<Issue> issues_;
  ByCore<OfCore> cores_;
  event::WindowSteps window_steps_;
  std::map<std::string, std::vector<event::Box>> boxes_;  // each list of `more` once, by its text
};

class RacePairs {
 public:
  void add(const std::string& memory, const Seen& a, const Seen& b, bool in_all_schedules);
  std::vector<Finding> findings(const Accesses& accesses) const;

 private:
  struct Race {
    Seen first, second;
    std::string memory;
    bool in_all_schedules;
  };
  static Finding finding(const Race& race, const Accesses& accesses);

  std::map<std::tuple<std::string, event::PlaceId, event::PlaceId>, Race> races_;
};

}  // namespace millrace::checkers
