// SPDX-License-Identifier: Apache-2.0
#include "check/plain_races.h"

namespace millrace::checkers {

// A DMA works piece by piece: its read and write are in no order.
void PlainRaces::judge() {
  for (const auto& [memory, seen] : seen_) {
    for (std::size_t b = 0; b < seen.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (!conflict(seen[a].seen, seen[b].seen)) continue;
        const bool ordered = must_.before(seen[a].must, seen[b].must) || must_.before(seen[b].must, seen[a].must);
        if (same_dma(seen[a].seen, seen[b].seen) || !ordered) race(memory, seen[a], seen[b]);
      }
    }
  }
}

}  // namespace millrace::checkers
