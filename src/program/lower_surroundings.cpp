// SPDX-License-Identifier: Apache-2.0
// What a kernel asks of its surroundings: the device's number and barrier, random bits, assertions, and the marks of
// debugging, which change nothing.
#include "program/lowering.h"

namespace millrace::program {

namespace {

void nothing(Lowering&, const mosaic::Op&) {}

void device_id(Lowering& l, const mosaic::Op& o) {
  if (l.out_.devices == 1) return l.set_known(o.results[0], 0);
  if (l.out_.device_slot == kNoSlot) l.out_.device_slot = l.allocate(8);
  l.bound(o.results[0]) = Bound{};
  l.bound(o.results[0]).slot = l.out_.device_slot;
}

// One regular semaphore for the whole kernel on each core, however often it is asked for.
void barrier(Lowering& l, const mosaic::Op& o) {
  const mosaic::Type& type = l.type_of(o.results[0]);
  if (!l.barrier())
    l.barrier() = l.declare(
        {"barrier", event::MemoryKind::kSemaphore, type.element, type.shape, MemorySlot::Binding::kScratch, 0});
  l.set_view(o.results[0], whole_view(*l.barrier(), type));
}

void assertion(Lowering& l, const mosaic::Op& o) {
  auto condition = l.known(o.operands[0]);
  if (condition && *condition != 0) return;
  const std::string* message = mosaic::as_string(o.find("msg"));
  Slot a = l.slot_of(o.operands[0]);
  Instruction& i = l.emit(Op::kAssert);
  i.a = a, i.aux = static_cast<std::uint32_t>(l.out_.messages.size());
  l.out_.messages.push_back(message ? *message : "");
}

void set_seed(Lowering& l, const mosaic::Op& o) {
  std::uint16_t later = 0;
  for (mosaic::ValueId seed : o.operands) {
    Slot a = l.slot_of(seed);
    Instruction& i = l.emit(Op::kSeed);
    i.a = a, i.dst = l.random_state(), i.small = later;
    later = 1;
  }
}

void random_bits(Lowering& l, const mosaic::Op& o) {
  const mosaic::Type& type = l.type_of(o.results[0]);
  if (bytes_of(type.element) != 4) l.unsupported("tpu.prng_random_bits of other than 32-bit words is not supported");
  Slot dst = l.define(o.results[0]);
  Instruction& i = l.emit(Op::kRandomBits);
  i.a = l.random_state(), i.dst = dst, i.n = static_cast<std::uint32_t>(count_of(type));
}

}  // namespace

void add_surroundings_handlers(HandlerTable& table) {
  for (std::string_view op : {"tpu.log", "tpu.log_buffer", "tpu.trace_value", "tpu.delay"}) table[op] = nothing;
  table["tpu.device_id"] = device_id;
  table["tpu.sem_barrier"] = barrier;
  table["cf.assert"] = assertion;
  table["tpu.prng_set_seed_32"] = set_seed;
  table["tpu.prng_random_bits"] = random_bits;
}

}  // namespace millrace::program
