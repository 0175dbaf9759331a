// SPDX-License-Identifier: Apache-2.0
#include "check/races.h"

#include <algorithm>

namespace millrace::checkers {

// What is known from this time of the core on comes before whatever still happens: before the core, what it will start,
// and the DMAs that are still to read or write. Of these the oldest knows least.
std::uint64_t OneCoreRaces::settled_from() const {
  return to_come_.empty() ? order_.time() : std::min(order_.time(), to_come_.front().write->stamp.time);
}

void OneCoreRaces::on(const event::Access& e) {
  Open& now = opens_.take();
  const event::MemoryId memory = accesses_.fill(e, now.seen);
  now.stamp = order_.now(e.who, e.kind);
  now.known = now.stamp.time;
  add(memory, now);
}

// Both accesses of a DMA are made at its start, which is what they know; they are held against others when they come.
void OneCoreRaces::on(const event::DmaIssued& e) {
  order_.issued(e);
  const std::uint64_t time = order_.started(e.dma);
  Open &read = opens_.take(), &write = opens_.take();
  accesses_.start(e, read.seen, write.seen);
  read.stamp = {e.dma, time, true}, write.stamp = {e.dma, time, false};
  read.known = write.known = Order::kNotYet;
  to_come_.add(e.dma) = {e.source.memory, e.target.memory, &read, &write};
}

void OneCoreRaces::on(const event::DmaRead& e) {
  const Moves& moves = to_come_.at(e.dma);
  add(moves.source, *moves.read);
}

void OneCoreRaces::on(const event::DmaWrote& e) {
  const Moves moves = to_come_.at(e.dma);
  to_come_.remove(e.dma);
  add(moves.target, *moves.write);
}

template <class Goes>
void OneCoreRaces::forget(std::vector<Open*>& open, const Goes& goes) {
  std::size_t kept = 0;
  for (Open* e : open) {
    if (goes(*e))
      opens_.give_back(*e);
    else
      open[kept++] = e;
  }
  open.resize(kept);
}

// Holds the access against those that are not settled yet, and forgets those that have become so.
void OneCoreRaces::add(event::MemoryId memory, Open& now) {
  OfMemory& m = entry(memories_, memory);
  const bool write = now.seen.kind == event::AccessKind::kWrite;
  if (!m.writes.empty()) judge(memory, m.writes, now, settled_from());
  if (write && !m.reads.empty()) judge(memory, m.reads, now, settled_from());
  if (!write && m.reads.size() >= m.most_reads) forget_reads(m, settled_from());
  (write ? m.writes : m.reads).push_back(&now);
}

void OneCoreRaces::judge(event::MemoryId memory, std::vector<Open*>& open, const Open& now,
                         std::uint64_t settled_from) {
  forget(open, [&](Open& e) {
    const bool same = e.stamp.dma == now.stamp.dma && e.stamp.dma != Order::Stamp::kCore;
    if (!same && known(e) <= now.stamp.time) return e.known <= settled_from;
    if (conflict(e.seen, now.seen)) pair_up(memory, e, now);
    return false;
  });
}

// As often as their number doubles: in all as much work as there are reads.
void OneCoreRaces::forget_reads(OfMemory& memory, std::uint64_t settled_from) {
  forget(memory.reads, [&](Open& e) { return known(e) <= settled_from; });
  memory.most_reads = 2 * memory.reads.size() + 8;
}

void OneCoreRaces::pair_up(event::MemoryId memory, const Open& a, const Open& b) {
  const bool meant = order_.before(Proof::kMeant, a.stamp, b.stamp) || order_.before(Proof::kMeant, b.stamp, a.stamp);
  pairs_.add(accesses_.name(memory), a.seen, b.seen, same_dma(a.seen, b.seen) || !meant);
}

}  // namespace millrace::checkers
