// SPDX-License-Identifier: Apache-2.0
#include "check/plain_races.h"

namespace millrace::checkers {

// Holds the access against all that came before it in the run. Must-order never goes against the run, so that one
// question is enough; the order that the author meant may. A DMA works piece by piece: its read and write are
// unordered.
void PlainRaces::add(event::MemoryId memory, Seen access) {
  const Stamped now = stamped(access);
  std::vector<Stamped>& earlier = seen_[memory];
  for (const Stamped& e : earlier) {
    if (!conflict(e.seen, access)) continue;
    if (!same_dma(e.seen, access) && must_.before(e.must, now.must)) continue;
    race(memory, e, now);
  }
  earlier.push_back(now);
}

}  // namespace millrace::checkers
