// SPDX-License-Identifier: Apache-2.0
// What the race checkers share: each keeps an order of events twice, as every schedule keeps it and as the author meant
// it, and looks at one access after the other. How many accesses it remembers is its own affair.
#pragma once

#include <utility>
#include <vector>

#include "check/plain_order.h"
#include "check/race_pairs.h"
#include "event/event.h"

namespace millrace::checkers {

template <class Order>
class RaceObserver : public event::Observer {
 public:
  void on(const event::RunBegan& e) override { accesses_.on(e); }
  void on(const event::RegionAllocated& e) override { accesses_.on(e); }
  void on(const event::WindowBound& e) override { accesses_.on(e); }
  void on(const event::Access& e) override { add(e.memory, accesses_.of(e)); }
  void on(const event::StepBegan& e) override { accesses_.on(e); }
  void on(const event::DmaIssued& e) override { must_.issued(e), meant_.issued(e), accesses_.on(e); }
  void on(const event::DmaRead& e) override { add_end(accesses_.of(e)); }
  void on(const event::DmaWrote& e) override { add_end(accesses_.of(e)); }
  void on(const event::Signalled& e) override { must_.signalled(e), meant_.signalled(e); }
  void on(const event::Waited& e) override { must_.waited(e), meant_.waited(e); }

  const Accesses& accesses() const { return accesses_; }

  // One a pair of places and memory, in the order of the first side.
  std::vector<Finding> findings() { return judge(), pairs_.findings(accesses_); }

 protected:
  struct Stamped {
    Seen seen;
    typename Order::Stamp must, meant;
  };
  Stamped stamped(Seen access) const {
    const event::Agent who = access.who;
    const event::AccessKind kind = access.kind;
    return {std::move(access), must_.now(who, kind), meant_.now(who, kind)};
  }
  // Holds an access against what is remembered of the memory, or keeps it for judge().
  virtual void add(event::MemoryId memory, Seen access) = 0;
  virtual void judge() {}
  void race(event::MemoryId memory, const Stamped& a, const Stamped& b) {
    const bool meant = meant_.before(a.meant, b.meant) || meant_.before(b.meant, a.meant);
    pairs_.add(accesses_.name(memory), a.seen, b.seen, same_dma(a.seen, b.seen) || !meant);
  }

  Order must_{Proof::kMust};

 private:
  void add_end(Accesses::AtMemory end) { add(end.memory, std::move(end.seen)); }

  Order meant_{Proof::kMeant};
  Accesses accesses_;
  RacePairs pairs_;
};

}  // namespace millrace::checkers
