// SPDX-License-Identifier: Apache-2.0
#include "check/plain_races.h"

namespace millrace::checkers {

// A DMA works piece by piece: its read and write are in no order.
void PlainRaces::judge(event::MemoryId memory, const Stamped& a, const Stamped& b, RacePairs& pairs) const {
  if (!conflict(a.seen, b.seen)) return;
  const bool same = same_dma(a.seen, b.seen);
  if (!same && (must_.before(a.must, b.must) || must_.before(b.must, a.must))) return;
  const bool meant = meant_.before(a.meant, b.meant) || meant_.before(b.meant, a.meant);
  pairs.add(accesses_.name(memory), a.seen, b.seen, same || !meant);
}

std::vector<Finding> PlainRaces::findings() {
  RacePairs pairs;
  for (const auto& [memory, seen] : seen_)
    for (std::size_t b = 0; b < seen.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) judge(memory, seen[a], seen[b], pairs);
  return pairs.findings(accesses_);
}

}  // namespace millrace::checkers
