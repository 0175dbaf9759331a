// SPDX-License-Identifier: Apache-2.0
// Clause S4.2, in the time of the run. On one core an access is forgotten as soon as everything that can still happen
// comes after it; several cores are VectorRaces' affair. Finds what PlainRaces finds; the tests hold one against the
// other.
#pragma once

#include <memory>
#include <vector>

#include "check/order.h"
#include "check/pool.h"
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
  void on(const event::Access& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::DmaRead& e) override;
  void on(const event::DmaWrote& e) override;
  void on(const event::Signalled& e) override { order_.signalled(e); }
  void on(const event::Waited& e) override { order_.waited(e); }

  const Accesses& accesses() const { return accesses_; }
  std::vector<Finding> findings() { return pairs_.findings(accesses_); }

 private:
  struct Open {
    Seen seen;
    Order::Stamp stamp;
    std::uint64_t known = Order::kNotYet;  // from which time of the core on, as kMust has it
  };
  struct Moves {  // what a DMA is still to do
    event::MemoryId source = 0, target = 0;
    Open *read = nullptr, *write = nullptr;
  };
  // Accesses of one memory that are not settled. Reads alone race with nothing, so nobody looks at them until there is
  // a write, or until they are so many.
  struct OfMemory {
    std::vector<Open*> reads, writes;
    std::size_t most_reads = 8;
  };
  void add(event::MemoryId memory, Open& now);
  void judge(event::MemoryId memory, std::vector<Open*>& open, const Open& now, std::uint64_t settled_from);
  void forget_reads(OfMemory& memory, std::uint64_t settled_from);
  std::uint64_t settled_from() const;
  std::uint64_t known(Open& open) const {
    if (open.known == Order::kNotYet) open.known = order_.known_from(Proof::kMust, open.stamp);
    return open.known;
  }
  void pair_up(event::MemoryId memory, const Open& a, const Open& b);
  template <class Goes>
  void forget(std::vector<Open*>& open, const Goes& goes);

  Order order_;
  Accesses accesses_;
  RacePairs pairs_;
  Pool<Open> opens_;
  InFlight<Moves> to_come_;         // by DMAs that are still to write
  std::vector<OfMemory> memories_;  // by number
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
