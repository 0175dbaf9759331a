// SPDX-License-Identifier: Apache-2.0
// Clause S4.2: two accesses race if nothing orders them, they touch a common element, and one of them writes. Compares
// all pairs once the run is over: time grows with the square of the accesses. Made to be obviously right; Races is the
// one for daily use.
#pragma once

#include <map>
#include <vector>

#include "check/plain_order.h"
#include "check/race_observer.h"

namespace millrace::checkers {

class PlainRaces final : public RaceObserver<PlainOrder> {
 private:
  void add(event::MemoryId memory, Seen access) override { seen_[memory].push_back(stamped(std::move(access))); }
  void judge() override;

  std::map<event::MemoryId, std::vector<Stamped>> seen_;
};

}  // namespace millrace::checkers
