// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, semaphores, and the marks that a profiler would see.
#include <fmt/format.h>

#include "program/lowering.h"

namespace millrace::program {

namespace {

std::vector<std::int64_t> segments(Lowering& l, const mosaic::Op& o, std::size_t count) {
  const auto* s = mosaic::as_integers(o.find("operandSegmentSizes"));
  if (!s || s->size() < count) l.unsupported(fmt::format("{} without operandSegmentSizes is not supported", o.name));
  return *s;
}

void enqueue_dma(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> s = segments(l, o, 6);  // source, its semaphore, target, its semaphore, device, core
  const std::size_t target = s[1] ? 2 : 1;
  Dma dma{l.view_of(o.operands[0]), l.view_of(o.operands[target]), l.view_of(o.operands[target + 1])};
  if (s[1]) dma.sends = l.view_of(o.operands[1]);
  std::size_t next = target + 2;
  if (s[4]) dma.device = l.slot_of(o.operands[next++]);
  if (s[5]) dma.core = l.slot_of(o.operands[next]);
  if (const std::int64_t* priority = mosaic::as_integer(o.find("priority"))) dma.priority = *priority;
  l.emit(Op::kDmaStart).aux = static_cast<std::uint32_t>(l.out_.dmas.size());
  l.out_.dmas.push_back(std::move(dma));
}

void emit_dma_wait(Lowering& l, const mosaic::Op& o, std::size_t target) {
  DmaWait wait{l.view_of(o.operands[0]), l.view_of(o.operands[target])};
  l.emit(Op::kDmaWait).aux = static_cast<std::uint32_t>(l.out_.dma_waits.size());
  l.out_.dma_waits.push_back(std::move(wait));
}

void wait_dma2(Lowering& l, const mosaic::Op& o) { emit_dma_wait(l, o, 2); }

// The older form, which names the target alone.
void wait_dma(Lowering& l, const mosaic::Op& o) { emit_dma_wait(l, o, 1); }

std::uint32_t semaphore(Lowering& l, mosaic::ValueId v) {
  l.out_.semaphores.push_back(l.view_of(v));
  return static_cast<std::uint32_t>(l.out_.semaphores.size() - 1);
}

void emit_amount(Lowering& l, const mosaic::Op& o, Op op) {
  Slot amount = l.slot_of(o.operands[1]);
  std::uint32_t which = semaphore(l, o.operands[0]);
  Instruction& i = l.emit(op);
  i.a = amount, i.aux = which;
}

void signal(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> s = segments(l, o, 4);  // semaphore, amount, device, core
  const Slot device = s[2] ? l.slot_of(o.operands[2]) : kNoSlot;
  const Slot core = s[3] ? l.slot_of(o.operands[s[2] ? 3 : 2]) : kNoSlot;
  emit_amount(l, o, Op::kSignal);
  Instruction& i = l.out_.code.back();
  i.b = device, i.c = core;
}

void wait(Lowering& l, const mosaic::Op& o) { emit_amount(l, o, Op::kWait); }

void read(Lowering& l, const mosaic::Op& o) {
  std::uint32_t which = semaphore(l, o.operands[0]);
  Slot dst = l.define(o.results[0]);
  Instruction& i = l.emit(Op::kReadSemaphore);
  i.dst = dst, i.aux = which;
}

void trace_start(Lowering& l, const mosaic::Op& o) {
  const std::string* name = mosaic::as_string(o.find("message"));
  l.emit(Op::kScopeBegin).aux = static_cast<std::uint32_t>(l.out_.scope_names.size());
  l.out_.scope_names.push_back(name ? *name : "");
}

void trace_stop(Lowering& l, const mosaic::Op&) { l.emit(Op::kScopeEnd); }

}  // namespace

void add_dma_handlers(HandlerTable& table) {
  table["tpu.enqueue_dma"] = enqueue_dma;
  table["tpu.wait_dma2"] = wait_dma2;
  table["tpu.wait_dma"] = wait_dma;
  table["tpu.sem_signal"] = signal;
  table["tpu.sem_wait"] = wait;
  table["tpu.sem_read"] = read;
  table["tpu.trace_start"] = trace_start;
  table["tpu.trace_stop"] = trace_stop;
}

}  // namespace millrace::program
