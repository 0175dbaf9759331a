// SPDX-License-Identifier: Apache-2.0
// What happened before what, in the plainest form: a full vector clock for each core and each DMA. Made to be obviously
// right, not fast; faster forms are held against it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "event/event.h"

namespace millrace::checkers {

// A core of a run.
struct CoreId {
  int device = 0, core = 0;
  friend auto operator<=>(const CoreId&, const CoreId&) = default;
};
inline CoreId core_of(const event::Agent& who) { return {who.device, who.core}; }

// How much of each agent is known. A core's time grows with each start, signal and wait. A DMA has read its source at 1
// and written its target at 2. An agent that is absent stands at 0.
class Clock {
 public:
  std::uint32_t of(CoreId core) const;
  std::uint32_t of(event::DmaId dma) const;
  void know(CoreId core, std::uint32_t time);
  void know(event::DmaId dma, std::uint32_t stage);
  void join(const Clock& other);
  friend bool operator==(const Clock&, const Clock&) = default;

  std::map<CoreId, std::uint32_t> cores;
  std::map<event::DmaId, std::uint32_t> dmas;
};

// The order that every schedule keeps (kMust), or the one where each wait is met by all that was started on its
// semaphore and does not itself come after the wait, as its author meant (kMeant). A race under kMeant is one in all
// schedules.
enum class Proof { kMust, kMeant };

// Clauses S4.1 and S4.5. A start or a signal comes after all that its core did. What follows a wait comes after that
// which every set of contributions that could have met the wait has in common. What may meet a wait can come later in
// this run; so the events are kept, and the clocks are worked out when somebody asks.
class PlainOrder {
 public:
  explicit PlainOrder(Proof proof) : proof_(proof) {}

  void issued(const event::DmaIssued& e);
  void signalled(const event::Signalled& e);
  void waited(const event::Waited& e);

  // An access that happens now: whose, and when. Of a DMA: its read is at time 1, its write at time 2.
  struct Stamp {
    event::Agent who;
    std::uint32_t time = 0;
  };
  Stamp now(const event::Agent& who, event::AccessKind kind = event::AccessKind::kWrite) const;
  // Whether the order puts `a` before `b`, whichever of them came first in this run.
  bool before(const Stamp& a, const Stamp& b) const;

 private:
  // Something that raises a semaphore: a signal, the first bytes of a DMA, or its last granule.
  struct Contribution {
    std::size_t step;  // that made it
    std::int64_t amount;
    event::DmaId dma = 0;
    std::uint32_t stage = 0;  // of the DMA, that one knows of with it
  };
  // A start, a signal or a wait: what a core does for the order of things.
  struct Step {
    CoreId core;
    std::uint32_t time = 0;  // of the core
    bool waits = false;
    event::Semaphore semaphore = {};
    std::int64_t wanted = 0;             // of a wait: all that has been waited for on the semaphore, this wait included
    bool reached = false;                // its clocks by kMust have been worked out
    std::array<Clock, 2> before, after;  // by proof: what is known before it, and behind it
  };

  std::size_t add(CoreId core);
  void contribute(event::Semaphore semaphore, std::size_t step, const event::DmaIssued& dma, std::uint32_t stage);
  void work_out() const;
  bool pass(Proof proof) const;
  std::vector<const Contribution*> candidates(const Step& wait) const;
  Clock behind_wait(const Step& wait, Proof proof) const;
  Clock clock_of(const Contribution& c, Proof proof) const;
  const Clock& known_at(const Stamp& s) const;
  std::uint32_t known_of(CoreId core, const Stamp& s) const;
  void note_meant() const;
  bool meant(const Stamp& dma, const Stamp& b) const;

  Proof proof_;
  mutable std::vector<Step> steps_;  // in the order of the run
  std::map<CoreId, std::vector<std::size_t>> by_core_;
  std::map<event::DmaId, std::size_t> starts_;
  std::map<event::Semaphore, std::vector<Contribution>> contributions_;
  std::map<event::Semaphore, std::int64_t> waited_;
  // By kMeant: the wait that awaited this part of a DMA; it is known from there on.
  mutable std::map<std::pair<event::DmaId, std::uint32_t>, std::size_t> awaited_;
  mutable bool worked_out_ = true;
};

}  // namespace millrace::checkers
