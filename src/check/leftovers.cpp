// SPDX-License-Identifier: Apache-2.0
#include "check/leftovers.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/catalogue.h"

namespace millrace::checkers {

void Leftovers::on(const event::RunBegan& e) {
  places_.assign(e.places.begin(), e.places.end());
  if (e.devices * e.cores > 1) order_.emplace().begin(e.devices, e.cores);
}

void Leftovers::on(const event::RegionAllocated& e) {
  const event::Agent owner{e.device, std::max(e.core, 0), {}};
  regions_[e.memory] = {keep(e.name), e.shape, e.name.starts_with("scoped"), e.counts_bytes, owner};
}

// The buffers of a window go by the operand's name.
void Leftovers::on(const event::WindowBound& e) {
  for (const event::MemoryId slot : e.slots) regions_[slot].name = keep(e.name);
}

// The window pipeline of a grid awaits what it starts.
void Leftovers::on(const event::DmaIssued& e) {
  next_ = e.dma + 1;
  if (order_) order_->issued(e);
  const std::uint64_t nth = starts_[{e.by.device, e.by.core, e.at}]++;
  if (e.window) return;
  use(e, e.source, nth);
  use(e, e.target, nth);
  Start start{e.at, nth, e.source.memory, e.target.memory, name_of(e.target.memory), false, e.by};
  raise(e, e.raises, start);
  start.read_only = true;
  if (e.sends) raise(e, *e.sends, std::move(start));
}

void Leftovers::use(const event::DmaIssued& e, const event::End& end, std::uint64_t nth) {
  const auto region = regions_.find(end.memory);
  if (region == regions_.end() || !region->second.scoped) return;
  const Use use{e.raises, e.at, nth, &end == &e.target, name_of(e.source.memory), name_of(e.target.memory),
                end.box,  e.by};
  uses_[end.memory].insert_or_assign(e.dma, use);
}

void Leftovers::raise(const event::DmaIssued& e, const event::Semaphore& by, Start start) {
  Sums& sums = sums_[by];
  sums.raised += e.bytes;
  sums.last = e.at;
  if (e.bytes > 0) sums.open.emplace(std::pair(std::min(e.granule, e.bytes), e.dma), std::move(start));
}

void Leftovers::on(const event::Signalled& e) {
  if (order_) order_->signalled(e);
  Sums& sums = sums_[e.semaphore];
  sums.raised += e.amount;
  sums.last = e.at;
}

// S4.1: a DMA is known to be complete where the wait could not have been met without its last granule.
void Leftovers::on(const event::Waited& e) {
  if (order_) order_->waited(e);
  const auto found = sums_.find(e.semaphore);
  if (found == sums_.end()) return;
  Sums& sums = found->second;
  sums.waited += e.amount;
  sums.meant_before = next_;
  if (order_) return;  // what is proven is known when the run is over
  while (!sums.open.empty()) {
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
  for (; end != sums_.end() && end->first.memory == e.memory; ++end) semaphore_ends(end->first, end->second);
  sums_.erase(first, end);
  regions_.erase(e.memory);
}

void Leftovers::on(const event::KernelEnded&) {
  for (const auto& [semaphore, sums] : sums_) semaphore_ends(semaphore, sums);
  sums_.clear();
}

void Leftovers::semaphore_ends(const event::Semaphore& semaphore, const Sums& sums) {
  const auto region = regions_.find(semaphore.memory);
  const bool there = region != regions_.end(), scoped = there && region->second.scoped;
  SemaphoreEnd end{name_of(semaphore),
                   scoped ? "its scope ends" : "the kernel ends",
                   sums.raised - sums.waited,
                   sums.last,
                   there && region->second.counts_bytes,
                   {},
                   {}};
  if (order_) {
    for (const auto& [key, start] : sums.open) end.open.emplace_back(key.second, start);
    end.at = order_->now(there ? region->second.owner : event::Agent{}, event::AccessKind::kRead);
    semaphore_ends_.push_back(std::move(end));
    return;
  }
  for (const auto& [key, start] : sums.open) {
    const event::DmaId dma = key.second;
    const bool met = dma < sums.meant_before;
    left(end, dma, start, met);
    if (!met) continue;
    for (const event::MemoryId memory : {start.source, start.target})
      if (const auto uses = uses_.find(memory); uses != uses_.end())
        if (const auto use = uses->second.find(dma); use != uses->second.end()) use->second.met = true;
  }
  if (sums.open.empty()) left_count(end);
}

void Leftovers::left(const SemaphoreEnd& end, event::DmaId dma, const Start& start, bool met) {
  const LeftDma now{dma, start.at, start.nth, *start.into, end.name, end.until, end.held, start.by};
  LeftDma& known = left_dmas_.try_emplace({places_.at(start.at).at, end.name}, now).first->second;
  const bool in_all = known.in_all || !met;
  const auto rank = [](const LeftDma& l) { return std::tuple(l.by.device, l.by.core, l.dma); };
  if (rank(now) < rank(known)) known = now;
  known.in_all = in_all;
}

// Where a DMA is outstanding, that is the finding; the count it leaves is not one more.
void Leftovers::left_count(const SemaphoreEnd& end) {
  if (end.held > 0) left_counts_.try_emplace(end.name, LeftCount{end.name, end.until, end.held, end.last, end.bytes});
}

void Leftovers::outlived(const Use& use, const std::string& memory, bool met) {
  const auto key = std::tuple(places_.at(use.at).at, *use.from, *use.into);
  Outlived& o = outlived_.try_emplace(key, Outlived{use, memory}).first->second;
  o.in_all |= !met;
}

void Leftovers::memory_ends(event::MemoryId memory) {
  const auto ended = uses_.extract(memory);
  if (ended.empty()) return;
  if (order_) {
    const auto region = regions_.find(memory);
    const event::Agent owner = region == regions_.end() ? event::Agent{} : region->second.owner;
    memory_ends_.push_back({*name_of(memory),
                            {ended.mapped().begin(), ended.mapped().end()},
                            order_->now(owner, event::AccessKind::kRead)});
    return;
  }
  for (const auto& [dma, use] : ended.mapped()) {
    const auto sums = sums_.find(use.raises);
    const bool met = use.met || (sums != sums_.end() && dma < sums->second.meant_before);
    outlived(use, *name_of(memory), met);
  }
}

// Whether the core knows then that the DMA has read, or written.
bool Leftovers::known(Proof proof, event::DmaId dma, bool read, const VectorOrder::Stamp& at) const {
  const event::Agent who{0, 0, dma};
  return order_->before(proof, order_->now(who, read ? event::AccessKind::kRead : event::AccessKind::kWrite), at);
}

void Leftovers::settle() {
  if (semaphore_ends_.empty() && memory_ends_.empty()) return;
  order_->settle();
  for (const SemaphoreEnd& end : semaphore_ends_) {
    bool open = false;
    for (const auto& [dma, start] : end.open) {
      if (known(Proof::kMust, dma, start.read_only, end.at)) continue;
      left(end, dma, start, known(Proof::kMeant, dma, start.read_only, end.at));
      open = true;
    }
    if (!open) left_count(end);
  }
  for (const MemoryEnd& end : memory_ends_)
    for (const auto& [dma, use] : end.uses)
      if (!known(Proof::kMust, dma, !use.write, end.at))
        outlived(use, end.name, known(Proof::kMeant, dma, !use.write, end.at));
  semaphore_ends_.clear(), memory_ends_.clear();
}

Leftovers::Name Leftovers::name_of(event::MemoryId memory) const {
  const auto region = regions_.find(memory);
  return region == regions_.end() ? &*names_.find("") : region->second.name;
}

std::string Leftovers::name_of(const event::Semaphore& s) const {
  const auto region = regions_.find(s.memory);
  if (region == regions_.end()) return "";
  const auto& [name, shape, scoped, bytes, owner] = region->second;
  return shape.empty() ? *name : fmt::format("{}[{}]", *name, s.element);
}

Finding Leftovers::finding(const LeftDma& left) const {
  const event::Place& place = places_.at(left.at);
  Finding f;
  f.id = "leftover.dma";
  f.memory = left.memory, f.semaphore = left.semaphore, f.bytes = left.bytes;
  f.first = Side{"DMA", place.at, left.nth, left.by.core, left.by.device, {}, place.where};
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
  f.first = Side{
      o.use.write ? "DMA write" : "DMA read", place.at, o.use.nth, o.use.by.core, o.use.by.device, {}, place.where};
  f.box.assign(o.use.box.span().begin(), o.use.box.span().end());
  f.schedules = o.in_all ? "all" : "some";
  f.message = fmt::format("{}{}: the {} started at {} may still be on its way when the scope of {} ends", o.memory,
                          o.use.box.rank ? event::to_string(o.use.box) : "", f.first->access, place.where, o.memory);
  f.hint = "wait for the DMA inside the scope of the memory that it uses";
  complete(f);
  return f;
}

std::vector<Finding> Leftovers::findings() {
  settle();
  std::vector<Finding> all;
  for (const auto& [key, left] : left_dmas_) all.push_back(finding(left));
  for (const auto& [key, left] : left_counts_) all.push_back(finding(left));
  for (const auto& [key, outlived] : outlived_) all.push_back(finding(outlived));
  return all;
}

}  // namespace millrace::checkers
