// SPDX-License-Identifier: Apache-2.0
// Loads and stores that compiled code does not do itself, DMAs and semaphores. A DMA that the kernel starts is done at
// once, which is one of its legal schedules (S3.6, eager); a wait that finds less than it needs then can never be met.
#include <fmt/format.h>

#include <cstring>

#include "machine/copy.h"
#include "millrace/error.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

using machine::Fit;
using machine::View;
using program::Instruction;
using program::kNoSlot;
using program::Op;

void Worker::memory(const Instruction& i) {
  const program::MemoryAccess& access = program_.accesses[i.aux];
  const bool load = i.op == Op::kLoad;
  machine::Memory* memory = memories_[access.view.memory].get();
  View v;
  if (machine::resolve(access, memory, frame_, v) != Fit::kInside)
    outside("bounds.access", load ? "core read" : "core write", v, i);
  if (load) return machine::load(v, at(i.dst));
  if (i.b == kNoSlot) return machine::store(at(i.a), v);
  machine::store_masked(at(i.a), at(i.b), v);
}

void Worker::view(const program::ViewPlan& plan, bool padding, const char* id, const char* access, const Instruction& i,
                  View& v) {
  machine::Memory* memory = memories_[plan.memory].get();
  if (machine::resolve(plan, memory, frame_, padding, v) == Fit::kOutside) outside(id, access, v, i);
}

void Worker::require_own(const Instruction& i, program::Slot device, program::Slot core) const {
  for (const program::Slot s : {device, core})
    if (s != kNoSlot && number(s) != 0)
      throw Error(ErrorCode::kUser, fmt::format("{}: device or core {} is named, but there is one: take 0",
                                                program_.places[i.place].where, number(s)));
}

// What is read is kept while it is written, where both lie in one memory.
void Worker::copy(View& from, View& to) {
  if (from.memory->read() != to.memory->read()) return machine::copy(from, to);
  std::int64_t span = 1;
  for (std::size_t d = 0; d < from.memory->shape.size(); ++d)
    span += (from.memory->shape[d] - 1) * from.memory->strides[d];
  Bytes aside(static_cast<std::size_t>(span) * from.memory->element_bytes);
  std::memcpy(aside.data(), from.memory->read(), aside.size());
  const auto before = machine::Memory::at(
      {from.memory->name, from.memory->kind, from.memory->element, from.memory->shape}, aside.data());
  from.memory = before.get();
  machine::copy(from, to);
}

void Worker::dma(const Instruction& i) {
  const program::Dma& dma = program_.dmas[i.aux];
  require_own(i, dma.device, dma.core);
  View source, target;
  view(dma.source, true, "bounds.dma", "DMA read", i, source);
  view(dma.target, true, "bounds.dma", "DMA write", i, target);
  for (int k = 0; k < source.shown; ++k) {
    const std::int64_t a = source.size[source.dim[k]], b = target.size[target.dim[k]];
    if (a != b)
      stop("dma.mismatch", fmt::format("the DMA's source has {} elements along dimension {}, its target {}", a, k, b),
           i);
  }
  const std::int64_t bytes = machine::bytes_of(target);
  copy(source, target);
  const auto amount = [&](const program::ViewPlan& s) {
    return program_.memories[s.memory].element == mosaic::Element::kDmaSemaphore ? bytes : 1;
  };
  count_of(dma.semaphore, i) += amount(dma.semaphore);
  if (dma.sends) count_of(*dma.sends, i) += amount(*dma.sends);
}

std::int64_t& Worker::count_of(const program::ViewPlan& plan, const Instruction& i) {
  View v;
  view(plan, false, "bounds.access", "core write", i, v);
  return v.memory->counts[static_cast<std::size_t>(machine::first_element(v))];
}

void Worker::wait(std::int64_t& count, std::int64_t amount, const Instruction& i) {
  if (count < amount)
    stop("deadlock", fmt::format("the wait needs {}, the semaphore has {}, and nothing is in flight", amount, count),
         i);
  count -= amount;
}

void Worker::semaphore(const Instruction& i) {
  if (i.op == Op::kDmaWait) {
    const program::DmaWait& w = program_.dma_waits[i.aux];
    std::int64_t& count = count_of(w.semaphore, i);
    View target;
    machine::resolve(w.target, memories_[w.target.memory].get(), frame_, true, target);
    const std::int64_t bytes = machine::bytes_of(target);
    if (bytes < 0) outside("bounds.dma", "DMA write", target, i);
    const bool counts = program_.memories[w.semaphore.memory].element == mosaic::Element::kDmaSemaphore;
    return wait(count, counts ? bytes : 1, i);
  }
  if (i.op == Op::kReadSemaphore) {
    frame_[i.dst] = static_cast<std::uint32_t>(count_of(program_.semaphores[i.aux], i));
    return;
  }
  if (number(i.a) < 0)
    throw Error(ErrorCode::kUser,
                fmt::format("{}: a semaphore cannot be signalled or awaited by {}; amounts are 0 or more",
                            program_.places[i.place].where, number(i.a)));
  std::int64_t& count = count_of(program_.semaphores[i.aux], i);
  if (i.op == Op::kWait) return wait(count, number(i.a), i);
  require_own(i, i.b, i.c);
  count += number(i.a);
}

}  // namespace millrace::cpu
