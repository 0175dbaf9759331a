// SPDX-License-Identifier: Apache-2.0
#include "check/order.h"

#include <algorithm>

namespace millrace::checkers {

namespace {

constexpr event::DmaId kFew = 32;  // DMAs that may be kept though they could be forgotten: it changes no answer

}  // namespace

void Order::issued(const event::DmaIssued& e) {
  if (dmas_.empty()) unproven_ = e.dma;
  dmas_.add(e.dma) = {time_++, {}};  // what the core does from here on is not before the DMA
  Sums& sums = sums_.of(e.raises);
  sums.started += e.bytes;
  const std::int64_t last = std::min(e.granule, e.bytes);
  sums.open.push_back({e.dma, last, false});
  if (!e.sends) return;
  Sums& sending = sums_.of(*e.sends);
  sending.started += e.bytes;
  // Where one semaphore tells both, either last granule shows that the source has been read.
  sending.open.push_back({e.dma, *e.sends == e.raises ? 2 * last : last, true});
}

void Order::signalled(const event::Signalled& e) { sums_.of(e.semaphore).signalled += e.amount; }

void Order::prove(Proof proof, const Open& open) {
  Dma* const dma = dmas_.find(open.dma);
  if (!dma) return;  // the other half of a copy, of one that is through
  Known& known = dma->known[static_cast<std::size_t>(proof)];
  known.read = std::min(known.read, time_);
  if (!open.read) known.written = time_;
}

void Order::waited(const event::Waited& e) {
  Sums& sums = sums_.of(e.semaphore);
  sums.waited += e.amount;
  ++time_;  // what the core did until now did not yet come after these DMAs
  const std::int64_t spare = sums.started + sums.signalled - sums.waited;  // it could have done without so much
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sums.open.size(); ++i) {
    const Open& d = sums.open[i];
    if (i >= sums.met) prove(Proof::kMeant, d);
    if (d.last > spare)
      prove(Proof::kMust, d);
    else
      sums.open[kept++] = d;
  }
  sums.open.resize(kept);
  sums.met = kept;
  if (dmas_.end() - dmas_.oldest() > kFew) forget();
}

// What kMust knew to be written when the oldest DMA that it has not proven was started, comes before whatever is still
// to happen: the core and the DMAs from that one on know it.
void Order::forget() {
  const auto proven = [&](event::DmaId dma) {
    const Dma* kept = dmas_.find(dma);
    return !kept || kept->known[static_cast<std::size_t>(Proof::kMust)].written <= time_;
  };
  while (unproven_ < dmas_.end() && proven(unproven_)) ++unproven_;
  const std::uint64_t horizon = unproven_ < dmas_.end() ? started(unproven_) : time_;
  while (!dmas_.empty() && dmas_.oldest() < unproven_ &&
         dmas_.front().known[static_cast<std::size_t>(Proof::kMust)].written <= horizon)
    dmas_.remove(dmas_.oldest());
}

}  // namespace millrace::checkers
