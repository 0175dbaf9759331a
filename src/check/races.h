// SPDX-License-Identifier: Apache-2.0
// Clause S4.2, in the time of the run: an access is forgotten as soon as everything that can still happen comes after
// it. Finds what PlainRaces finds; the tests hold one against the other.
#pragma once

#include <map>
#include <vector>

#include "check/order.h"
#include "check/race_pairs.h"
#include "event/event.h"

namespace millrace::checkers {

class Races final : public event::Observer {
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
    Order::Stamp must, meant;
  };
  void add(event::MemoryId memory, Seen access);
  bool settled(const Stamped& access) const;

  Accesses accesses_;
  RacePairs pairs_;
  Order must_{Proof::kMust}, meant_{Proof::kMeant};
  std::map<event::DmaId, std::uint64_t> to_come_;  // DMAs that have not written yet, and the core's time at their start
  std::map<event::MemoryId, std::vector<Stamped>> open_;
};

}  // namespace millrace::checkers
