// SPDX-License-Identifier: Apache-2.0
// Clause S4.2, in the time of the run: an access is forgotten as soon as everything that can still happen comes after
// it. Finds what PlainRaces finds; the tests hold one against the other.
#pragma once

#include <map>
#include <vector>

#include "check/order.h"
#include "check/race_observer.h"

namespace millrace::checkers {

class Races final : public RaceObserver<Order> {
 public:
  using RaceObserver::on;
  void on(const event::DmaIssued& e) override;
  void on(const event::DmaWrote& e) override;

 private:
  void add(event::MemoryId memory, Seen access) override;
  bool settled(const Stamped& access) const;

  std::map<event::DmaId, std::uint64_t> to_come_;  // DMAs that have not written yet, and the core's time at their start
  std::map<event::MemoryId, std::vector<Stamped>> open_;
};

}  // namespace millrace::checkers
