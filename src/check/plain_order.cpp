// SPDX-License-Identifier: Apache-2.0
#include "check/plain_order.h"

#include <algorithm>

namespace millrace::checkers {

void Clock::set(std::size_t agent, std::uint32_t time) {
  if (times_.size() <= agent) times_.resize(agent + 1, 0);
  times_[agent] = std::max(times_[agent], time);
}

void Clock::join(const Clock& other) {
  for (std::size_t a = 0; a < other.times_.size(); ++a) set(a, other.times_[a]);
}

void PlainOrder::issued(const event::DmaIssued& e) {
  core_.set(0, time_);
  Clock clock = core_;
  clock.set(1 + e.dma, 1);
  if (dmas_.size() <= e.dma) dmas_.resize(e.dma + 1), taken_over_.resize(e.dma + 1, 0);
  dmas_[e.dma] = std::move(clock);
  ++time_;  // what the core does from here on is not before the DMA
  Sums& sums = sums_[e.raises];
  sums.started += e.bytes;
  sums.dmas.push_back({e.dma, std::min(e.granule, e.bytes)});
}

void PlainOrder::signalled(const event::Signalled& e) { sums_[e.semaphore].signalled += e.amount; }

void PlainOrder::waited(const event::Waited& e) {
  Sums& sums = sums_[e.semaphore];
  sums.waited += e.amount;
  ++time_;  // what the core did until now did not yet come after these DMAs
  for (Started& d : sums.dmas) {
    const bool proves = proof_ == Proof::kMeant || sums.started - d.last + sums.signalled < sums.waited;
    if (d.proven || !proves) continue;
    d.proven = true;
    core_.join(dmas_[d.dma]);
    taken_over_[d.dma] = time_;
  }
}

PlainOrder::Stamp PlainOrder::now(const event::Agent& who) const {
  if (who.dma) return {1 + *who.dma, 1};
  return {0, time_};
}

bool PlainOrder::before(const Stamp& a, const Stamp& b) const {
  if (b.agent != 0) return dmas_[b.agent - 1].of(a.agent) >= a.time;
  if (a.agent == 0) return a.time <= b.time;  // the core's own program order
  const std::uint32_t since = taken_over_[a.agent - 1];
  return since != 0 && since <= b.time;
}

}  // namespace millrace::checkers
