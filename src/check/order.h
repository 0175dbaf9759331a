// SPDX-License-Identifier: Apache-2.0
// What happened before what (S4.1), in constant space and time an access. On one core all order goes through the core;
// what a DMA knows is what the core knew when it started it, so a DMA's clock is one number, the core's time at its
// start, and a DMA is known from the core's time at the wait that proved it. PlainOrder is the oracle.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "check/plain_order.h"
#include "event/event.h"

namespace millrace::checkers {

class Order {
 public:
  explicit Order(Proof proof) : proof_(proof) {}

  void issued(const event::DmaIssued& e);
  void signalled(const event::Signalled& e);
  void waited(const event::Waited& e);

  struct Stamp {
    static constexpr std::uint64_t kCore = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t dma = kCore;
    std::uint64_t time = 0;  // of the core; of a DMA: of its start
    bool read = false;       // of a DMA: its read
  };
  Stamp now(const event::Agent& who, event::AccessKind kind = event::AccessKind::kWrite) const;
  bool before(const Stamp& a, const Stamp& b) const;
  // The core's time from which on what bears this stamp is known to the core and to what it starts.
  std::uint64_t known_from(const Stamp& a) const;

 private:
  struct Open {
    event::DmaId dma;
    std::int64_t last;  // its last granule: bytes, or 1
    bool read;          // proves only that the source has been read
  };
  struct Sums {
    std::int64_t started = 0, signalled = 0, waited = 0;  // since the kernel began
    std::vector<Open> open;                               // not proven yet
  };
  struct Dma {
    std::uint64_t started = 0;
    std::uint64_t read = std::numeric_limits<std::uint64_t>::max();  // the core's time from which on it knows this
    std::uint64_t written = std::numeric_limits<std::uint64_t>::max();
  };

  Proof proof_;
  std::uint64_t time_ = 1;
  std::vector<Dma> dmas_;
  std::map<event::Semaphore, Sums> sums_;
};

}  // namespace millrace::checkers
