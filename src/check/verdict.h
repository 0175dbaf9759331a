// SPDX-License-Identifier: Apache-2.0
// All checks of one run, and how their findings come together into one verdict.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check/coverage.h"
#include "check/leftovers.h"
#include "check/races.h"
#include "check/semaphore_units.h"
#include "check/step_orders.h"
#include "check/undefined.h"
#include "check/window_rules.h"
#include "event/event.h"
#include "event/scopeless.h"

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

// The checkers that watch one run, as one observer: each event goes straight to those that listen to it.
class Checks final : public event::Scopeless {
 public:
  // By axis of the grid: its steps may come in any order.
  explicit Checks(std::vector<bool> parallel = {}) : step_orders_(std::move(parallel)) {}
  void on(const event::RunBegan& e) override { pass(e); }
  void on(const event::RegionAllocated& e) override { pass(e); }
  void on(const event::RegionFreed& e) override { pass(e); }
  void on(const event::Access& e) override { pass(e); }
  void on(const event::DmaIssued& e) override { pass(e); }
  void on(const event::DmaRead& e) override { pass(e); }
  void on(const event::DmaWrote& e) override { pass(e); }
  void on(const event::DmaSignalled& e) override { pass(e); }
  void on(const event::Signalled& e) override { pass(e); }
  void on(const event::SemaphoreRead& e) override { pass(e); }
  void on(const event::Waited& e) override { pass(e); }
  void on(const event::Blocked& e) override { pass(e); }
  void on(const event::WindowBound& e) override { pass(e); }
  void on(const event::WindowEntered& e) override { pass(e); }
  void on(const event::StepBegan& e) override { pass(e); }
  void on(const event::StepEnded& e) override { pass(e); }
  void on(const event::UndefinedRead& e) override { pass(e); }
  void on(const event::UndefinedUsed& e) override { pass(e); }
  void on(const event::NeverWritten& e) override { pass(e); }
  void on(const event::KernelEnded& e) override { pass(e); }

  // Undefined data, and outputs not wholly written; of runs that keep definedness.
  std::vector<Finding> undefined() const;
  // All others, joined with `more`: why the run did not end where it did not, and what else is known of it.
  std::vector<Finding> findings(std::vector<Finding> more);
  // After findings(): whether the run was steered by elements that were undefined because of a race.
  bool misled() const { return misled_; }
  // Which execution of its place an access is that was to come next (a DMA's: which start).
  std::uint64_t next_at(const event::Agent& who, event::PlaceId at, const std::string& memory, bool dma) const;

 private:
  template <class Event>
  void pass(const Event& e) {
    const auto to = [&](auto&... checkers) { (tell(checkers, e), ...); };
    to(races_, leftovers_, window_rules_, step_orders_, semaphore_units_, other_names_, undefined_, coverage_);
  }
  // A checker that has no function for such an event hides those of Observer, too.
  template <class Checker, class Event>
  static void tell(Checker& checker, const Event& e) {
    if constexpr (requires { checker.on(e); }) checker.on(e);
  }

  Races races_;
  Leftovers leftovers_;
  WindowRules window_rules_;
  StepOrders step_orders_;
  SemaphoreUnits semaphore_units_;
  OtherNames other_names_;
  Undefined undefined_;
  Coverage coverage_;
  bool misled_ = false;
};

}  // namespace millrace::checkers
