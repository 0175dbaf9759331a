// SPDX-License-Identifier: Apache-2.0
// What happened before what (S4.1), in constant space and time an access. On one core all order goes through the core;
// what a DMA knows is what the core knew when it started it, so a DMA's clock is one number, the core's time at its
// start, and a DMA is known from the core's time at the wait that proved it. Both orders of Proof are kept at once, as
// they differ only in which wait that is. PlainOrder is the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "check/by_number.h"
#include "check/in_flight.h"
#include "check/plain_order.h"
#include "event/event.h"

namespace millrace::checkers {

class Order {
 public:
  void issued(const event::DmaIssued& e);
  void signalled(const event::Signalled& e);
  void waited(const event::Waited& e);

  struct Stamp {
    static constexpr std::uint64_t kCore = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t dma = kCore;
    std::uint64_t time = 0;  // of the core; of a DMA: of its start
    bool read = false;       // of a DMA: its read
  };
  Stamp now(const event::Agent& who, event::AccessKind kind = event::AccessKind::kWrite) const {
    if (who.dma) return {*who.dma, started(*who.dma), kind == event::AccessKind::kRead};
    return {Stamp::kCore, time_};
  }
  bool before(Proof proof, const Stamp& a, const Stamp& b) const {
    return (a.dma == b.dma && a.dma != Stamp::kCore) || known_from(proof, a) <= b.time;
  }
  static constexpr std::uint64_t kNotYet = std::numeric_limits<std::uint64_t>::max();
  // The core's time from which on what bears this stamp is known to the core and to what it starts. kNotYet of a DMA
  // that is not known; once it is, that time stays.
  std::uint64_t known_from(Proof proof, const Stamp& a) const {
    if (a.dma == Stamp::kCore) return a.time;
    const Dma* dma = dmas_.find(a.dma);
    if (!dma) return 0;
    const Known& known = dma->known[static_cast<std::size_t>(proof)];
    return a.read ? known.read : known.written;
  }
  std::uint64_t time() const { return time_; }  // the core's own
  std::uint64_t started(event::DmaId dma) const {
    const Dma* kept = dmas_.find(dma);
    return kept ? kept->started : 0;
  }

 private:
  struct Open {
    event::DmaId dma;
    std::int64_t last;  // its last granule: bytes, or 1
    bool read;          // proves only that the source has been read
  };
  struct Sums {
    std::int64_t started = 0, signalled = 0, waited = 0;  // since the kernel began
    std::vector<Open> open;                               // that kMust has not proven yet
    std::size_t met = 0;                                  // so many of them a wait has met as it was meant
  };
  struct Known {  // the core's time from which on it knows this
    std::uint64_t read = kNotYet, written = kNotYet;
  };
  struct Dma {
    std::uint64_t started = 0;
    std::array<Known, 2> known;  // by proof
  };
  void prove(Proof proof, const Open& open);
  void forget();

  std::uint64_t time_ = 1;
  InFlight<Dma> dmas_;         // but those that come before all that is still to come
  event::DmaId unproven_ = 0;  // kMust has proven all DMAs before this one
  BySemaphore<Sums> sums_;
};

}  // namespace millrace::checkers
