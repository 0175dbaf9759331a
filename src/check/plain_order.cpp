// SPDX-License-Identifier: Apache-2.0
#include "check/plain_order.h"

#include <algorithm>
#include <utility>

namespace millrace::checkers {

namespace {

std::size_t index(Proof proof) { return static_cast<std::size_t>(proof); }

template <class Key>
std::uint32_t value_of(const std::map<Key, std::uint32_t>& times, const Key& key) {
  const auto found = times.find(key);
  return found == times.end() ? 0 : found->second;
}

// One that could help to meet a wait: how much it brings, and what is known with it.
struct Candidate {
  std::int64_t amount;
  Clock clock;
};

// What is known of one agent once `wanted` has come together. A set that could have met the wait knows no more than
// `time` of the agent just where those candidates that know no more than that bring enough: so it is the least such
// time that all sets have in common.
template <class Agent>
std::uint32_t in_common(const std::vector<Candidate>& candidates, std::int64_t wanted, const Agent& agent) {
  std::map<std::uint32_t, std::int64_t> brought;  // by time
  for (const Candidate& c : candidates) brought[c.clock.of(agent)] += c.amount;
  std::int64_t sum = 0;
  for (const auto& [time, amount] : brought)
    if ((sum += amount) >= wanted) return time;
  return brought.empty() ? 0 : brought.rbegin()->first;
}

Clock meet(const std::vector<Candidate>& candidates, std::int64_t wanted) {
  Clock all, result;
  for (const Candidate& c : candidates) all.join(c.clock);
  for (const auto& [core, time] : all.cores) result.know(core, in_common(candidates, wanted, core));
  for (const auto& [dma, stage] : all.dmas) result.know(dma, in_common(candidates, wanted, dma));
  return result;
}

}  // namespace

std::uint32_t Clock::of(CoreId core) const { return value_of(cores, core); }
std::uint32_t Clock::of(event::DmaId dma) const { return value_of(dmas, dma); }

void Clock::know(CoreId core, std::uint32_t time) {
  if (time > 0) cores[core] = std::max(cores[core], time);
}

void Clock::know(event::DmaId dma, std::uint32_t stage) {
  if (stage > 0) dmas[dma] = std::max(dmas[dma], stage);
}

void Clock::join(const Clock& other) {
  for (const auto& [core, time] : other.cores) know(core, time);
  for (const auto& [dma, stage] : other.dmas) know(dma, stage);
}

std::size_t PlainOrder::add(CoreId core) {
  std::vector<std::size_t>& mine = by_core_[core];
  mine.push_back(steps_.size());
  Step& step = steps_.emplace_back();
  step.core = core;
  step.time = static_cast<std::uint32_t>(mine.size());
  worked_out_ = false;
  return steps_.size() - 1;
}

// The bytes of a DMA come one after the other, so its first may be there without its last granule, never the other way
// round.
void PlainOrder::contribute(event::Semaphore semaphore, std::size_t step, const event::DmaIssued& dma,
                            std::uint32_t stage) {
  const std::int64_t last = std::min(dma.granule, dma.bytes);
  contributions_[semaphore].push_back({step, dma.bytes - last});
  contributions_[semaphore].push_back({step, last, dma.dma, stage});
}

void PlainOrder::issued(const event::DmaIssued& e) {
  const std::size_t step = add(core_of(e.by));
  starts_[e.dma] = step;
  contribute(e.raises, step, e, 2);
  if (e.sends) contribute(*e.sends, step, e, 1);
}

void PlainOrder::signalled(const event::Signalled& e) {
  const std::size_t step = add(core_of(e.who));
  contributions_[e.semaphore].push_back({step, e.amount});
}

void PlainOrder::waited(const event::Waited& e) {
  const std::size_t step = add(core_of(e.who));
  steps_[step].waits = true;
  steps_[step].semaphore = e.semaphore;
  steps_[step].wanted = waited_[e.semaphore] += e.amount;
}

Clock PlainOrder::clock_of(const Contribution& c, Proof proof) const {
  Clock clock = steps_[c.step].before[index(proof)];
  clock.know(c.dma, c.stage);
  return clock;
}

// All that is not ordered after the wait. (In the first pass, what comes later in the run is not there yet.)
std::vector<const PlainOrder::Contribution*> PlainOrder::candidates(const Step& wait) const {
  std::vector<const Contribution*> result;
  const auto found = contributions_.find(wait.semaphore);
  if (found == contributions_.end()) return result;
  for (const Contribution& c : found->second)
    if (steps_[c.step].reached && clock_of(c, Proof::kMust).of(wait.core) <= wait.time) result.push_back(&c);
  return result;
}

Clock PlainOrder::behind_wait(const Step& wait, Proof proof) const {
  std::vector<Candidate> clocks;
  for (const Contribution* c : candidates(wait)) clocks.push_back({c->amount, clock_of(*c, proof)});
  if (proof == Proof::kMust) return meet(clocks, wait.wanted);
  Clock all;
  for (const Candidate& c : clocks) all.join(c.clock);
  return all;
}

bool PlainOrder::pass(Proof proof) const {
  bool changed = false;
  for (Step& step : steps_) {
    const std::vector<std::size_t>& mine = by_core_.at(step.core);
    Clock known = step.time == 1 ? Clock{} : steps_[mine[step.time - 2]].after[index(proof)];
    known.know(step.core, step.time);
    step.before[index(proof)] = known;
    if (step.waits) known.join(behind_wait(step, proof));
    known.cores[step.core] = step.time;  // what was meant may go round in a circle; nobody knows his own future
    changed |= known != step.after[index(proof)];
    step.after[index(proof)] = std::move(known);
    step.reached = true;
  }
  return changed;
}

// What the order must keep is found from above: at first each wait knows too much, as nothing that comes later in the
// run could have met it; with each pass it knows less, until nothing changes. What was meant is found from below.
void PlainOrder::work_out() const {
  if (std::exchange(worked_out_, true)) return;
  for (Step& step : steps_) step.reached = false, step.before = step.after = {};
  while (pass(Proof::kMust)) {
  }
  while (proof_ == Proof::kMeant && pass(Proof::kMeant)) {
  }
  if (proof_ == Proof::kMeant) note_meant();
}

void PlainOrder::note_meant() const {
  awaited_.clear();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].waits) continue;
    for (const Contribution* c : candidates(steps_[i]))
      if (c->stage > 0) awaited_.try_emplace({c->dma, c->stage}, i);
  }
}

