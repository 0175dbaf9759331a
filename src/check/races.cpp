// SPDX-License-Identifier: Apache-2.0
#include "check/races.h"

#include <algorithm>

namespace millrace::checkers {

// What is known from this time of the core on comes before whatever still happens: before the core, what it will start,
// and the DMAs that are still to read or write. Of these the oldest knows least.
std::uint64_t OneCoreRaces::settled() const {
  const auto& to_come = accesses_.in_flight();
  return to_come.empty() ? order_.time() : std::min(order_.time(), order_.started(to_come.oldest()));
}

// Holds the access against those that are not settled yet, and forgets those that have become so.
void OneCoreRaces::add(event::MemoryId memory, Open& now) {
  now.stamp = order_.now(now.seen.who, now.seen.kind);
  now.known = order_.known_from(Proof::kMust, now.stamp);
  std::vector<Open*>& open = entry(open_, memory);
  if (!open.empty()) {
    const std::uint64_t settled_from = settled();
    std::size_t kept = 0;
    for (Open* e : open) {
      if (stays(memory, *e, now, settled_from))
        open[kept++] = e;
      else
        opens_.give_back(*e);
    }
    open.resize(kept);
  }
  open.push_back(&now);
}

bool OneCoreRaces::stays(event::MemoryId memory, Open& e, const Open& now, std::uint64_t settled_from) {
  const bool same = e.stamp.dma == now.stamp.dma && e.stamp.dma != Order::Stamp::kCore;
  if (e.known == Order::kNotYet) e.known = order_.known_from(Proof::kMust, e.stamp);
  if (!same && e.known <= now.stamp.time) return e.known > settled_from;
  if (!conflict(e.seen, now.seen)) return true;
  const bool meant =
      order_.before(Proof::kMeant, e.stamp, now.stamp) || order_.before(Proof::kMeant, now.stamp, e.stamp);
  pairs_.add(accesses_.name(memory), e.seen, now.seen, same || !meant);
  return true;
}

}  // namespace millrace::checkers
