// SPDX-License-Identifier: Apache-2.0
// Racing pairs of accesses, gathered into findings: one a pair of places and memory, by its earliest pair.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
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
  Accesses() = default;
  Accesses(const Accesses&) = delete;  // it points into itself
  void on(const event::RunBegan& e) { places_.assign(e.places.begin(), e.places.end()); }
  void on(const event::RegionAllocated& e) { names_[e.memory] = number_of(e.name); }
  void on(const event::WindowBound& e) {  // the buffers of a window go by the operand's name
    for (const event::MemoryId slot : e.slots) names_[slot] = number_of(e.name);
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

  const std::string& name(event::MemoryId memory) const { return *texts_.at(names_.at(memory)); }
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
  // Names by number, as comparing texts would be most of the work. What is unordered here is looked up, never walked.
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;
  std::unordered_map<event::MemoryId, std::uint32_t> names_;
  std::unordered_map<event::DmaId, Issue> issues_;
  struct OfCore {
    std::unordered_map<event::PlaceId, std::uint64_t> starts;
    std::unordered_map<std::uint64_t, std::uint64_t> executions;  // by place and the memory's name
    std::uint64_t order = 0;
    const std::vector<std::int64_t>* step = nullptr;
  };
  OfCore& by(const event::Agent& who) {
    if (!last_ || who.device != last_device_ || who.core != last_core_) {
      last_ = &cores_[{who.device, who.core}];
      last_device_ = who.device, last_core_ = who.core;
    }
    return *last_;
  }
  std::uint32_t number_of(const std::string& name);
  static std::uint64_t key(event::PlaceId at, std::uint32_t name) { return std::uint64_t{at} << 32 | name; }

  std::map<std::pair<int, int>, OfCore> cores_;
  OfCore* last_ = nullptr;  // asked for; and whose it is
  int last_device_ = 0, last_core_ = 0;
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
