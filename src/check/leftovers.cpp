// SPDX-License-Identifier: Apache-2.0
#include "check/leftovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "check/catalogue.h"
#include "event/box_copy.h"
#include "event/element_name.h"

namespace millrace::checkers {

namespace {

constexpr event::DmaId kNoDma = std::numeric_limits<event::DmaId>::max();

// What a scope allocates is allocated by an operation, at its place; all other memories are there before the first one,
// at place 0. An operation that the module gives no place has that number, too: then the name tells, which is the
// program's own ("scoped0"), since what calls memories by other names knows places.
bool belongs_to_a_scope(const event::RegionAllocated& e) {
  if (e.at != 0) return true;
  std::string_view name = e.name;
  if (!name.starts_with("scoped")) return false;
  name.remove_prefix(std::string_view("scoped").size());
  if (name.starts_with("sem")) name.remove_prefix(std::string_view("sem").size());
  return name.find_first_not_of("0123456789") == name.npos;
}

}  // namespace

void Leftovers::on(const event::RunBegan& e) {
  places_.assign(e.places.begin(), e.places.end());
  if (e.devices * e.cores == 1) return;
  order_ = std::make_unique<VectorOrder>();
  order_->begin(e.devices, e.cores);
}

void Leftovers::on(const event::RegionAllocated& e) {
  of(e.memory).region = {keep(e.name), e.shape, belongs_to_a_scope(e), e.counts_bytes, {e.device, e.core}};
}

Leftovers::OfMemory& Leftovers::made(event::MemoryId memory) {
  return *(entry(memories_, memory) = std::make_unique<OfMemory>());
}

// The buffers of a window go by the operand's name.
void Leftovers::on(const event::WindowBound& e) {
  for (const event::MemoryId slot : e.slots) of(slot).region.name = keep(e.name);
}

// The window pipeline of a grid awaits what it starts.
void Leftovers::on(const event::DmaIssued& e) {
  next_ = e.dma + 1;
  if (order_) order_->issued(e);
  const std::uint64_t nth = entry(starts_.of(e.by), e.at)++;
  if (e.window) return;
  OfMemory &source = of(e.source.memory), &target = of(e.target.memory);
  Start start{e.dma, {e.by.device, e.by.core}, e.at, nth, nullptr, nullptr, name_of(target), false};
  if (source.region.scoped) start.source = use(e, e.source, source, start);
  if (target.region.scoped) start.target = use(e, e.target, target, start);
  raise(e, e.raises, start);
  start.read_only = true;
  if (!e.sends) return;
  raise(e, *e.sends, start);
  if (!order_) remote_.insert(e.dma);
}

Leftovers::Use* Leftovers::use(const event::DmaIssued& e, const event::End& end, OfMemory& memory, const Start& start) {
  Use* use = start.source;  // from one place to another of one memory
  if (!use || e.source.memory != e.target.memory) {
    use = &uses_.take();
    use->of = &memory, use->before = memory.last, use->after = nullptr;
    (memory.last ? memory.last->after : memory.first) = use;
    memory.last = use;
  }
  use->dma = e.dma, use->raises = e.raises, use->core = start.core, use->at = e.at, use->nth = start.nth;
  use->write = &end == &e.target, use->met = false;
  use->from = name_of(of(e.source.memory)), use->into = start.into;
  assign(use->box, end.box);
  return use;
}

// Where one semaphore tells both that the source was read and that the target was written, it is one DMA all the same.
void Leftovers::raise(const event::DmaIssued& e, const event::Semaphore& by, const Start& start) {
  Sums& sums = sums_of(by);
  raised(sums, e.bytes, e.by, e.at);
  if (e.bytes <= 0) return;
  const LastGranule last = std::min(e.granule, e.bytes);
  auto same = sums.open.begin();
  while (same != sums.open.end() && same->first > last) ++same;
  if (same == sums.open.end() || same->first != last) same = sums.open.emplace(same, last, std::vector<Start>{});
  std::vector<Start>& open = same->second;
  if (open.empty() || open.back().dma != e.dma) open.push_back(start);
}

void Leftovers::raised(Sums& sums, std::int64_t amount, const event::Agent& by, event::PlaceId at) {
  sums.raised += amount;
  const Core core{by.device, by.core};
  if (core >= sums.last_by) sums.last = at, sums.last_by = core;
}

void Leftovers::on(const event::Signalled& e) {
  if (order_) order_->signalled(e);
  raised(sums_of(e.semaphore), e.amount, e.who, e.at);
}

// S4.1: a DMA is known to be complete where the wait could not have been met without its last granule.
void Leftovers::on(const event::Waited& e) {
  if (order_) order_->waited(e);
  Sums& sums = sums_of(e.semaphore);
  sums.waited += e.amount;
  sums.meant_before = next_;
  if (order_) return;
  for (auto& [last, open] : sums.open) {
    if (sums.raised - last >= sums.waited) break;
    for (const Start& start : open) proven(start);
    open.clear();
  }
}

void Leftovers::proven(const Start& start) {
  forget(start.source, start.dma);
  if (start.read_only) return;
  forget(start.target, start.dma);
  if (!remote_.empty() && remote_.erase(start.dma)) received_.insert(start.dma);  // so its source was read
}

// It may be forgotten already: a copy to another core is proven in two halves, and its memory may have ended.
void Leftovers::forget(Use* use, event::DmaId dma) {
  if (!use || use->dma != dma) return;
  use->dma = kNoDma;
  (use->before ? use->before->after : use->of->first) = use->after;
  (use->after ? use->after->before : use->of->last) = use->before;
  uses_.give_back(*use);
}

void Leftovers::on(const event::RegionFreed& e) {
  memory_ends(e.memory);
  semaphores_end(e.memory, true);
  entry(memories_, e.memory).reset();
}

void Leftovers::on(const event::KernelEnded&) {
  for (event::MemoryId memory = 0; memory < memories_.size(); ++memory) semaphores_end(memory, false);
}

// A scope that was not freed has not begun: another core raised its semaphore, and nobody came.
void Leftovers::semaphores_end(event::MemoryId memory, bool freed) {
  if (!find(memory)) return;
  const Region& region = memories_[memory]->region;
  std::uint32_t element = 0;
  for (Sums& sums : std::exchange(memories_[memory]->sums, {})) {
    EndedSemaphore ended{region.core, name_of({memory, element++}),
                         freed && region.scoped ? "its scope ends" : "the kernel ends", region.counts_bytes,
                         std::move(sums)};
    if (order_)
      ended_semaphores_.push_back(std::move(ended));
    else
      judge(ended);
  }
}

// Where a DMA is outstanding, that is the finding; the count it leaves is not one more.
void Leftovers::judge(const EndedSemaphore& ended) {
  const Sums& sums = ended.sums;
  const std::int64_t held = sums.raised - sums.waited;
  bool outstanding = false;
  const auto judge_one = [&](const Start& start) {
    if (order_ ? order_->proven(Proof::kMust, start.dma, start.read_only) : received_.contains(start.dma)) return;
    outstanding = true;
    const bool met = order_ ? order_->proven(Proof::kMeant, start.dma, start.read_only) : start.dma < sums.meant_before;
    LeftDma now{start.core, start.dma, start.at, start.nth, *start.into, ended.name, ended.until, held};
    LeftDma& left = left_dmas_.try_emplace({places_.at(start.at).at, ended.name}, now).first->second;
    const bool in_all = left.in_all || !met;
    if (std::pair(start.core, start.dma) < std::pair(left.core, left.dma)) left = now;
    left.in_all = in_all;
    if (!met) return;
    for (Use* use : {start.source, start.target})
      if (use && use->dma == start.dma) use->met = true;
  };
  for (const auto& [last, open] : sums.open)  // the newest first
    std::for_each(open.rbegin(), open.rend(), judge_one);
  if (!outstanding && held > 0)
    left_counts_.try_emplace(ended.name, LeftCount{ended.name, ended.until, held, sums.last, ended.bytes});
}

void Leftovers::memory_ends(event::MemoryId memory) {
  if (!find(memory) || !memories_[memory]->first) return;
  const OfMemory& kept = *memories_[memory];
  EndedMemory ended{kept.region.core, name_of(kept), {}, {}};
  while (kept.first) {
    ended.uses.push_back(*kept.first);
    forget(kept.first, kept.first->dma);
  }
  if (!order_) return judge(ended);
  ended.when = order_->now({ended.core.first, ended.core.second, {}}, event::AccessKind::kWrite);
  ended_memories_.push_back(std::move(ended));
}

bool Leftovers::met(const EndedMemory& ended, const Use& use) const {
  if (order_) {
    const auto kind = use.write ? event::AccessKind::kWrite : event::AccessKind::kRead;
    return order_->before(Proof::kMeant, order_->now({0, 0, use.dma}, kind), ended.when);
  }
  if (use.met) return true;
  const OfMemory* raised = find(use.raises.memory);
  return raised && use.raises.element < raised->sums.size() && use.dma < raised->sums[use.raises.element].meant_before;
}

void Leftovers::judge(const EndedMemory& ended) {
  for (const Use& use : ended.uses) {
    const auto kind = use.write ? event::AccessKind::kWrite : event::AccessKind::kRead;
    if (order_ && order_->before(Proof::kMust, order_->now({0, 0, use.dma}, kind), ended.when)) continue;
    const auto key = std::tuple(places_.at(use.at).at, *use.from, *use.into);
    Outlived& o = outlived_.try_emplace(key, Outlived{use, *ended.name}).first->second;
    o.in_all |= !met(ended, use);
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

std::string Leftovers::name_of(const event::Semaphore& s) const {
  const OfMemory* kept = find(s.memory);
  if (!kept || !kept->region.name) return "";
  return event::element_name(*kept->region.name, kept->region.shape, s.element);
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
