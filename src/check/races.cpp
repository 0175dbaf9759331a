// SPDX-License-Identifier: Apache-2.0
#include "check/races.h"

namespace millrace::checkers {

void OneCoreRaces::on(const event::DmaIssued& e) {
  RaceObserver::on(e);
  event::Agent who = e.by;
  who.dma = e.dma;
  to_come_.emplace(e.dma, must_.now(who).time);
}

void OneCoreRaces::on(const event::DmaWrote& e) {
  RaceObserver::on(e);
  to_come_.erase(e.dma);
}

// Whether whatever still happens comes after the access: the core, what it will start, and the DMAs that are still to
// read or write. Of these the oldest knows least, and to_come_ has it first.
bool OneCoreRaces::settled(const Stamped& a) const {
  const std::uint64_t known = must_.known_from(a.must);
  const bool known_to_core = known <= must_.now(event::Agent{}).time;
  return known_to_core && (to_come_.empty() || known <= to_come_.begin()->second);
}

// Holds the access against those that are not settled yet, and forgets those that have become so.
void OneCoreRaces::add(event::MemoryId memory, Seen access) {
  const Stamped now = stamped(access);
  std::vector<Stamped>& open = open_[memory];
  std::erase_if(open, [&](const Stamped& e) {
    if (!same_dma(e.seen, access) && must_.before(e.must, now.must)) return settled(e);
    if (conflict(e.seen, access)) race(memory, e, now);
    return false;
  });
  open.push_back(now);
}

}  // namespace millrace::checkers
