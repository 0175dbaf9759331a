// SPDX-License-Identifier: Apache-2.0
#include "check/order.h"

#include <algorithm>

namespace millrace::checkers {

void Order::issued(const event::DmaIssued& e) {
  if (dmas_.size() <= e.dma) dmas_.resize(e.dma + 1);
  dmas_[e.dma].started = time_++;  // what the core does from here on is not before the DMA
  Sums& sums = sums_[e.raises];
  sums.started += e.bytes;
  sums.open.push_back({e.dma, std::min(e.granule, e.bytes)});
}

void Order::signalled(const event::Signalled& e) { sums_[e.semaphore].signalled += e.amount; }

void Order::waited(const event::Waited& e) {
  Sums& sums = sums_[e.semaphore];
  sums.waited += e.amount;
  ++time_;  // what the core did until now did not yet come after these DMAs
  std::erase_if(sums.open, [&](const Open& d) {
    const bool proves = proof_ == Proof::kMeant || sums.started - d.last + sums.signalled < sums.waited;
    if (proves) dmas_[d.dma].proven = time_;
    return proves;
  });
}

Order::Stamp Order::now(const event::Agent& who) const {
  if (who.dma) return {*who.dma, dmas_[*who.dma].started};
  return {Stamp::kCore, time_};
}

std::uint64_t Order::known_from(const Stamp& a) const { return a.dma == Stamp::kCore ? a.time : dmas_[a.dma].proven; }

bool Order::before(const Stamp& a, const Stamp& b) const {
  if (a.dma == b.dma && a.dma != Stamp::kCore) return true;
  return known_from(a) <= b.time;
}

}  // namespace millrace::checkers
