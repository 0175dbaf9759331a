// SPDX-License-Identifier: Apache-2.0
// Whether a system can run to its end while it keeps given orders, and how.
//
// Raising a semaphore, or letting something happen earlier, never prevents anything, as long as each semaphore is
// awaited by one core: then everything that may happen is let happen at once, and what is stuck in the end is stuck in
// every run. Where several cores await one semaphore, which of them is served first is tried both ways.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "explore/system.h"

namespace millrace::explore {

struct Ordered {
  std::uint32_t before = 0, after = 0;
};

class Trial {
 public:
  explicit Trial(const System& system);

  // Runs everything while it keeps these orders; false where something never happens.
  bool run(std::span<const Ordered> orders);
  // Runs what can happen without `withheld`, while it keeps these orders. One consumer a semaphore only.
  void run_without(std::span<const std::uint32_t> withheld, std::span<const Ordered> orders = {});
  // Of the last run: when it happened, counting from 0; kNone: never.
  std::uint32_t when(std::uint32_t happening) const { return state_.when[happening]; }
  std::size_t position(std::uint32_t core) const { return state_.at[core]; }

  // Whether some semaphore is awaited by several cores.
  bool contended() const { return contended_; }
  // How far the cores may be when nothing more can happen: once, where no semaphore is contended.
  std::set<std::vector<std::size_t>> ends();

  std::uint64_t work() const { return work_; }  // happenings and orders so far, all runs together

 private:
  struct State {
    std::vector<std::uint32_t> when, pending;  // by happening; pending: how many others it waits for
    std::vector<std::size_t> at;               // by core: its next operation
    std::vector<std::int64_t> counts;          // by semaphore
    std::uint32_t clock = 0;
  };

  void begin(std::span<const Ordered> orders);
  void settle();  // lets everything happen that can, but for contended waits
  void go_on(std::uint32_t core);
  void happen(std::uint32_t h);
  bool may(std::uint32_t h) const;
  std::vector<std::uint32_t> candidates() const;  // cores whose contended wait would be met
  bool search();
  void search_ends(std::set<std::vector<std::size_t>>& ends);

  const System& system_;
  std::vector<std::uint32_t> released_;  // by happening: 1 for those of DMAs
  std::vector<std::uint32_t> consumer_;  // by semaphore: the core that awaits it
  std::vector<bool> shared_;             // by semaphore: several do
  bool contended_ = false;

  State state_;
  std::vector<std::uint32_t> first_, next_;  // the orders, chained by what comes before
  std::vector<std::uint32_t> touched_;       // whose chains are not empty
  std::span<const Ordered> orders_;
  std::vector<std::uint32_t> ready_;  // DMAs' happenings
  std::vector<std::uint32_t> woken_;  // cores
  std::set<std::vector<std::size_t>> seen_;
  std::uint64_t work_ = 0;
};

}  // namespace millrace::explore
