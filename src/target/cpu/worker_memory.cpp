// SPDX-License-Identifier: Apache-2.0
// Loads and stores that compiled code does not do itself, DMAs and semaphores. With direct movement a DMA that the
// kernel starts is done at once, one of its legal schedules (S3.6, eager); with explicit copies a thread does it.
#include <fmt/format.h>

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

// What a DMA uses: of a window the slot that the body sees now, since the window itself moves on.
machine::Memory* Worker::memory_now(std::uint32_t s) {
  const program::MemorySlot& slot = program_.memories[s];
  if (!copies_ || slot.binding != program::MemorySlot::Binding::kWindow) return memories_[s].get();
  WindowState& state = windows_[slot.operand];
  return state.slots[state.at].get();
}

void Worker::view(const program::ViewPlan& plan, bool padding, const char* id, const char* access, Worker& owner,
                  const Instruction& i, View& v) {
  machine::Memory* memory = owner.memory_now(plan.memory);
  if (!memory) stop(id, fmt::format("{}there is no {} now", owner.self(), program_.memories[plan.memory].name), i);
  if (machine::resolve(plan, memory, frame_, padding, v) == Fit::kOutside) outside(id, access, v, i);
}

Worker& Worker::peer(const Instruction& i, program::Slot device, program::Slot core) {
  const auto named = [&](program::Slot slot, int own, int count, const char* what) {
    const std::int32_t n = slot == kNoSlot ? own : number(slot);
    if (n >= 0 && n < count) return n;
    throw Error(ErrorCode::kUser,
                fmt::format("{}: {} {} is named, but there {} {} (--{}s): take 0 to {}", program_.places[i.place].where,
                            what, n, count == 1 ? "is" : "are", count, what, count - 1));
  };
  const int d = named(device, seat_.device, program_.devices, "device");
  const int c = named(core, seat_.core, program_.cores, "core");
  if (d == seat_.device && c == seat_.core) return *this;  // in whatever team it is
  return *seat_.team[static_cast<std::size_t>(d * program_.cores + c)];
}

// Of a buffer whose first dimension numbers its slots, which one the DMA takes.
std::uint32_t Worker::slot_of(const program::Dma& dma, const View& source, const View& target) const {
  const bool fills = program_.memories[dma.source.memory].kind == event::MemoryKind::kHbm;
  const View& v = fills ? target : source;
  const bool one = v.rank > 2 && v.rank == v.shown + 1 && v.size[0] == 1 && v.start[0] >= 0;
  return one ? static_cast<std::uint32_t>(v.start[0]) : 0;
}

void Worker::dma(const Instruction& i) {
  const program::Dma& dma = program_.dmas[i.aux];
  Worker& there = peer(i, dma.device, dma.core);
  View source, target;
  view(dma.source, true, "bounds.dma", "DMA read", *this, i, source);
  view(dma.target, true, "bounds.dma", "DMA write", there, i, target);
  for (int k = 0; k < source.shown; ++k) {
    const std::int64_t a = source.size[source.dim[k]], b = target.size[target.dim[k]];
    if (a != b)
      stop("dma.mismatch", fmt::format("the DMA's source has {} elements along dimension {}, its target {}", a, k, b),
           i);
  }
  const std::int64_t bytes = machine::bytes_of(target);
  const auto raise = [&](const program::ViewPlan& s, Worker& owner) {
    const bool counts_bytes = program_.memories[s.memory].element == mosaic::Element::kDmaSemaphore;
    return Raise{&count_of(s, owner, i), counts_bytes ? bytes : 1};
  };
  const Raises raises = {raise(dma.semaphore, there), dma.sends ? raise(*dma.sends, *this) : Raise{}};
  if (plan_.asynchronous) {
    settle_stores();
    const Span span{Span::Kind::kDma, i.aux, slot_of(dma, source, target), step_, 0, 0, bytes};
    return copies_->start(source, target, span, seat_.semaphores, raises);
  }
  copy_apart(source, target);
  for (const Raise& r : raises) there.seat_.semaphores.raise(r);
}

std::int64_t& Worker::count_of(const program::ViewPlan& plan, Worker& owner, const Instruction& i) {
  View v;
  view(plan, false, "bounds.access", "core write", owner, i, v);
  return v.memory->counts[static_cast<std::size_t>(machine::first_element(v))];
}

void Worker::wait(std::int64_t& count, std::int64_t amount, std::uint32_t memory, const Instruction& i) {
  const bool told = copies_ && in_body_;
  if (told) note_body();
  const std::int64_t began = copies_ ? copies_->now() : 0;
  if (!seat_.semaphores.take(count, amount)) {
    deadlocked_ = true;
    stop("deadlock",
         fmt::format("the wait needs {}, the semaphore has {}, and nothing is in flight", amount,
                     seat_.semaphores.read(count)),
         i);
  }
  if (!told) return;
  body_began_ = copies_->now();
  copies_->note({Span::Kind::kOwnWait, memory, 0, step_, began, body_began_, amount});
}

void Worker::semaphore(const Instruction& i) {
  if (i.op == Op::kDmaWait) {
    const program::DmaWait& w = program_.dma_waits[i.aux];
    std::int64_t& count = count_of(w.semaphore, *this, i);
    View target;
    machine::resolve(w.target, memory_now(w.target.memory), frame_, true, target);
    const std::int64_t bytes = machine::bytes_of(target);
    if (bytes < 0) outside("bounds.dma", "DMA write", target, i);
    const bool counts = program_.memories[w.semaphore.memory].element == mosaic::Element::kDmaSemaphore;
    return wait(count, counts ? bytes : 1, w.semaphore.memory, i);
  }
  if (i.op == Op::kReadSemaphore) {
    frame_[i.dst] = static_cast<std::uint32_t>(seat_.semaphores.read(count_of(program_.semaphores[i.aux], *this, i)));
    return;
  }
  if (number(i.a) < 0)
    throw Error(ErrorCode::kUser,
                fmt::format("{}: a semaphore cannot be signalled or awaited by {}; amounts are 0 or more",
                            program_.places[i.place].where, number(i.a)));
  const program::ViewPlan& plan = program_.semaphores[i.aux];
  if (i.op == Op::kWait) return wait(count_of(plan, *this, i), number(i.a), plan.memory, i);
  settle_stores();
  Worker& there = peer(i, i.b, i.c);
  there.seat_.semaphores.raise({&count_of(plan, there, i), number(i.a)});
}

}  // namespace millrace::cpu
