// SPDX-License-Identifier: Apache-2.0
#include "check/order.h"

#include <algorithm>

namespace millrace::checkers {

void Order::issued(const event::DmaIssued& e) {
  if (dmas_.size() <= e.dma) dmas_.resize(e.dma + 1);
  dmas_[e.dma].started = time_++;  // what the core does from here on is not before the DMA
  Sums& sums = sums_[e.raises];
  sums.started += e.bytes;
  const std::int64_t last = std::min(e.granule, e.bytes);
  sums.open.push_back({e.dma, last, false});
  if (!e.sends) return;
  Sums& sending = sums_[*e.sends];
  sending.started += e.bytes;
  // Where one semaphore tells both, either last granule shows that the source has been read.
  sending.open.push_back({e.dma, *e.sends == e.raises ? 2 * last : last, true});
}

void Order::signalled(const event::Signalled& e) { sums_[e.semaphore].signalled += e.amount; }

void Order::waited(const event::Waited& e) {
  Sums& sums = sums_[e.semaphore];
  sums.waited += e.amount;
  ++time_;  // what the core did until now did not yet come after these DMAs
  std::erase_if(sums.open, [&](const Open& d) {
    const bool proves = proof_ == Proof::kMeant || sums.started - d.last + sums.signalled < sums.waited;
    if (!proves) return false;
    Dma& dma = dmas_[d.dma];
    dma.read = std::min(dma.read, time_);
    if (!d.read) dma.written = time_;
    return true;
  });
}

Order::Stamp Order::now(const event::Agent& who, event::AccessKind kind) const {
  if (who.dma) return {*who.dma, dmas_[*who.dma].started, kind == event::AccessKind::kRead};
  return {Stamp::kCore, time_};
}

std::uint64_t Order::known_from(const Stamp& a) const {
  if (a.dma == Stamp::kCore) return a.time;
  return a.read ? dmas_[a.dma].read : dmas_[a.dma].written;
}

bool Order::before(const Stamp& a, const Stamp& b) const {
  if (a.dma == b.dma && a.dma != Stamp::kCore) return true;
  return known_from(a) <= b.time;
}

}  // namespace millrace::checkers
