// SPDX-License-Identifier: Apache-2.0
// What happened before what (S4.1, S4.5) where several cores run: a clock with one number a core at each wait. What is
// known of a DMA goes through the core that awaits it, so a DMA needs no number in the clocks: it is known from that
// core's time at the wait that proved it. PlainOrder is the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "check/plain_order.h"
#include "event/event.h"

namespace millrace::checkers {

// What may meet a wait can come later in the run (S4.5): so starts, signals and waits are kept, and settle() works the
// clocks out when the run is over. Time and memory grow with them, times the number of cores, times the passes that
// settle() needs; two are usual. Where remote copies times waits are more than kMostReads, a read that is known only by
// the one or the other of a copy's two semaphores counts as not known: a race might then be reported that is none.
class VectorOrder {
 public:
  void begin(int devices, int cores);
  void issued(const event::DmaIssued& e);
  void signalled(const event::Signalled& e);
  void waited(const event::Waited& e);
  void settle();

  static constexpr std::size_t kMostReads = std::size_t{1} << 23;
  static constexpr event::DmaId kNoDma = std::numeric_limits<event::DmaId>::max();
  // When an access happens: of a DMA, who started it and when.
  struct Stamp {
    std::uint32_t core = 0, time = 0, waits = 0;  // waits: how many this core has done
    bool read = false;                            // of a DMA
    event::DmaId dma = kNoDma;
  };
  Stamp now(const event::Agent& who, event::AccessKind kind) const;
  bool before(Proof proof, const Stamp& a, const Stamp& b) const;
  // Whether some wait on the semaphore that it raises knows that the DMA has arrived; or (read) one on the semaphore
  // that it sends on, that it has read.
  bool proven(Proof proof, event::DmaId dma, bool read) const {
    return (read ? dmas_[dma].read : dmas_[dma].written)[static_cast<std::size_t>(proof)].time != kNever;
  }
  std::size_t cores() const { return time_.size(); }
  // The moment of a core at this time of its own.
  Stamp at(std::uint32_t core, std::uint32_t time) const;

 private:
  using Time = std::uint32_t;
  static constexpr Time kNever = std::numeric_limits<Time>::max();

  // A signal or a DMA, as a semaphore sees it: who gave it, when, and all that this core had given by then.
  struct Given {
    Time time;
    std::uint32_t waits;
    std::uint64_t event;  // its place in the run
    std::int64_t sum;
  };
  struct Open {  // a DMA that no wait has proven yet
    event::DmaId dma;
    Time time;
    std::int64_t last;  // its last granule: bytes, or 1
    bool read;          // proves only that the source has been read
  };
  struct Semaphore {
    std::uint32_t owner = 0;                // the core that waits on it
    std::vector<std::vector<Given>> given;  // by core
    std::vector<std::vector<Open>> dmas;    // by the core that started them
    std::vector<std::size_t> looked_at;     // by core: how many of `dmas` this pass has seen
    std::vector<Open> open;                 // in this pass: those seen and not proven
    std::int64_t most_last = 0, waited = 0;
    bool reads = false, foreign = false;  // whether it tells of reads; whether other cores raise it
  };
  struct Wait {
    std::uint32_t core, waits;  // waits: how many this core had done before
    Time time;
    std::uint32_t semaphore;
    std::uint64_t event;
    std::int64_t own, wanted;  // what its own core had given by then; all that was waited for, this wait included
  };
  struct Proven {
    Time time = kNever;  // of the core that awaited it
    std::uint32_t pass = 0;
  };
  struct Dma {
    Time time;
    std::uint32_t core, waits;
    std::int64_t last;
    std::uint32_t raises;
    std::optional<std::uint32_t> sends;
    std::uint32_t remote = 0;             // its number among the remote copies
    std::array<Proven, 2> read, written;  // by proof. read: by the send semaphore
  };
  // Of one core, those of its contributions to a semaphore that may meet a wait.
  struct Group {
    const std::vector<Given>* given;
    std::size_t count;
    std::uint32_t core;
    std::int64_t sum() const { return count == 0 ? 0 : (*given)[count - 1].sum; }
  };

  std::uint32_t number_of(const event::Agent& who) const;
  std::uint32_t semaphore_of(const event::Semaphore& s);
  void give(std::uint32_t semaphore, std::uint32_t core, std::int64_t amount);
  Time clock(Proof proof, std::uint32_t of, std::uint32_t core, Time time, std::uint32_t waits) const;
  Time clock(Proof proof, std::uint32_t of, const Group& g, std::size_t i) const {
    return clock(proof, of, g.core, (*g.given)[i].time, (*g.given)[i].waits);
  }
  bool known(Proof proof, const Dma& dma, bool read, std::uint32_t core, Time time, std::uint32_t waits) const;

  bool pass();
  bool pass_wait(std::size_t index);
  std::vector<Group> foreign(const Wait& w) const;
  std::vector<Time> meet(const Wait& w, const std::vector<Group>& groups) const;
  void look_at(const Wait& w, const std::vector<Group>& groups);
  bool prove(const Wait& w, const std::vector<Group>& groups);
  bool prove_reads(std::size_t index, const std::vector<Group>& groups);
  bool read_known(event::DmaId dma, std::uint32_t core, std::uint32_t waits) const;
  std::size_t first_knowing(event::DmaId dma, const Group& g) const;
  std::int64_t without_read(event::DmaId dma, const Wait& w, const std::vector<Group>& groups) const;
  bool forget_unproven();
  bool pass_meant();
  void prove_meant();
  const Time* behind(Proof proof, const Wait& w) const;  // the wait before it on its core; null: none

  int cores_per_device_ = 1;
  std::vector<Time> time_;  // by core
  std::uint64_t event_ = 0;
  std::map<event::Semaphore, std::uint32_t> numbers_;
  std::vector<Semaphore> semaphores_;
  std::vector<Wait> waits_;                          // in the order of the run
  std::vector<std::vector<std::uint32_t>> by_core_;  // indices into waits_
  std::vector<Dma> dmas_;
  std::vector<event::DmaId> remote_;
  std::array<std::vector<Time>, 2> clocks_;  // by proof: behind each wait, one a core
  std::vector<std::vector<bool>> reads_;  // by wait, by remote copy: its source is known to be read, by whichever way
  std::uint32_t pass_ = 0;
};

}  // namespace millrace::checkers
