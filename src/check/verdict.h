// SPDX-License-Identifier: Apache-2.0
// All checks of one run, and how their findings come together into one verdict.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check/leftovers.h"
#include "check/races.h"
#include "check/semaphore_units.h"
#include "check/step_orders.h"
#include "check/window_rules.h"
#include "event/event.h"

namespace millrace::checkers {

// One finding a root cause, in the order of their places:
//  * after a deadlock, what is left over, undefined or not written is not judged (S4.4);
//  * undefined elements that a race also touches are that race (S4.2).
std::vector<Finding> joined(std::vector<Finding> findings);

// Errors make a verdict faulty, warnings do not.
millrace::Verdict verdict_on(const std::vector<Finding>& findings);

// The names of memories that have several: an input aliased to an output.
class OtherNames final : public event::Observer {
 public:
  void on(const event::RegionAllocated& e) override;
  void add_to(Finding& finding) const;

 private:
  std::map<std::string, std::vector<std::string>> names_;  // by each of them: all
};

// The checkers that watch one run.
class Checks {
 public:
  // By axis of the grid: its steps may come in any order.
  explicit Checks(std::vector<bool> parallel = {}) : step_orders_(std::move(parallel)) {}
  std::vector<event::Observer*> observers();
  // `stops`: why the run did not end, where it did not.
  std::vector<Finding> findings(std::vector<Finding> stops);
  // Which execution of its place an access is that was to come next (a DMA's: which start).
  std::uint64_t next_at(const event::Agent& who, event::PlaceId at, const std::string& memory, bool dma) const;

 private:
  Races races_;
  Leftovers leftovers_;
  WindowRules window_rules_;
  StepOrders step_orders_;
  SemaphoreUnits semaphore_units_;
  OtherNames other_names_;
};

}  // namespace millrace::checkers
