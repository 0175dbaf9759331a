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
  if (s[1] || s[4] || s[5]) l.unsupported("a DMA to another core or device is not supported");
  Dma dma{l.view_of(o.operands[0]), l.view_of(o.operands[1]), l.view_of(o.operands[2])};
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
  std::vector<std::int64_t> s = segments(l, o, 4);
  if (s[2] || s[3]) l.unsupported("a signal to another core or device is not supported");
  emit_amount(l, o, Op::kSignal);
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
