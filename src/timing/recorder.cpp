// SPDX-License-Identifier: Apache-2.0
#include "timing/recorder.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "event/box_count.h"
#include "event/element_name.h"

namespace millrace::timing {

using event::MemoryKind;

namespace {

std::int64_t count_of(const event::Box& box, const std::vector<event::Box>& more) {
  std::int64_t n = count_of(box);
  for (const event::Box& b : more) n += count_of(b);
  return n;
}

// A buffer of several slots has them along its leading dimension, before two or more others.
std::uint32_t slots_in(const Shape& shape) {
  return shape.size() >= 3 && shape[0] >= 2 && shape[0] <= 16 ? static_cast<std::uint32_t>(shape[0]) : 1;
}

bool on_chip(MemoryKind kind) { return kind == MemoryKind::kVmem || kind == MemoryKind::kSmem; }

void add_work(Compute& c, const event::Computed& e) {
  const auto amount = static_cast<double>(e.amount);
  switch (e.unit) {
    case event::Unit::kVector: c.vector += amount; break;
    case event::Unit::kTranscendental: c.transcendental += amount; break;
    case event::Unit::kRearrange: c.rearrange += amount; break;
    case event::Unit::kMatrix:
      (e.bits >= 32 && e.floating ? c.matrix32
       : e.bits == 8              ? (e.floating ? c.matrix_f8 : c.matrix_i8)
       : e.bits == 4              ? c.matrix_i4
                                  : c.matrix) += amount;
      break;
  }
}

}  // namespace

void Recorder::on(const event::RunBegan& e) {
  trace_.places.assign(e.places.begin(), e.places.end());
  trace_.devices = e.devices, trace_.cores_of_device = cores_ = e.cores;
  for (int d = 0; d < e.devices; ++d)
    for (int c = 0; c < e.cores; ++c) trace_.cores.push_back({d, c, {}});
  slots_.resize(trace_.cores.size());
}

void Recorder::on(const event::RegionAllocated& e) {
  Region r{e.name, e.kind, static_cast<std::int64_t>(size_of(e.dtype)), 0, e.shape, e.device, e.core, e.counts_bytes};
  r.bytes = element_count(e.shape) * r.element_bytes;
  for (const std::string& other : e.also) trace_.also[e.name].push_back(other);
  if (e.kind == MemoryKind::kVmem) {
    const Index core = core_of(e.device, e.core);
    act(core, {Act::kMemory, e.at, 0, r.bytes});
  }
  regions_.insert_or_assign(e.memory, std::move(r));
}

void Recorder::on(const event::RegionFreed& e) {
  const Region* r = region(e.memory);
  if (!r) return;
  if (r->kind == MemoryKind::kVmem) act(core_of(r->device, r->core), {Act::kMemory, e.at, 0, -r->bytes});
  if (r->kind != MemoryKind::kSemaphore && r->buffer != kNone)
    for (Index s = 0; s < trace_.buffers[r->buffer].slots; ++s) holds_.erase({r->buffer, s});
  regions_.erase(e.memory);
}

void Recorder::on(const event::WindowBound& e) {
  const auto buffer = static_cast<Index>(trace_.buffers.size());
  trace_.buffers.push_back(
      {e.name, e.name, kNone, e.who.device, e.who.core, static_cast<std::uint32_t>(e.slots.size())});
  Index slot = 0;
  for (const event::MemoryId m : e.slots)
    if (Region* r = region(m)) r->buffer = buffer, r->slot = slot++, r->name = e.name;
}

Recorder::Region* Recorder::region(event::MemoryId memory) {
  const auto found = regions_.find(memory);
  return found == regions_.end() ? nullptr : &found->second;
}

Index Recorder::semaphore(const event::Semaphore& s) {
  const auto [known, fresh] = semaphores_.try_emplace(s, static_cast<Index>(trace_.semaphores.size()));
  if (fresh) {
    const Region* r = region(s.memory);
    trace_.semaphores.push_back(r ? event::element_name(r->name, r->shape, s.element) : "");
    trace_.semaphore_core.push_back(r ? core_of(r->device, r->core) : 0);
  }
  return known->second;
}

Index Recorder::block(Block b) {
  const auto [known, fresh] = blocks_.try_emplace(std::move(b), static_cast<Index>(trace_.blocks.size()));
  if (fresh) trace_.blocks.push_back(known->first);
  return known->second;
}

// One thing more may bring a stretch of computing before it.
bool Recorder::full() {
  trace_.cut = trace_.cut || kept_ + 2 > most_;
  return trace_.cut;
}

void Recorder::act(Index core, Action action) {
  if (action.act != Act::kCompute) flush(core);
  if (full()) return;
  ++kept_;
  trace_.cores[core].actions.push_back(action);
}

void Recorder::flush(Index core) {
  Slots& s = slots_[core];
  if (s.now == kNone) return;
  const Index index = std::exchange(s.now, kNone);
  Compute& c = trace_.computes[index];
  c.reads.assign(s.reads.begin(), s.reads.end()), c.writes.assign(s.writes.begin(), s.writes.end());
  s.reads.clear(), s.writes.clear();
  act(core, {Act::kCompute, c.at, index});
}

Compute& Recorder::computing(Index core, event::PlaceId at) {
  Slots& s = slots_[core];
  if (s.now == kNone) {
    s.now = static_cast<Index>(trace_.computes.size());
    trace_.computes.push_back({.core = core, .step = s.step, .at = at});
  }
  return trace_.computes[s.now];
}

void Recorder::give_buffer(Region& r, Index core) {
  if (r.buffer != kNone || !on_chip(r.kind)) return;
  const auto fresh_index = static_cast<Index>(trace_.buffers.size());
  const auto [known, fresh] = buffers_.try_emplace({r.device, r.core, r.name}, fresh_index);
  const CoreTrace& c = trace_.cores[core];
  if (fresh) trace_.buffers.push_back({r.name, "", kNone, c.device, c.core, slots_in(r.shape)});
  r.buffer = known->second;
}

std::vector<Index> Recorder::slots_of(const Region& r, const event::Box& box,
                                      const std::vector<event::Box>& more) const {
  if (r.slot) return {*r.slot};
  const std::uint32_t slots = trace_.buffers[r.buffer].slots;
  if (slots == 1) return {0};
  std::set<Index> found;
  const auto add = [&](const event::Box& b) {
    if (b.rank == 0) return;
    const Range& range = b.ranges[0];
    for (std::int64_t i = range.begin; i < range.end && i < slots; i += range.stride)
      if (i >= 0) found.insert(static_cast<Index>(i));
  };
  add(box);
  for (const event::Box& b : more) add(b);
  return {found.begin(), found.end()};
}

// What the slot holds; `fresh`: from here on something new.
Index Recorder::life(Index buffer, Index slot, bool fresh) {
  const auto [held, first] = holds_.try_emplace({buffer, slot}, kNone);
  if (!first && !fresh && held->second != kNone) return held->second;
  const std::uint32_t version = held->second == kNone ? 0 : trace_.lives[held->second].version + 1;
  held->second = static_cast<Index>(trace_.lives.size());
  trace_.lives.push_back({buffer, slot, version});
  return held->second;
}

void Recorder::touch(Index core, Index index, bool write) {
  Slots& s = slots_[core];
  (write ? s.writes : s.reads).insert(index);
  Life& l = trace_.lives[index];
  if (l.fetched_by == kNone && l.made_by == kNone) l.made_by = s.now;
  if (l.first_use == kNone) l.first_use = s.now;
  l.last_use = s.now;
}

void Recorder::on(const event::Access& e) {
  Region* r = region(e.memory);
  if (!r || r->kind == MemoryKind::kSemaphore || full()) return;
  const Index core = core_of(e.who);
  const bool write = e.kind == event::AccessKind::kWrite;
  Compute& c = computing(core, e.at);
  const double bytes = static_cast<double>(count_of(e.box, e.more) * r->element_bytes);
  if (r->kind != MemoryKind::kSmem) (write ? c.stored : c.loaded) += bytes;
  trace_.accesses[{core, e.at, r->name}].push_back(slots_[core].now);
  give_buffer(*r, core);
  if (r->buffer == kNone) return;
  for (const Index slot : slots_of(*r, e.box, e.more)) {
    const auto held = holds_.find({r->buffer, slot});
    const bool sent = held != holds_.end() && held->second != kNone && trace_.lives[held->second].stored_by != kNone;
    touch(core, life(r->buffer, slot, write && sent), write);
  }
}

// Attributed to the core's present stretch.
void Recorder::on(const event::Computed& e) {
  if (!full()) add_work(computing(core_of(e.who), e.at), e);
}

void Recorder::on(const event::Signalled& e) {
  order_.signalled(e);
  if (full()) return;
  const Index core = core_of(e.who), s = semaphore(e.semaphore);
  const bool far = trace_.cores[trace_.semaphore_core[s]].device != e.who.device;
  const auto index = static_cast<Index>(trace_.signals.size());
  trace_.signals.push_back({s, e.amount, far});
  act(core, {Act::kSignal, e.at, index});
}

void Recorder::on(const event::Waited& e) {
  order_.waited(e);
  if (full()) return;
  const Index core = core_of(e.who);
  Wait w{semaphore(e.semaphore), e.amount};
  if (const auto open = open_.find(e.semaphore); open != open_.end()) {
    const checkers::Order::Stamp now = order_.now(e.who);
    std::erase_if(open->second, [&](const auto& started) {
      event::Agent who = e.who;
      who.dma = started.first;
      if (!order_.before(checkers::Proof::kMust, order_.now(who), now)) return false;
      w.proved.push_back(started.second);
      return true;
    });
    w.open = static_cast<std::uint32_t>(open->second.size());
  }
  const auto index = static_cast<Index>(trace_.waits.size());
  trace_.waits.push_back(std::move(w));
  act(core, {Act::kWait, e.at, index});
  trace_.waited[{core, e.at, ""}].push_back(static_cast<Index>(trace_.cores[core].actions.size() - 1));
}

void Recorder::on(const event::Blocked& e) {
  if (full()) return;
  const Index core = core_of(e.who);
  const auto index = static_cast<Index>(trace_.waits.size());
  trace_.waits.push_back({semaphore(e.semaphore), e.needs, e.has, {}, 0});
  act(core, {Act::kStuck, e.at, index});
  trace_.waited[{core, e.at, ""}].push_back(static_cast<Index>(trace_.cores[core].actions.size() - 1));
}

void Recorder::on(const event::StepBegan& e) {
  if (full()) return;
  const Index core = core_of(e.who);
  flush(core);
  slots_[core].step = static_cast<Index>(trace_.steps.size());
  trace_.steps.emplace_back(e.index.begin(), e.index.end());
  act(core, {Act::kGridStep, 0, slots_[core].step});
}

// The body of a pipeline that the kernel walks itself, whose grid the machine does not know.
void Recorder::on(const event::ScopeBegan& e) {
  if (e.name != "ep_run_kernel" || full()) return;
  const Index core = core_of(e.who);
  flush(core);
  Slots& s = slots_[core];
  s.step = static_cast<Index>(trace_.steps.size());
  trace_.steps.push_back({static_cast<std::int64_t>(s.pipeline_steps++)});
  act(core, {Act::kPipelineStep, 0, s.step});
}

Trace Recorder::take() {
  for (Index c = 0; c < slots_.size(); ++c) flush(c);
  const auto name = [&](Buffer& b) {
    const auto [known, fresh] = letters_.try_emplace(b.name, static_cast<Index>(trace_.letters.size()));
    if (fresh) trace_.letters.push_back(b.name);
    b.letter = known->second;
  };
  for (const Copy& c : trace_.copies)
    for (const std::vector<Index>* lives : {&c.from, &c.into})
      for (const Index l : *lives) name(trace_.buffers[trace_.lives[l].buffer]);
  return std::move(trace_);
}

}  // namespace millrace::timing
