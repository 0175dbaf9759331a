// SPDX-License-Identifier: Apache-2.0
// Clause S4.2: two accesses race if nothing orders them, they touch a common element, and one of them writes. Compares
// all pairs once the run is over: time grows with the square of the accesses. Made to be obviously right; Races is the
// one for daily use.
#pragma once

#include <map>
#include <vector>

#include "check/plain_order.h"
#include "check/race_pairs.h"
#include "event/event.h"

namespace millrace::checkers {

class PlainRaces final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override { accesses_.on(e); }
  void on(const event::RegionAllocated& e) override { accesses_.on(e); }
  void on(const event::WindowBound& e) override { accesses_.on(e); }
  void on(const event::StepBegan& e) override { accesses_.on(e); }
  void on(const event::WindowEntered& e) override { accesses_.on(e); }
  void on(const event::Access& e) override { keep(e); }
  void on(const event::DmaIssued& e) override { must_.issued(e), meant_.issued(e), accesses_.on(e); }
  void on(const event::DmaRead& e) override { keep(e); }
  void on(const event::DmaWrote& e) override { keep(e); }
  void on(const event::Signalled& e) override { must_.signalled(e), meant_.signalled(e); }
  void on(const event::Waited& e) override { must_.waited(e), meant_.waited(e); }

  // One a pair of places and memory, in the order of the first side.
  std::vector<Finding> findings();

 private:
  struct Stamped {
    Seen seen;
    PlainOrder::Stamp must, meant;
  };
  template <class Event>
  void keep(const Event& e) {
    Stamped now;
    const event::MemoryId memory = accesses_.fill(e, now.seen);
    now.must = must_.now(now.seen.who, now.seen.kind), now.meant = meant_.now(now.seen.who, now.seen.kind);
    seen_[memory].push_back(now);
  }
  void judge(event::MemoryId memory, const Stamped& a, const Stamped& b, RacePairs& pairs) const;

  // By every schedule, and as the author meant it.
  PlainOrder must_{Proof::kMust}, meant_{Proof::kMeant};
  Accesses accesses_;
  std::map<event::MemoryId, std::vector<Stamped>> seen_;
};

}  // namespace millrace::checkers
