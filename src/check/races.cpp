// SPDX-License-Identifier: Apache-2.0
#include "check/races.h"

namespace millrace::checkers {

// Whether whatever still happens comes after the access: the core, what it will start, and the DMAs that are still to
// read or write. Of these the oldest knows least.
bool OneCoreRaces::settled(const Open& a) const {
  const std::uint64_t known = order_.known_from(Proof::kMust, a.stamp);
  const auto& to_come = accesses_.in_flight();
  return known <= order_.time() && (to_come.empty() || known <= order_.started(to_come.oldest()));
}

OneCoreRaces::Open& OneCoreRaces::fresh() {
  if (spare_.empty()) return made_.emplace_back();
  Open& open = *spare_.back();
  spare_.pop_back();
  return open;
}

// Holds the access against those that are not settled yet, and forgets those that have become so.
void OneCoreRaces::add(event::MemoryId memory, Open& now) {
  now.stamp = order_.now(now.seen.who, now.seen.kind);
  std::vector<Open*>& open = entry(open_, memory);
  std::erase_if(open, [&](Open* e) {
    const bool same = same_dma(e->seen, now.seen);
    if (!same && order_.before(Proof::kMust, e->stamp, now.stamp)) {
      if (!settled(*e)) return false;
      spare_.push_back(e);
      return true;
    }
    if (!conflict(e->seen, now.seen)) return false;
    const bool meant =
        order_.before(Proof::kMeant, e->stamp, now.stamp) || order_.before(Proof::kMeant, now.stamp, e->stamp);
    pairs_.add(accesses_.name(memory), e->seen, now.seen, same || !meant);
    return false;
  });
  open.push_back(&now);
}

}  // namespace millrace::checkers
