// SPDX-License-Identifier: Apache-2.0
#include "check/vector_races.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace millrace::checkers {

namespace {

constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();

// How far each core has come with one memory: the least of its own times at which something that is still to come was
// done or, of a DMA, started. By access: that time for the core of the access, from this access on.
template <class Kept>
std::vector<std::uint32_t> least_to_come(const std::vector<Kept>& accesses, std::size_t cores) {
  std::vector<std::uint32_t> least(accesses.size()), by_core(cores, kDone);
  for (std::size_t i = accesses.size(); i-- > 0;) {
    std::uint32_t& time = by_core[accesses[i].stamp.core];
    least[i] = time;  // behind this access
    time = std::min(time, accesses[i].stamp.time);
  }
  return least;
}

// What the sets of elements span along one dimension.
template <class Elements>
std::vector<Range> spans_along(const std::vector<Elements>& elements, std::size_t d) {
  std::vector<Range> spans;
  for (const Elements& e : elements) {
    Range span = e.box.ranges[d];
    for (std::size_t i = 0; e.more && i < e.more->size(); ++i) {
      span.begin = std::min(span.begin, (*e.more)[i].ranges[d].begin);
      span.end = std::max(span.end, (*e.more)[i].ranges[d].end);
    }
    spans.push_back(span);
  }
  return spans;
}

// The dimension along which the sets lie most apart.
template <class Elements>
std::vector<Range> widest_spread(const std::vector<Elements>& elements) {
  std::vector<Range> best;
  std::size_t most = 0;
  const int dimensions = elements.empty() ? 0 : std::max(elements[0].box.rank, 1);  // of a scalar: what all share
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    const std::vector<Range> spans = spans_along(elements, d);
    std::set<std::int64_t> begins;
    for (const Range& r : spans) begins.insert(r.begin);
    if (begins.size() > most) best = spans, most = begins.size();
  }
  return best;
}

// For each set of elements, those that share one with it, itself among them: from one end to the other, each is held
// against those that begin before it ends.
template <class Elements>
std::vector<std::vector<std::uint32_t>> sharing(const std::vector<Elements>& elements) {
  std::vector<std::vector<std::uint32_t>> result(elements.size());
  const std::vector<Range> spans = widest_spread(elements);
  std::vector<std::uint32_t> sorted(elements.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return spans[a].begin < spans[b].begin; });
  const auto set_of = [&](std::uint32_t i) {
    Seen s;
    s.box = elements[i].box, s.more = elements[i].more, s.kind = event::AccessKind::kWrite;
    return s;
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::uint32_t a = sorted[i];
    const Seen of_a = set_of(a);
    result[a].push_back(a);
    for (std::size_t j = i + 1; j < sorted.size(); ++j) {
      const std::uint32_t b = sorted[j];
      if (elements[a].box.rank > 0 && spans[b].begin >= spans[a].end) break;
      if (conflict(of_a, set_of(b))) result[a].push_back(b), result[b].push_back(a);
    }
  }
  return result;
}

}  // namespace

void VectorRaces::keep(event::MemoryId memory, const Seen& access) {
  OfMemory& m = memories_[memory];
  std::vector<std::int64_t> key;
  const auto add = [&](const event::Box& box) {
    for (const Range& r : box.span()) key.insert(key.end(), {r.begin, r.end, r.stride});
  };
  add(access.box);
  if (access.more)
    for (const event::Box& b : *access.more) add(b);
  const auto [number, fresh] = m.numbers.try_emplace(std::move(key), static_cast<std::uint32_t>(m.elements.size()));
  if (fresh) m.elements.push_back({access.box, access.more});
  m.accesses.push_back({access.who, order_.now(access.who, access.kind), access.nth, access.order, access.step,
                        access.at, number->second, access.kind, access.window});
}

Seen VectorRaces::seen(const OfMemory& m, const Kept& k) {
  const Elements& e = m.elements[k.elements];
  return {k.who, e.box, k.kind, k.at, k.nth, k.order, k.window, e.more, k.step};
}

// An access is settled, and forgotten, as soon as all that is still to come on its memory comes after it.
void VectorRaces::judge(event::MemoryId memory, const OfMemory& m, RacePairs& pairs) const {
  const auto least = least_to_come(m.accesses, order_.cores());
  const auto shared = sharing(m.elements);
  std::vector<std::uint32_t> to_come(order_.cores(), kDone);
  for (const Kept& k : m.accesses) to_come[k.stamp.core] = std::min(to_come[k.stamp.core], k.stamp.time);
  std::vector<std::vector<std::uint32_t>> open(m.elements.size());
  const auto settled = [&](const Kept& a) {
    for (std::uint32_t c = 0; c < order_.cores(); ++c)
      if (to_come[c] != kDone && !order_.before(Proof::kMust, a.stamp, order_.at(c, to_come[c]))) return false;
    return true;
  };
  for (std::uint32_t i = 0; i < m.accesses.size(); ++i) {
    const Kept& b = m.accesses[i];
    to_come[b.stamp.core] = least[i];
    for (std::uint32_t other : shared[b.elements]) {
      std::erase_if(open[other], [&](std::uint32_t e) {
        const Kept& a = m.accesses[e];
        const bool same = a.stamp.dma != VectorOrder::kNoDma && a.stamp.dma == b.stamp.dma;
        if (!same && order_.before(Proof::kMust, a.stamp, b.stamp)) return settled(a);
        if (a.kind == event::AccessKind::kRead && b.kind == event::AccessKind::kRead) return false;
        const Seen x = seen(m, a), y = seen(m, b);
        if (!conflict(x, y)) return false;
        const bool meant =
            order_.before(Proof::kMeant, a.stamp, b.stamp) || order_.before(Proof::kMeant, b.stamp, a.stamp);
        pairs.add(accesses_.name(memory), x, y, same || !meant);
        return false;
      });
    }
    open[b.elements].push_back(i);
  }
}

std::vector<Finding> VectorRaces::findings() {
  order_.settle();
  RacePairs pairs;
  for (const auto& [memory, m] : memories_) judge(memory, m, pairs);
  return pairs.findings(accesses_);
}

}  // namespace millrace::checkers
