// SPDX-License-Identifier: Apache-2.0
#include "check/vector_order.h"

#include <algorithm>
#include <numeric>

namespace millrace::checkers {

namespace {

constexpr std::size_t kMust = static_cast<std::size_t>(Proof::kMust), kMeant = static_cast<std::size_t>(Proof::kMeant);

std::int64_t last_granule(const event::DmaIssued& e) { return std::min(e.granule, e.bytes); }

// The first i below n for which `holds`, where it holds for all that follow; n where there is none.
template <class Holds>
std::size_t first_where(std::size_t n, const Holds& holds) {
  std::size_t low = 0, high = n;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

void VectorOrder::begin(int devices, int cores) {
  cores_per_device_ = cores;
  time_.assign(static_cast<std::size_t>(devices) * static_cast<std::size_t>(cores), 1);
  by_core_.resize(time_.size());
}

std::uint32_t VectorOrder::number_of(const event::Agent& who) const {
  return static_cast<std::uint32_t>(who.device * cores_per_device_ + who.core);
}

std::uint32_t VectorOrder::semaphore_of(const event::Semaphore& s) {
  const auto [entry, fresh] = numbers_.try_emplace(s, static_cast<std::uint32_t>(semaphores_.size()));
  if (fresh) {
    Semaphore& made = semaphores_.emplace_back();
    made.given.resize(cores()), made.dmas.resize(cores()), made.looked_at.resize(cores());
  }
  return entry->second;
}

void VectorOrder::give(std::uint32_t semaphore, std::uint32_t core, std::int64_t amount) {
  std::vector<Given>& given = semaphores_[semaphore].given[core];
  const std::int64_t sum = given.empty() ? 0 : given.back().sum;
  given.push_back({time_[core], static_cast<std::uint32_t>(by_core_[core].size()), event_++, sum + amount});
}

void VectorOrder::issued(const event::DmaIssued& e) {
  const std::uint32_t core = number_of(e.by), raises = semaphore_of(e.raises);
  const auto waits = static_cast<std::uint32_t>(by_core_[core].size());
  Dma dma{time_[core], core, waits, last_granule(e), raises, {}, 0, {}, {}};
  const auto open = [&](std::uint32_t semaphore, std::int64_t last, bool read) {
    Semaphore& s = semaphores_[semaphore];
    s.dmas[core].push_back({e.dma, dma.time, last, read});
    s.most_last = std::max(s.most_last, last);
    s.reads |= read;
  };
  give(raises, core, e.bytes);
  open(raises, last_granule(e), false);
  if (e.sends) {
    dma.sends = semaphore_of(*e.sends);
    give(*dma.sends, core, e.bytes);
    open(*dma.sends, last_granule(e), true);
    dma.remote = static_cast<std::uint32_t>(remote_.size());
    remote_.push_back(e.dma);
  }
  if (dmas_.size() <= e.dma) dmas_.resize(e.dma + 1);
  dmas_[e.dma] = std::move(dma);
  ++time_[core];
}

void VectorOrder::signalled(const event::Signalled& e) {
  const std::uint32_t core = number_of(e.who);
  give(semaphore_of(e.semaphore), core, e.amount);
  ++time_[core];
}

void VectorOrder::waited(const event::Waited& e) {
  const std::uint32_t core = number_of(e.who), number = semaphore_of(e.semaphore);
  Semaphore& s = semaphores_[number];
  s.owner = core;
  s.waited += e.amount;
  const std::int64_t own = s.given[core].empty() ? 0 : s.given[core].back().sum;
  const auto before = static_cast<std::uint32_t>(by_core_[core].size());
  by_core_[core].push_back(static_cast<std::uint32_t>(waits_.size()));
  waits_.push_back({core, before, time_[core], number, event_++, own, s.waited});
  ++time_[core];
}

VectorOrder::Time VectorOrder::clock(Proof proof, std::uint32_t of, std::uint32_t core, Time time,
                                     std::uint32_t waits) const {
  if (of == core) return time;
  if (waits == 0) return 0;
  return clocks_[static_cast<std::size_t>(proof)][by_core_[core][waits - 1] * cores() + of];
}

const VectorOrder::Time* VectorOrder::behind(Proof proof, const Wait& w) const {
  if (w.waits == 0) return nullptr;
  return &clocks_[static_cast<std::size_t>(proof)][by_core_[w.core][w.waits - 1] * cores()];
}

bool VectorOrder::known(Proof proof, const Dma& dma, bool read, std::uint32_t core, Time time,
                        std::uint32_t waits) const {
  const auto p = static_cast<std::size_t>(proof);
  if (clock(proof, semaphores_[dma.raises].owner, core, time, waits) >= dma.written[p].time) return true;
  return read && dma.sends && clock(proof, semaphores_[*dma.sends].owner, core, time, waits) >= dma.read[p].time;
}

// Of each other core, what it gave that does not come after the wait. (In the first pass, what comes later in the run
// is not there yet.)
std::vector<VectorOrder::Group> VectorOrder::foreign(const Wait& w) const {
  std::vector<Group> groups;
  const Semaphore& s = semaphores_[w.semaphore];
  if (!s.foreign) return groups;
  for (std::uint32_t c = 0; c < cores(); ++c) {
    const std::vector<Given>& given = s.given[c];
    if (c == w.core || given.empty()) continue;
    Group g{&given, given.size(), c};
    if (pass_ == 1) g.count = first_where(g.count, [&](std::size_t i) { return given[i].event > w.event; });
    g.count = first_where(g.count, [&](std::size_t i) { return clock(Proof::kMust, w.core, g, i) > w.time; });
    if (g.count > 0) groups.push_back(g);
  }
  return groups;
}

// For each core the least time such that those contributions that know no more than that of it meet the wait.
std::vector<VectorOrder::Time> VectorOrder::meet(const Wait& w, const std::vector<Group>& groups) const {
  std::vector<Time> result(cores(), 0);
  if (const Time* before = behind(Proof::kMust, w)) result.assign(before, before + cores());
  result[w.core] = w.time + 1;
  const std::int64_t need = w.wanted - w.own;
  if (need <= 0 || groups.empty()) return result;
  for (std::uint32_t k = 0; k < cores(); ++k) {
    if (k == w.core) continue;
    Time low = result[k], high = low;
    for (const Group& g : groups) high = std::max(high, clock(Proof::kMust, k, g, g.count - 1));
    const auto enough = [&](Time t) {
      std::int64_t sum = 0;
      for (const Group& g : groups) {
        const std::size_t n = first_where(g.count, [&](std::size_t i) { return clock(Proof::kMust, k, g, i) > t; });
        if (n > 0) sum += (*g.given)[n - 1].sum;
      }
      return sum >= need;
    };
    result[k] = low + static_cast<Time>(
                          first_where(high - low, [&](std::size_t i) { return enough(low + static_cast<Time>(i)); }));
  }
  return result;
}

// The DMAs among what may meet the wait, from now on open.
void VectorOrder::look_at(const Wait& w, const std::vector<Group>& groups) {
  Semaphore& s = semaphores_[w.semaphore];
  const auto look = [&](std::uint32_t core, Time until) {
    std::size_t& i = s.looked_at[core];
    for (; i < s.dmas[core].size() && s.dmas[core][i].time <= until; ++i) s.open.push_back(s.dmas[core][i]);
  };
  look(w.core, w.time);
  for (const Group& g : groups) look(g.core, (*g.given)[g.count - 1].time);
}

bool VectorOrder::prove(const Wait& w, const std::vector<Group>& groups) {
  Semaphore& s = semaphores_[w.semaphore];
  std::int64_t all = w.own;
  for (const Group& g : groups) all += g.sum();
  if (!s.reads && all - s.most_last >= w.wanted) return false;
  look_at(w, groups);
  bool changed = false;
  std::erase_if(s.open, [&](const Open& d) {
    if ((d.read ? without_read(d.dma, w, groups) : all - d.last) >= w.wanted) return false;
    Proven& proven = (d.read ? dmas_[d.dma].read : dmas_[d.dma].written)[kMust];
    changed |= proven.time != w.time + 1;
    proven = {w.time + 1, pass_};
    return true;
  });
  return changed;
}

// The first of the group's contributions with which one knows that the DMA has read its source.
std::size_t VectorOrder::first_knowing(event::DmaId dma, const Group& g) const {
  return first_where(g.count, [&](std::size_t i) {
    const Given& given = (*g.given)[i];
    return known(Proof::kMust, dmas_[dma], true, g.core, given.time, given.waits) ||
           read_known(dma, g.core, given.waits);
  });
}

bool VectorOrder::read_known(event::DmaId dma, std::uint32_t core, std::uint32_t waits) const {
  if (reads_.empty() || waits == 0) return false;
  const std::vector<bool>& reads = reads_[by_core_[core][waits - 1]];
  return !reads.empty() && reads[dmas_[dma].remote];
}

// How much could have come without the DMA having read its source.
std::int64_t VectorOrder::without_read(event::DmaId id, const Wait& w, const std::vector<Group>& groups) const {
  const Dma& dma = dmas_[id];
  std::int64_t sum = w.own;
  if (dma.core == w.core && dma.time <= w.time)
    sum -= dma.last * ((dma.raises == w.semaphore ? 1 : 0) + (dma.sends == w.semaphore ? 1 : 0));
  for (const Group& g : groups) {
    const std::size_t n = first_knowing(id, g);
    if (n == 0) continue;
    sum += (*g.given)[n - 1].sum;
    if (dma.core == g.core && dma.raises == w.semaphore && dma.time <= (*g.given)[n - 1].time) sum -= dma.last;
  }
  return sum;
}

// A remote copy's read may be known by its send semaphore or by its arrival, where neither is known for itself. All
// that is known goes in, whatever else says so: what else says so may be taken back in a later pass.
bool VectorOrder::prove_reads(std::size_t index, const std::vector<Group>& groups) {
  const Wait& w = waits_[index];
  std::vector<bool> now;
  if (w.waits > 0) now = reads_[by_core_[w.core][w.waits - 1]];
  now.resize(remote_.size(), false);
  for (std::size_t r = 0; !groups.empty() && r < remote_.size(); ++r)
    if (!now[r]) now[r] = without_read(remote_[r], w, groups) < w.wanted;
  if (now == reads_[index]) return false;
  reads_[index] = std::move(now);
  return true;
}

bool VectorOrder::pass_wait(std::size_t index) {
  const Wait& w = waits_[index];
  const std::vector<Group> groups = foreign(w);
  const std::vector<Time> now = meet(w, groups);
  Time* kept = &clocks_[kMust][index * cores()];
  bool changed = !std::equal(now.begin(), now.end(), kept);
  std::copy(now.begin(), now.end(), kept);
  changed |= prove(w, groups);
  if (!reads_.empty()) changed |= prove_reads(index, groups);
  return changed;
}

// What an earlier pass proved and this one did not.
bool VectorOrder::forget_unproven() {
  bool changed = false;
  for (Dma& d : dmas_) {
    for (Proven* p : {&d.read[kMust], &d.written[kMust]}) {
      if (p->time == kNever || p->pass == pass_) continue;
      *p = {};
      changed = true;
    }
  }
  return changed;
}

bool VectorOrder::pass() {
  for (Semaphore& s : semaphores_) s.open.clear(), s.looked_at.assign(cores(), 0);
  bool changed = false;
  for (std::size_t i = 0; i < waits_.size(); ++i) changed |= pass_wait(i);
  return forget_unproven() || changed;
}

void VectorOrder::prove_meant() {
  for (Semaphore& s : semaphores_) s.open.clear(), s.looked_at.assign(cores(), 0);
  for (const Wait& w : waits_) {
    look_at(w, foreign(w));
    for (const Open& d : semaphores_[w.semaphore].open)
      (d.read ? dmas_[d.dma].read : dmas_[d.dma].written)[kMeant].time = w.time + 1;
    semaphores_[w.semaphore].open.clear();
  }
}

bool VectorOrder::pass_meant() {
  bool changed = false;
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    const Wait& w = waits_[i];
    const Time* before = behind(Proof::kMeant, w);
    const std::vector<Group> groups = foreign(w);
    for (std::uint32_t k = 0; k < cores(); ++k) {
      Time now = k == w.core ? w.time + 1 : before ? before[k] : 0;
      if (k != w.core)
        for (const Group& g : groups) now = std::max(now, clock(Proof::kMeant, k, g, g.count - 1));
      Time& kept = clocks_[kMeant][i * cores() + k];
      changed |= kept != now;
      kept = now;
    }
  }
  return changed;
}

// From above and from below, as PlainOrder does it.
void VectorOrder::settle() {
  for (Semaphore& s : semaphores_) {
    s.foreign = false;
    for (std::uint32_t c = 0; c < cores(); ++c) s.foreign |= c != s.owner && !s.given[c].empty();
  }
  for (auto& clocks : clocks_) clocks.assign(waits_.size() * cores(), 0);
  reads_.clear();
  if (remote_.size() * waits_.size() <= kMostReads && !remote_.empty()) reads_.resize(waits_.size());
  for (pass_ = 1; pass(); ++pass_) {
  }
  ++pass_;
  prove_meant();
  while (pass_meant()) {
  }
}

VectorOrder::Stamp VectorOrder::now(const event::Agent& who, event::AccessKind kind) const {
  if (who.dma) {
    const Dma& d = dmas_[*who.dma];
    return {d.core, d.time, d.waits, kind == event::AccessKind::kRead, *who.dma};
  }
  const std::uint32_t core = number_of(who);
  return {core, time_[core], static_cast<std::uint32_t>(by_core_[core].size()), false, kNoDma};
}

VectorOrder::Stamp VectorOrder::at(std::uint32_t core, Time time) const {
  const auto& waits = by_core_[core];
  const std::size_t done = first_where(waits.size(), [&](std::size_t i) { return waits_[waits[i]].time >= time; });
  return {core, time, static_cast<std::uint32_t>(done), false, kNoDma};
}

bool VectorOrder::before(Proof proof, const Stamp& a, const Stamp& b) const {
  if (a.dma == kNoDma) return clock(proof, a.core, b.core, b.time, b.waits) >= a.time;
  if (a.dma == b.dma) return true;
  if (known(proof, dmas_[a.dma], a.read, b.core, b.time, b.waits)) return true;
  return proof == Proof::kMust && a.read && dmas_[a.dma].sends && read_known(a.dma, b.core, b.waits);
}

}  // namespace millrace::checkers
