// SPDX-License-Identifier: Apache-2.0
// Clause S4.2, in the time of the run. On one core an access is forgotten as soon as everything that can still happen
// comes after it; several cores are VectorRaces' affair. Finds what PlainRaces finds; the tests hold one against the
// other.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "check/order.h"
#include "check/race_observer.h"
#include "check/vector_races.h"

namespace millrace::checkers {

class OneCoreRaces final : public RaceObserver<Order> {
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

class Races final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override {
    if (e.devices * e.cores > 1) many_ = std::make_unique<VectorRaces>();
    pass(e);
  }
  void on(const event::RegionAllocated& e) override { pass(e); }
  void on(const event::WindowBound& e) override { pass(e); }
  void on(const event::StepBegan& e) override { pass(e); }
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
