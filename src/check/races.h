// SPDX-License-Identifier: Apache-2.0
// Clause S4.2, in the time of the run. On one core an access is forgotten as soon as everything that can still happen
// comes after it; several cores are VectorRaces' affair. Finds what PlainRaces finds; the tests hold one against the
// other.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "check/order.h"
#include "check/race_pairs.h"
#include "check/vector_races.h"

namespace millrace::checkers {

class OneCoreRaces final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override { accesses_.on(e); }
  void on(const event::RegionAllocated& e) override { accesses_.on(e); }
  void on(const event::WindowBound& e) override { accesses_.on(e); }
  void on(const event::StepBegan& e) override { accesses_.on(e); }
  void on(const event::WindowEntered& e) override { accesses_.on(e); }
  void on(const event::Access& e) override { take(e); }
  void on(const event::DmaIssued& e) override { order_.issued(e), accesses_.on(e); }
  void on(const event::DmaRead& e) override { take(e); }
  void on(const event::DmaWrote& e) override { take(e); }
  void on(const event::Signalled& e) override { order_.signalled(e); }
  void on(const event::Waited& e) override { order_.waited(e); }

  const Accesses& accesses() const { return accesses_; }
  std::vector<Finding> findings() { return pairs_.findings(accesses_); }

 private:
  struct Open {
    Seen seen;
    Order::Stamp stamp;
  };
  template <class Event>
  void take(const Event& e) {
    Open& now = fresh();
    add(accesses_.fill(e, now.seen), now);
  }
  Open& fresh();
  void add(event::MemoryId memory, Open& now);
  bool settled(const Open& access) const;

  Order order_;
  Accesses accesses_;
  RacePairs pairs_;
  std::deque<Open> made_;  // all there ever were: those that are open, and spare ones
  std::vector<Open*> spare_;
  std::vector<std::vector<Open*>> open_;  // by memory
};

class Races final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override {
    if (e.devices * e.cores > 1) many_ = std::make_unique<VectorRaces>();
    pass(e);
  }
  void on(const event::RegionAllocated& e) override { pass(e); }
  void on(const event::WindowBound& e) override { pass(e); }
  void on(const event::StepBegan& e) override { pass(e); }
  void on(const event::WindowEntered& e) override { pass(e); }
  void on(const event::Access& e) override { pass(e); }
  void on(const event::DmaIssued& e) override { pass(e); }
  void on(const event::DmaRead& e) override { pass(e); }
  void on(const event::DmaWrote& e) override { pass(e); }
  void on(const event::Signalled& e) override { pass(e); }
  void on(const event::Waited& e) override { pass(e); }

  const Accesses& accesses() const { return many_ ? many_->accesses() : one_.accesses(); }
  // One a pair of places and memory, in the order of the first side.
  std::vector<Finding> findings() { return many_ ? many_->findings() : one_.findings(); }

 private:
  template <class Event>
  void pass(const Event& e) {
    if (many_)
      many_->on(e);
    else
      one_.on(e);
  }

  OneCoreRaces one_;
  std::unique_ptr<VectorRaces> many_;
};

}  // namespace millrace::checkers
