// SPDX-License-Identifier: Apache-2.0
#include "check/leftovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "check/catalogue.h"

namespace millrace::checkers {

void Leftovers::on(const event::RunBegan& e) {
  places_.assign(e.places.begin(), e.places.end());
  if (e.devices * e.cores == 1) return;
  order_ = std::make_unique<VectorOrder>();
  order_->begin(e.devices, e.cores);
}

void Leftovers::on(const event::RegionAllocated& e) {
  regions_[e.memory] = {keep(e.name), e.shape, e.name.starts_with("scoped"), e.counts_bytes, {e.device, e.core}};
}

// The buffers of a window go by the operand's name.
void Leftovers::on(const event::WindowBound& e) {
  for (const event::MemoryId slot : e.slots) regions_[slot].name = keep(e.name);
}

// The window pipeline of a grid awaits what it starts.
void Leftovers::on(const event::DmaIssued& e) {
  next_ = e.dma + 1;
  if (order_) order_->issued(e);
  const Core core{e.by.device, e.by.core};
  const std::uint64_t nth = starts_[{core, e.at}]++;
  if (e.window) return;
  use(e, e.source, nth);
  use(e, e.target, nth);
  Start start{core, e.at, nth, e.source.memory, e.target.memory, name_of(e.target.memory), false};
  raise(e, e.raises, start);
  start.read_only = true;
  if (e.sends) raise(e, *e.sends, std::move(start));
}

void Leftovers::use(const event::DmaIssued& e, const event::End& end, std::uint64_t nth) {
  const auto region = regions_.find(end.memory);
  if (region == regions_.end() || !region->second.scoped) return;
  const Use use{e.raises,
                {e.by.device, e.by.core},
                e.at,
                nth,
                &end == &e.target,
                name_of(e.source.memory),
                name_of(e.target.memory),
                end.box};
  uses_[end.memory].insert_or_assign(e.dma, use);
}

void Leftovers::raise(const event::DmaIssued& e, const event::Semaphore& by, Start start) {
  Sums& sums = sums_[by];
  raised(sums, e.bytes, e.by, e.at);
  if (e.bytes > 0) sums.open.emplace(std::pair(std::min(e.granule, e.bytes), e.dma), std::move(start));
}

void Leftovers::raised(Sums& sums, std::int64_t amount, const event::Agent& by, event::PlaceId at) {
  sums.raised += amount;
  const Core core{by.device, by.core};
  if (core >= sums.last_by) sums.last = at, sums.last_by = core;
}

void Leftovers::on(const event::Signalled& e) {
  if (order_) order_->signalled(e);
  raised(sums_[e.semaphore], e.amount, e.who, e.at);
}

// S4.1: a DMA is known to be complete where the wait could not have been met without its last granule.
void Leftovers::on(const event::Waited& e) {
  if (order_) order_->waited(e);
  const auto found = sums_.find(e.semaphore);
  if (found == sums_.end()) return;
  Sums& sums = found->second;
  sums.waited += e.amount;
  sums.meant_before = next_;
  while (!order_ && !sums.open.empty()) {
    const auto largest = sums.open.begin();
    const auto& [last, dma] = largest->first;
    if (sums.raised - last >= sums.waited) break;
    proven(dma, largest->second);
    sums.open.erase(largest);
  }
}

void Leftovers::proven(event::DmaId dma, const Start& start) {
  forget(start.source, dma);
  if (!start.read_only) forget(start.target, dma);
}

void Leftovers::forget(event::MemoryId memory, event::DmaId dma) {
  if (const auto uses = uses_.find(memory); uses != uses_.end()) uses->second.erase(dma);
}

void Leftovers::on(const event::RegionFreed& e) {
  memory_ends(e.memory);
  const auto first = sums_.lower_bound({e.memory, 0});
  auto end = first;
  for (; end != sums_.end() && end->first.memory == e.memory; ++end) semaphore_ends(end->first, end->second, true);
  sums_.erase(first, end);
  regions_.erase(e.memory);
}

void Leftovers::on(const event::KernelEnded&) {
  for (const auto& [semaphore, sums] : sums_) semaphore_ends(semaphore, sums, false);
  sums_.clear();
}

// A scope that was not freed has not begun: another core raised its semaphore, and nobody came.
void Leftovers::semaphore_ends(const event::Semaphore& semaphore, const Sums& sums, bool freed) {
  const auto region = regions_.find(semaphore.memory);
  const bool known = region != regions_.end();
  const bool scope_ends = freed && known && region->second.scoped, bytes = known && region->second.counts_bytes;
  EndedSemaphore ended{known ? region->second.core : Core{}, name_of(semaphore),
                       scope_ends ? "its scope ends" : "the kernel ends", bytes, sums};
  if (order_)
    ended_semaphores_.push_back(std::move(ended));
  else
    judge(ended);
}

// Where a DMA is outstanding, that is the finding; the count it leaves is not one more.
void Leftovers::judge(const EndedSemaphore& ended) {
  const Sums& sums = ended.sums;
  const std::int64_t held = sums.raised - sums.waited;
  bool outstanding = false;
  for (const auto& [key, start] : sums.open) {
    const event::DmaId dma = key.second;
    if (order_ && order_->proven(Proof::kMust, dma, start.read_only)) continue;
    outstanding = true;
    const bool met = order_ ? order_->proven(Proof::kMeant, dma, start.read_only) : dma < sums.meant_before;
    LeftDma now{start.core, dma, start.at, start.nth, *start.into, ended.name, ended.until, held};
    LeftDma& left = left_dmas_.try_emplace({places_.at(start.at).at, ended.name}, now).first->second;
    const bool in_all = left.in_all || !met;
    if (std::pair(start.core, dma) < std::pair(left.core, left.dma)) left = now;
    left.in_all = in_all;
    if (!met) continue;
    for (const event::MemoryId memory : {start.source, start.target})
      if (const auto uses = uses_.find(memory); uses != uses_.end())
        if (const auto use = uses->second.find(dma); use != uses->second.end()) use->second.met = true;
  }
  if (!outstanding && held > 0)
    left_counts_.try_emplace(ended.name, LeftCount{ended.name, ended.until, held, sums.last, ended.bytes});
}

void Leftovers::memory_ends(event::MemoryId memory) {
  auto uses = uses_.extract(memory);
  if (uses.empty()) return;
  const auto region = regions_.find(memory);
  const Core core = region == regions_.end() ? Core{} : region->second.core;
  EndedMemory ended{core, name_of(memory), std::move(uses.mapped()), {}};
  if (!order_) return judge(ended);
  ended.when = order_->now({core.first, core.second, {}}, event::AccessKind::kWrite);
  ended_memories_.push_back(std::move(ended));
}

bool Leftovers::met(const EndedMemory& ended, event::DmaId dma, const Use& use) const {
  if (order_) {
    const auto kind = use.write ? event::AccessKind::kWrite : event::AccessKind::kRead;
    return order_->before(Proof::kMeant, order_->now({0, 0, dma}, kind), ended.when);
  }
  const auto sums = sums_.find(use.raises);
  return use.met || (sums != sums_.end() && dma < sums->second.meant_before);
}

void Leftovers::judge(const EndedMemory& ended) {
  for (const auto& [dma, use] : ended.uses) {
    const auto kind = use.write ? event::AccessKind::kWrite : event::AccessKind::kRead;
    if (order_ && order_->before(Proof::kMust, order_->now({0, 0, dma}, kind), ended.when)) continue;
    const auto key = std::tuple(places_.at(use.at).at, *use.from, *use.into);
    Outlived& o = outlived_.try_emplace(key, Outlived{use, *ended.name}).first->second;
    o.in_all |= !met(ended, dma, use);
  }
}

// Core by core, whichever came first in this run.
void Leftovers::judge_several() {
  const auto by_core = [](const auto& a, const auto& b) { return a.core < b.core; };
  std::stable_sort(ended_semaphores_.begin(), ended_semaphores_.end(), by_core);
  std::stable_sort(ended_memories_.begin(), ended_memories_.end(), by_core);
  order_->settle();
  for (const EndedSemaphore& ended : std::exchange(ended_semaphores_, {})) judge(ended);
  for (const EndedMemory& ended : std::exchange(ended_memories_, {})) judge(ended);
}

Leftovers::Name Leftovers::name_of(event::MemoryId memory) const {
  const auto region = regions_.find(memory);
  return region == regions_.end() ? &*names_.find("") : region->second.name;
}

std::string Leftovers::name_of(const event::Semaphore& s) const {
  const auto region = regions_.find(s.memory);
  if (region == regions_.end()) return "";
  const auto& [name, shape, scoped, bytes, core] = region->second;
  return shape.empty() ? *name : fmt::format("{}[{}]", *name, s.element);
}

Finding Leftovers::finding(const LeftDma& left) const {
  const event::Place& place = places_.at(left.at);
  Finding f;
  f.id = "leftover.dma";
  f.memory = left.memory, f.semaphore = left.semaphore, f.bytes = left.bytes;
  f.first = Side{"DMA", place.at, left.nth, left.core.second, left.core.first, {}, place.where};
  f.schedules = left.in_all ? "all" : "some";
  f.message = fmt::format(
      "the DMA into {} started at {} may still be on its way when {}: {} holds, or will hold, {} more "
      "than was waited for",
      left.memory, place.where, left.until, left.semaphore, left.bytes);
  f.hint = "wait once for each start, with the same bytes; what the last steps start is awaited behind the loop";
  complete(f);
  return f;
}

Finding Leftovers::finding(const LeftCount& left) const {
  const event::Place& place = places_.at(left.at);
  Finding f;
  f.id = "leftover.semaphore";
  f.semaphore = left.semaphore, f.count = left.count, f.at = place.at;
  f.schedules = "all";
  f.message = fmt::format("{} still holds {}{} when {}; the last to raise it is {}", left.semaphore, left.count,
                          left.bytes ? " bytes" : "", left.until, place.where);
  f.hint = "wait for as much as is signalled; the next kernel begins with what this one leaves";
  complete(f);
  return f;
}

Finding Leftovers::finding(const Outlived& o) const {
  const event::Place& place = places_.at(o.use.at);
  Finding f;
  f.id = "scope.use-after";
  f.memory = o.memory;
  f.first = Side{o.use.write ? "DMA write" : "DMA read",
                 place.at,
                 o.use.nth,
                 o.use.core.second,
                 o.use.core.first,
                 {},
                 place.where};
  f.box.assign(o.use.box.span().begin(), o.use.box.span().end());
  f.schedules = o.in_all ? "all" : "some";
  f.message = fmt::format("{}{}: the {} started at {} may still be on its way when the scope of {} ends", o.memory,
                          o.use.box.rank ? event::to_string(o.use.box) : "", f.first->access, place.where, o.memory);
  f.hint = "wait for the DMA inside the scope of the memory that it uses";
  complete(f);
  return f;
}

std::vector<Finding> Leftovers::findings() {
  if (order_) judge_several();
  std::vector<Finding> all;
  for (const auto& [key, left] : left_dmas_) all.push_back(finding(left));
  for (const auto& [key, left] : left_counts_) all.push_back(finding(left));
  for (const auto& [key, outlived] : outlived_) all.push_back(finding(outlived));
  return all;
}

}  // namespace millrace::checkers
