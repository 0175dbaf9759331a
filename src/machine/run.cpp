// SPDX-License-Identifier: Apache-2.0
#include "machine/run.h"

#include <algorithm>
#include <utility>

#include "event/element_name.h"

namespace millrace::machine {

void Run::move(const Option& dma) {
  if (request.choice->whole())
    transfers.finish(dma.dma);
  else
    transfers.perform(dma);
}

bool Run::move_dma(const SemaphoreRef& semaphore) {
  if (request.choice->oldest_first()) return transfers.finish_oldest();
  options_.clear();
  transfers.options({&semaphore, 1}, options_);
  if (options_.empty()) return false;
  move(Option{options_[request.choice->pick(options_)]});
  return true;
}

void Run::add_cores() {
  options_.clear();
  for (std::uint32_t c = 0; c < cores_.size(); ++c)
    if (cores_[c]->can_go_on()) options_.push_back({Option::Kind::kCore, 0, false, c});
}

bool Run::chooses(const Core& core) {
  for (;;) {
    add_cores();
    transfers.options({}, options_);
    const bool ask = options_.size() > 1 || request.choice->to_the_end();
    const Option next = options_[ask ? request.choice->pick(options_) : 0];
    if (next.kind == Option::Kind::kCore) {
      if (cores_[next.core].get() == &core) return true;
      chosen_ = cores_[next.core].get();
      return false;
    }
    transfers.perform(next);
    if (cores_.size() == 1 && transfers.idle()) return true;
  }
}

Core* Run::next_core() {
  if (chosen_) return std::exchange(chosen_, nullptr);
  for (;;) {
    add_cores();
    awaited_.clear();
    for (const auto& c : cores_)
      if (c->waiting()) awaited_.push_back(c->waiting()->semaphore);
    if (options_.empty() && awaited_.empty()) return nullptr;
    transfers.options(awaited_, options_);
    if (options_.empty()) return nullptr;
    const bool ask = options_.size() > 1 || request.choice->to_the_end();
    const Option next = options_[ask ? request.choice->pick(options_) : 0];
    if (next.kind == Option::Kind::kCore) return cores_[next.core].get();
    move(next);
  }
}

// The other cores go on until each is blocked or through, so that what is found depends on no schedule.
void Run::failed(Core& core, Fault fault) {
  core.fail();
  fault.device = core.self().device, fault.core = core.self().core;
  outcome.other_faults.push_back(std::move(fault));
}

void Run::blocked(const Core& core) {
  const Wait& wait = *core.waiting();
  const SemaphoreRef& semaphore = wait.semaphore;
  const event::Blocked b{core.self(), semaphore.named(), semaphore.count(), wait.amount, wait.at};
  const Memory& m = *semaphore.memory;
  outcome.waiters.push_back(b);
  outcome.waiter_nth.push_back(wait.nth);
  outcome.waiter_names.push_back(event::element_name(m.name, m.shape, semaphore.element));
  if (tell.anyone()) tell(b);
}

void Run::end() {
  while (request.choice->to_the_end() && !transfers.idle()) {
    options_.clear();
    transfers.options({}, options_);
    transfers.perform(options_[request.choice->pick(options_)]);
  }
  transfers.finish_all();
  for (const Device& d : devices_)
    for (std::size_t s = 0; definedness && s < program.memories.size(); ++s)
      if (program.memories[s].binding == program::MemorySlot::Binding::kOutput) definedness->tell_output(*d.shared[s]);
  if (!tell.anyone()) return;
  for (const auto& c : cores_) c->tell_windows_freed();
  for (const Device& d : devices_)
    for (const auto& m : d.operands) tell(event::RegionFreed{m->id, 0});
  for (const auto& c : cores_) c->tell_scratch_freed();
  tell(event::KernelEnded{});
}

Outcome Run::go() {
  bind();
  while (Core* core = next_core()) {
    try {
      core->go(meter_);
    } catch (Stop& stop) {
      failed(*core, std::move(stop.fault));
    }
  }
  auto& faults = outcome.other_faults;
  std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) {
    return std::pair(a.device, a.core) < std::pair(b.device, b.core);
  });
  if (!faults.empty()) {  // a core that waits may do so because another one failed
    outcome.fault = std::move(faults.front());
    faults.erase(faults.begin());
  } else {
    for (const auto& c : cores_)
      if (c->waiting()) blocked(*c);
    if (outcome.waiters.empty()) end();
    request.choice->ended();
  }
  for (const Device& d : devices_)
    for (const auto& m : d.operands) m->settle();
  for (int d = 0; d < program.devices; ++d) return_outputs(d);
  outcome.work.steps = meter_.steps;
  outcome.work.dmas = transfers.issued();
  outcome.work.dma_bytes = transfers.bytes();
  return std::move(outcome);
}

Outcome execute(const Linked& linked, const Request& request) { return Run(linked, request).go(); }

}  // namespace millrace::machine
