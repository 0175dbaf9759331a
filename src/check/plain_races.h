// SPDX-License-Identifier: Apache-2.0
// Clause S4.2: two accesses race if nothing orders them, they touch a common element, and one of them writes. Compares
// all pairs: time grows with the square of the accesses. Made to be obviously right; Races is the one for daily use.
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
  void on(const event::Access& e) override { add(e.memory, accesses_.of(e)); }
  void on(const event::DmaIssued& e) override;
  void on(const event::DmaRead& e) override;
  void on(const event::DmaWrote& e) override;
  void on(const event::Signalled& e) override;
  void on(const event::Waited& e) override;

  // One a pair of places and memory, in the order of the first side.
  std::vector<Finding> findings() const { return pairs_.findings(accesses_); }

 private:
  struct Stamped {
    Seen seen;
    PlainOrder::Stamp must, meant;
  };
  void add(event::MemoryId memory, Seen access);

  Accesses accesses_;
  RacePairs pairs_;
  PlainOrder must_{Proof::kMust}, meant_{Proof::kMeant};
  std::map<event::MemoryId, std::vector<Stamped>> seen_;
};

}  // namespace millrace::checkers