// The write of a DMA is known where its arrival is, its read where its sending or its arrival is.
bool PlainOrder::meant(const Stamp& dma, const Stamp& b) const {
  for (std::uint32_t stage = dma.time; stage <= 2; ++stage) {
    const auto found = awaited_.find({*dma.who.dma, stage});
    if (found != awaited_.end() && known_of(steps_[found->second].core, b) > steps_[found->second].time) return true;
  }
  return false;
}

PlainOrder::Stamp PlainOrder::now(const event::Agent& who, event::AccessKind kind) const {
  if (who.dma) return {who, kind == event::AccessKind::kRead ? 1u : 2u};
  const auto mine = by_core_.find(core_of(who));
  return {who, mine == by_core_.end() ? 1u : static_cast<std::uint32_t>(mine->second.size() + 1)};
}

const Clock& PlainOrder::known_at(const Stamp& s) const {
  static const Clock nothing;
  if (s.who.dma) return steps_[starts_.at(*s.who.dma)].before[index(proof_)];
  return s.time == 1 ? nothing : steps_[by_core_.at(core_of(s.who))[s.time - 2]].after[index(proof_)];
}

std::uint32_t PlainOrder::known_of(CoreId core, const Stamp& s) const {
  return !s.who.dma && core == core_of(s.who) ? s.time : known_at(s).of(core);
}

bool PlainOrder::before(const Stamp& a, const Stamp& b) const {
  if (a.who.dma && b.who.dma && *a.who.dma == *b.who.dma) return true;
  if (!a.who.dma && !b.who.dma && core_of(a.who) == core_of(b.who)) return a.time <= b.time;
  work_out();
  if (!a.who.dma) return known_of(core_of(a.who), b) >= a.time;
  return proof_ == Proof::kMeant ? meant(a, b) : known_at(b).of(*a.who.dma) >= a.time;
}

}  // namespace millrace::checkers
