// SPDX-License-Identifier: Apache-2.0
#include "explore/recorder.h"

#include <algorithm>

namespace millrace::explore {

Skeleton Recorder::take() {
  const auto blocked = [](const Core& c) { return c.blocked; };
  skeleton_.cut = !ended_ && std::none_of(skeleton_.cores.begin(), skeleton_.cores.end(), blocked);
  return std::move(skeleton_);
}

std::uint32_t Recorder::core_of(const event::Agent& who) {
  const auto [place, fresh] =
      cores_.try_emplace({who.device, who.core}, static_cast<std::uint32_t>(skeleton_.cores.size()));
  if (fresh) skeleton_.cores.push_back({who.device, who.core, {}, false});
  return place->second;
}

SemaphoreId Recorder::semaphore_of(const event::Semaphore& s) {
  const auto [place, fresh] = semaphores_.try_emplace(s, static_cast<SemaphoreId>(skeleton_.semaphores.size()));
  if (fresh) skeleton_.semaphores.push_back(s);
  return place->second;
}

void Recorder::add(const event::Agent& who, const Op& op) { skeleton_.cores[core_of(who)].ops.push_back(op); }

void Recorder::on(const event::RunBegan& e) { skeleton_.places.assign(e.places.begin(), e.places.end()); }

void Recorder::on(const event::RegionAllocated& e) {
  if (skeleton_.memories.size() <= e.memory) skeleton_.memories.resize(e.memory + 1);
  if (skeleton_.owners.size() <= e.memory) skeleton_.owners.resize(e.memory + 1);
  skeleton_.owners[e.memory] = {e.device, e.core, allocated_[{e.device, e.core, e.name}]++, {}};
  if (counts_bytes_.size() <= e.memory) counts_bytes_.resize(e.memory + 1, false);
  skeleton_.memories[e.memory] = e.name;
  counts_bytes_[e.memory] = e.counts_bytes;
}

void Recorder::on(const event::RegionFreed& e) {
  if (e.memory >= skeleton_.owners.size()) return;
  Owner& owner = skeleton_.owners[e.memory];
  const auto core = cores_.find({owner.device, owner.core});
  if (core != cores_.end()) owner.until = static_cast<std::uint32_t>(skeleton_.cores[core->second].ops.size());
}

std::uint32_t Recorder::number_of(const std::vector<std::int64_t>& step) {
  const auto [place, fresh] = steps_.try_emplace(step, static_cast<std::uint32_t>(skeleton_.steps.size()));
  if (fresh) skeleton_.steps.push_back(step);
  return place->second;
}

void Recorder::on(const event::StepBegan& e) {
  window_steps_.on(e);
  const std::uint32_t step = number_of({e.index.begin(), e.index.end()});
  std::vector<std::uint32_t>& waiting = for_next_[{e.who.device, e.who.core}];
  for (std::uint32_t dma : waiting) skeleton_.dmas[dma].step = step;
  waiting.clear();
  in_[{e.who.device, e.who.core}] = step;
}

void Recorder::on(const event::Access& e) {
  const auto kind = e.kind == event::AccessKind::kRead ? Op::Kind::kRead : Op::Kind::kWrite;
  add(e.who, {kind, e.at, skeleton_.areas.add(e.memory, e.box, e.more), 0});
}

void Recorder::on(const event::DmaIssued& e) {
  Dma d;
  d.id = e.dma;
  d.core = core_of(e.by);
  d.op = static_cast<std::uint32_t>(skeleton_.cores[d.core].ops.size());
  d.source = skeleton_.areas.add(e.source.memory, e.source.box, e.source.more);
  d.target = skeleton_.areas.add(e.target.memory, e.target.box, e.target.more);
  d.raises = semaphore_of(e.raises);
  if (e.sends) d.sends = semaphore_of(*e.sends);
  d.amount = e.bytes;
  const bool bytes = e.raises.memory < counts_bytes_.size() && counts_bytes_[e.raises.memory];
  d.last = bytes ? std::min(e.granule, e.bytes) : e.bytes;
  d.window = e.window.has_value();
  if (d.window) {
    const std::pair core{e.by.device, e.by.core};
    if (window_steps_.ahead(e.by, *e.window))
      for_next_[core].push_back(static_cast<std::uint32_t>(skeleton_.dmas.size()));
    else
      d.step = in_.at(core);
  }
  add(e.by, {Op::Kind::kStart, e.at, static_cast<std::uint32_t>(skeleton_.dmas.size()), 0});
  skeleton_.dmas.push_back(d);
}

void Recorder::on(const event::Signalled& e) {
  add(e.who, {Op::Kind::kSignal, e.at, semaphore_of(e.semaphore), e.amount});
}

void Recorder::on(const event::Waited& e) { add(e.who, {Op::Kind::kWait, e.at, semaphore_of(e.semaphore), e.amount}); }

void Recorder::on(const event::Blocked& e) {
  add(e.who, {Op::Kind::kWait, e.at, semaphore_of(e.semaphore), e.needs});
  skeleton_.cores[core_of(e.who)].blocked = true;
}

}  // namespace millrace::explore
