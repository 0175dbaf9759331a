// SPDX-License-Identifier: Apache-2.0
#include "machine/run.h"

#include <fmt/format.h>

namespace millrace::machine {

void Run::interleave() {
  for (;;) {
    options_.assign(1, Option{});
    transfers.options(nullptr, options_);
    const Option& next = options_[request.choice->pick(options_)];
    if (next.kind == Option::Kind::kCore) return;
    transfers.perform(next);
    if (transfers.idle()) return;
  }
}

bool Run::move_dma(const SemaphoreRef& semaphore) {
  options_.clear();
  transfers.options(&semaphore, options_);
  if (options_.empty()) return false;
  const Option next = options_[request.choice->pick(options_)];
  if (request.choice->whole())
    transfers.finish(next.dma);
  else
    transfers.perform(next);
  return true;
}

void Run::blocked(const Wait& wait) {
  const SemaphoreRef& semaphore = wait.semaphore;
  const event::Blocked b{event::Agent{}, semaphore.named(), semaphore.count(), wait.amount, wait.at};
  const Memory& m = *semaphore.memory;
  outcome.waiters.push_back(b);
  outcome.waiter_nth.push_back(wait.nth);
  outcome.waiter_names.push_back(m.shape.empty() ? m.name : fmt::format("{}[{}]", m.name, semaphore.element));
  if (tell.anyone()) tell(b);
}

void Run::end() {
  transfers.finish_all();
  for (std::size_t s = 0; definedness && s < program.memories.size(); ++s)
    if (program.memories[s].binding == program::MemorySlot::Binding::kOutput) definedness->tell_output(*shared_[s]);
  if (!tell.anyone()) return;
  core_->tell_windows_freed();
  for (const auto& m : operands_) tell(event::RegionFreed{m->id, 0});
  core_->tell_scratch_freed();
  tell(event::KernelEnded{});
}

Outcome Run::go() {
  bind_operands();
  core_ = std::make_unique<Core>(*this, shared_);
  core_->bind();
  try {
    if (core_->go())
      end();
    else
      blocked(*core_->waiting());
  } catch (Stop& stop) {
    outcome.fault = std::move(stop.fault);
  }
  for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
    if (request.outputs[i].dtype == DType::i1) outcome.outputs[i] = outcome.outputs[i].cast(DType::i1);
  outcome.work.steps = core_->steps();
  outcome.work.dmas = transfers.issued();
  outcome.work.dma_bytes = transfers.bytes();
  return std::move(outcome);
}

Outcome execute(const Linked& linked, const Request& request) { return Run(linked, request).go(); }

}  // namespace millrace::machine
