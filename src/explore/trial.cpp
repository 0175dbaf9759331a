// SPDX-License-Identifier: Apache-2.0
#include "explore/trial.h"

#include <utility>

namespace millrace::explore {

Trial::Trial(const System& system)
    : system_(system),
      released_(system.all.size(), 0),
      consumer_(system.counts.size(), kNone),
      shared_(system.counts.size(), false),
      first_(system.all.size(), kNone) {
  for (const Happening& h : system.all) {
    if (h.releases != kNone) released_[h.releases] = 1;
    if (h.takes.semaphore == kNone) continue;
    std::uint32_t& consumer = consumer_[h.takes.semaphore];
    if (consumer != kNone && consumer != h.core) shared_[h.takes.semaphore] = contended_ = true;
    consumer = h.core;
  }
}

void Trial::begin(std::span<const Ordered> orders) {
  state_.when.assign(system_.all.size(), kNone);
  state_.pending = released_;
  state_.at.assign(system_.cores.size(), 0);
  state_.counts = system_.counts;
  state_.clock = 0;
  for (std::uint32_t h : touched_) first_[h] = kNone;
  touched_.clear();
  next_.resize(orders.size());
  work_ += orders.size();
  orders_ = orders;
  for (std::uint32_t k = 0; k < orders.size(); ++k) {
    const auto [before, after] = orders[k];
    if (first_[before] == kNone) touched_.push_back(before);
    next_[k] = std::exchange(first_[before], k);
    ++state_.pending[after];
  }
  for (std::uint32_t c = 0; c < system_.cores.size(); ++c) woken_.push_back(c);
}

bool Trial::may(std::uint32_t h) const {
  const Raise& takes = system_.all[h].takes;
  return state_.pending[h] == 0 && (takes.semaphore == kNone || state_.counts[takes.semaphore] >= takes.amount);
}

void Trial::happen(std::uint32_t h) {
  const Happening& what = system_.all[h];
  ++work_;
  state_.when[h] = state_.clock++;
  if (what.takes.semaphore != kNone) state_.counts[what.takes.semaphore] -= what.takes.amount;
  for (const Raise& r : what.raises) {
    if (r.semaphore == kNone) break;
    state_.counts[r.semaphore] += r.amount;
    if (const std::uint32_t c = consumer_[r.semaphore]; c != kNone && c != what.core) woken_.push_back(c);
  }
  const auto let = [&](std::uint32_t other) {
    if (--state_.pending[other] > 0) return;
    const std::uint32_t core = system_.all[other].core;
    (core == kNone ? ready_ : woken_).push_back(core == kNone ? other : core);
  };
  if (what.releases != kNone) let(what.releases);
  for (std::uint32_t k = first_[h]; k != kNone; k = next_[k]) let(orders_[k].after);
}

void Trial::go_on(std::uint32_t core) {
  const auto& ops = system_.cores[core];
  std::size_t& at = state_.at[core];
  while (at < ops.size()) {
    const std::uint32_t h = ops[at];
    const SemaphoreId s = system_.all[h].takes.semaphore;
    if (!may(h) || (s != kNone && shared_[s])) return;
    ++at;
    happen(h);
    if (!ready_.empty()) return woken_.push_back(core);  // what it started comes first
  }
}

void Trial::settle() {
  for (;;) {
    if (!ready_.empty()) {
      const std::uint32_t h = ready_.back();
      ready_.pop_back();
      happen(h);
    } else if (!woken_.empty()) {
      const std::uint32_t core = woken_.back();
      woken_.pop_back();
      go_on(core);
    } else {
      return;
    }
  }
}

std::vector<std::uint32_t> Trial::candidates() const {
  std::vector<std::uint32_t> cores;
  for (std::uint32_t c = 0; c < system_.cores.size(); ++c) {
    if (state_.at[c] == system_.cores[c].size()) continue;
    const std::uint32_t h = system_.cores[c][state_.at[c]];
    const SemaphoreId s = system_.all[h].takes.semaphore;
    if (s != kNone && shared_[s] && may(h)) cores.push_back(c);
  }
  return cores;
}

// Where the cores stand says what has happened, so a place that was left without success need not be tried again.
bool Trial::search() {
  settle();
  if (state_.clock == system_.all.size()) return true;
  if (!contended_ || !seen_.insert(state_.at).second) return false;
  const State here = state_;
  for (std::uint32_t core : candidates()) {
    state_ = here;
    happen(system_.cores[core][state_.at[core]++]);
    woken_.push_back(core);
    if (search()) return true;
  }
  return false;
}

bool Trial::run(std::span<const Ordered> orders) {
  begin(orders);
  seen_.clear();
  return search();
}

void Trial::run_without(std::span<const std::uint32_t> withheld, std::span<const Ordered> orders) {
  begin(orders);
  for (std::uint32_t h : withheld) ++state_.pending[h];
  settle();
}

void Trial::search_ends(std::set<std::vector<std::size_t>>& ends) {
  settle();
  if (!seen_.insert(state_.at).second) return;
  const std::vector<std::uint32_t> next = candidates();
  if (next.empty()) ends.insert(state_.at);
  const State here = state_;
  for (std::uint32_t core : next) {
    state_ = here;
    happen(system_.cores[core][state_.at[core]++]);
    woken_.push_back(core);
    search_ends(ends);
  }
}

std::set<std::vector<std::size_t>> Trial::ends() {
  std::set<std::vector<std::size_t>> ends;
  begin({});
  seen_.clear();
  search_ends(ends);
  return ends;
}

}  // namespace millrace::explore
