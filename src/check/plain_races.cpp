// SPDX-License-Identifier: Apache-2.0
#include "check/plain_races.h"

namespace millrace::checkers {

void PlainRaces::on(const event::DmaIssued& e) {
  must_.issued(e);
  meant_.issued(e);
  accesses_.on(e);
}

void PlainRaces::on(const event::DmaRead& e) {
  auto [memory, seen] = accesses_.of(e);
  add(memory, std::move(seen));
}

void PlainRaces::on(const event::DmaWrote& e) {
  auto [memory, seen] = accesses_.of(e);
  add(memory, std::move(seen));
}

void PlainRaces::on(const event::Signalled& e) {
  must_.signalled(e);
  meant_.signalled(e);
}

void PlainRaces::on(const event::Waited& e) {
  must_.waited(e);
  meant_.waited(e);
}

// Holds the access against all that came before it in the run. Must-order never goes against the run, so that one
// question is enough; the order that the author meant may. A DMA works piece by piece: its read and write are
// unordered.
void PlainRaces::add(event::MemoryId memory, Seen access) {
  const Stamped now{access, must_.now(access.who), meant_.now(access.who)};
  std::vector<Stamped>& earlier = seen_[memory];
  for (const Stamped& e : earlier) {
    if (!conflict(e.seen, access)) continue;
    const bool itself = same_dma(e.seen, access);
    if (!itself && must_.before(e.must, now.must)) continue;
    const bool meant = meant_.before(e.meant, now.meant) || meant_.before(now.meant, e.meant);
    pairs_.add(accesses_.name(memory), e.seen, access, itself || !meant);
  }
  earlier.push_back(now);
}

}  // namespace millrace::checkers
