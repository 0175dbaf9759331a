// SPDX-License-Identifier: Apache-2.0
// Racing pairs of accesses, gathered into findings: one a pair of places and memory, by its earliest pair.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "event/event.h"
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
  const std::vector<std::int64_t>* step = nullptr;  // of a window's move: the grid step that began last, kept likewise
};

// Whether the two touch a common element and one of them writes. Windows of one core are judged by step (S5.12).
bool conflict(const Seen& a, const Seen& b);
bool same_dma(const Seen& a, const Seen& b);
bool same_core(const event::Agent& a, const event::Agent& b);

// Turns events into accesses: numbers them, and knows the DMAs that are still to read and write.
class Accesses {
 public:
  void on(const event::RunBegan& e) { places_.assign(e.places.begin(), e.places.end()); }
  void on(const event::RegionAllocated& e) { names_[e.memory] = e.name; }
  void on(const event::WindowBound& e) {  // the buffers of a window go by the operand's name
    for (const event::MemoryId slot : e.slots) names_[slot] = e.name;
  }
  Seen of(const event::Access& e);
  void on(const event::DmaIssued& e);
  void on(const event::StepBegan& e);
  struct AtMemory {
    event::MemoryId memory;
    Seen seen;
  };
  AtMemory of(const event::DmaRead& e) const;
  AtMemory of(const event::DmaWrote& e);  // the last that is heard of the DMA

  const std::string& name(event::MemoryId memory) const { return names_.at(memory); }
  const event::Place& place(event::PlaceId at) const { return places_.at(at); }
  // How often a place has started a DMA so far, or a core's access there has touched a memory of this name.
  std::uint64_t starts(const event::Agent& who, event::PlaceId at) const;
  std::uint64_t executions(const event::Agent& who, event::PlaceId at, const std::string& memory) const;

 private:
  struct Issue {
    event::DmaIssued event;
    std::uint64_t nth, order;
    const std::vector<std::int64_t>* step;
  };
  AtMemory end_of(const Issue& issue, const event::End& end, event::AccessKind kind) const;
  const std::vector<event::Box>* keep(const std::vector<event::Box>& more) const;

  std::vector<event::Place> places_;
  std::map<event::MemoryId, std::string> names_;
  std::map<event::DmaId, Issue> issues_;
  struct OfCore {
    std::map<event::PlaceId, std::uint64_t> starts;
    std::map<std::pair<event::PlaceId, std::string>, std::uint64_t> executions;  // by the memory's name
    std::uint64_t order = 0;
    const std::vector<std::int64_t>* step = nullptr;
  };
  OfCore& by(const event::Agent& who) { return cores_[{who.device, who.core}]; }

  std::map<std::pair<int, int>, OfCore> cores_;
  mutable std::map<std::string, std::vector<event::Box>> boxes_;  // each list of `more` once, by its text
  std::set<std::vector<std::int64_t>> grid_steps_;
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
