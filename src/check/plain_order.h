// SPDX-License-Identifier: Apache-2.0
// What happened before what, in the plainest form: a full vector clock for the core and for each DMA. Made to be
// obviously right, not fast; faster forms are held against it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "event/event.h"

namespace millrace::checkers {

// By agent: 0 is the core, 1 + d is DMA d. An agent that is absent stands at 0.
class Clock {
 public:
  std::uint32_t of(std::size_t agent) const { return agent < times_.size() ? times_[agent] : 0; }
  void set(std::size_t agent, std::uint32_t time);
  void join(const Clock& other);

 private:
  std::vector<std::uint32_t> times_;
};

// The order that every schedule keeps (kMust), or the one where each wait is met by the DMAs that its author meant:
// all that were started on its semaphore (kMeant). A race under kMeant is one in all schedules.
enum class Proof { kMust, kMeant };

// One core. Clause S4: a start comes after all that the core did; a DMA comes before what follows a wait only where
// that wait could not have returned without the DMA's last granule.
class PlainOrder {
 public:
  explicit PlainOrder(Proof proof) : proof_(proof) {}

  void issued(const event::DmaIssued& e);
  void signalled(const event::Signalled& e);
  void waited(const event::Waited& e);

  // The moment of an access that happens now: who, and at which time of its own.
  struct Stamp {
    std::size_t agent = 0;
    std::uint32_t time = 0;
  };
  Stamp now(const event::Agent& who) const;
  // Whether the order puts `a` before `b`, whichever of them came first in this run.
  bool before(const Stamp& a, const Stamp& b) const;

 private:
  struct Started {
    event::DmaId dma;
    std::int64_t last;  // its last granule: bytes, or 1
    bool proven = false;
  };
  struct Sums {
    std::int64_t started = 0, signalled = 0, waited = 0;  // since the kernel began
    std::vector<Started> dmas;
  };

  Proof proof_;
  Clock core_;
  std::uint32_t time_ = 1;
  std::vector<Clock> dmas_;
  std::vector<std::uint32_t> taken_over_;  // by DMA: the core's time from which on it comes before the core; 0: not yet
  std::map<event::Semaphore, Sums> sums_;
};

}  // namespace millrace::checkers
