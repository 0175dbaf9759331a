// SPDX-License-Identifier: Apache-2.0
// Clause S4.2: two accesses race if nothing orders them, they touch a common element, and one of them writes. Compares
// all pairs: time grows with the square of the accesses.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check/plain_order.h"
#include "event/event.h"
#include "millrace/report.h"

namespace millrace::checkers {

class PlainRaces final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override;
  void on(const event::RegionAllocated& e) override;
  void on(const event::Access& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::DmaRead& e) override;
  void on(const event::DmaWrote& e) override;
  void on(const event::Signalled& e) override;
  void on(const event::Waited& e) override;

  // One a pair of places and memory, in the order of the first side.
  std::vector<Finding> findings() const;

 private:
  struct Seen {
    event::Agent who;
    PlainOrder::Stamp must, meant;
    event::Box box;
    event::AccessKind kind;
    event::PlaceId at;
    std::uint64_t nth;    // which execution of that place (of a core access: on this memory)
    std::uint64_t order;  // in program order; of a DMA: its start
  };
  struct Race {
    Seen first, second;
    event::MemoryId memory;
    bool in_all_schedules;
  };
  void add(event::MemoryId memory, Seen access);
  void report(event::MemoryId memory, const Seen& a, const Seen& b, bool meant);
  Finding finding(const Race& race) const;
  Side side(const Seen& access) const;

  struct Issue {
    event::DmaIssued event;
    std::uint64_t nth, order;
  };
  std::vector<event::Place> places_;
  std::map<event::MemoryId, std::string> names_;
  PlainOrder must_{Proof::kMust}, meant_{Proof::kMeant};
  std::vector<Issue> issues_;  // by DMA
  std::map<event::PlaceId, std::uint64_t> starts_;
  std::map<std::pair<event::PlaceId, std::string>, std::uint64_t> executions_;  // by the memory's name
  std::map<event::MemoryId, std::vector<Seen>> seen_;
  std::map<std::tuple<std::string, event::PlaceId, event::PlaceId>, Race> races_;
  std::uint64_t order_ = 0;
};

}  // namespace millrace::checkers
