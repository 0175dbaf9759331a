// SPDX-License-Identifier: Apache-2.0
// The operands of a run bound to storage.
#include <cstring>

#include "machine/operands.h"
#include "machine/run.h"

namespace millrace::machine {

using program::MemorySlot;

Run::Run(const Linked& l, const Request& r)
    : linked(l),
      program(*l.program),
      request(r),
      tell(r.observers),
      definedness(r.definedness ? std::make_unique<shadow::Definedness>(tell) : nullptr),
      transfers(tell, definedness.get(), r.whole_signals, r.dma_granule),
      devices_(static_cast<std::size_t>(program.devices)) {
  for (event::Observer* o : r.observers) {
    if (auto* of_work_too = dynamic_cast<event::WorkObserver*>(o)) of_work.push_back(of_work_too);
    if (!dynamic_cast<event::Scopeless*>(o)) of_scopes.push_back(o);
  }
  if (event::Observer* o = r.choice->observer()) tell.add(o), of_scopes.push_back(o);
}

void Run::announce(Memory& memory, event::PlaceId at, int device, int core) {
  memory.id = next_memory_++;
  if (definedness) definedness->attach(memory);
  if (tell.anyone())
    tell(event::RegionAllocated{memory.id, memory.name, memory.kind, dtype_of(memory.element), memory.counts_bytes(),
                                memory.shape, at, device, core, memory.written, memory.also});
}

void Run::bind() {
  if (tell.anyone()) tell(event::RunBegan{program.places, program.devices, program.cores});
  const auto devices = static_cast<std::size_t>(program.devices);
  outcome.outputs.reserve(devices * request.outputs.size());
  converted_.reserve(devices * static_cast<std::size_t>(program.cores) * program.inputs);
  for (int d = 0; d < program.devices; ++d) bind_operands(d);
  for (int d = 0; d < program.devices; ++d) {
    for (int c = 0; c < program.cores; ++c) {
      cores_.push_back(std::make_unique<Core>(*this, d, c, devices_[static_cast<std::size_t>(d)].shared));
      cores_.back()->bind();
    }
  }
}

// Of an unwritten input the array holds whatever it happens to hold.
std::unique_ptr<Memory> Run::operand(const MemorySlot& slot, int device) {
  const std::size_t first = static_cast<std::size_t>(device);
  if (slot.binding == MemorySlot::Binding::kOutput)
    return Memory::into(slot, outcome.outputs[first * program.outputs + slot.operand]);
  if (slot.binding != MemorySlot::Binding::kInput) return nullptr;
  const Array* array = &request.inputs[first * program.inputs + slot.operand];
  if (differs_in_memory(array->dtype(), slot.element)) array = &converted_.emplace_back(as_in_memory(*array));
  auto memory = Memory::over(slot, *array);
  memory->written = !program.unwritten[slot.operand];
  return memory;
}

void Run::bind_operands(int device) {
  Device& d = devices_[static_cast<std::size_t>(device)];
  d.shared.assign(program.memories.size(), nullptr);
  for (const program::OperandSpec& o : request.outputs)
    outcome.outputs.push_back(Array::unset(o.dtype == DType::i1 ? DType::i32 : o.dtype, o.shape));
  for (std::size_t s = 0; s < program.memories.size(); ++s) {
    const MemorySlot& slot = program.memories[s];
    if (slot.same_as) continue;
    std::unique_ptr<Memory> memory = operand(slot, device);
    if (!memory) continue;
    for (const MemorySlot& other : program.memories)
      if (other.same_as == s) memory->also.push_back(other.name), memory->written |= !program.unwritten[other.operand];
    announce(*memory, 0, device, slot.kind == event::MemoryKind::kHbm ? event::kShared : 0);
    d.shared[s] = memory.get();
    d.operands.push_back(std::move(memory));
  }
  bind_aliases(device);
}

// One array under two names: it goes by the output's, and begins with the input's data.
void Run::bind_aliases(int device) {
  const auto d = static_cast<std::size_t>(device);
  for (const auto& alias : program.aliases) {
    if (program.unwritten[alias.input]) continue;
    const Array& from = request.inputs[d * program.inputs + alias.input];
    Array& to = outcome.outputs[d * program.outputs + alias.output];
    for (const MemorySlot& slot : program.memories) {
      if (slot.binding != MemorySlot::Binding::kOutput || slot.operand != alias.output) continue;
      for (const auto& m : devices_[d].operands) m->settle();
      const Array converted = differs_in_memory(from.dtype(), slot.element) ? as_in_memory(from) : from;
      std::memcpy(to.data(), converted.data(), converted.bytes());
    }
  }
  std::vector<Memory*>& shared = devices_[d].shared;
  for (std::size_t s = 0; s < program.memories.size(); ++s)
    if (program.memories[s].same_as) shared[s] = shared[*program.memories[s].same_as];
}

// Back to what arrays hold.
void Run::return_outputs(int device) {
  for (const MemorySlot& slot : program.memories) {
    if (slot.binding != MemorySlot::Binding::kOutput) continue;
    Array& array = outcome.outputs[static_cast<std::size_t>(device) * program.outputs + slot.operand];
    turn_into_array(array, request.outputs[slot.operand].dtype, slot.element);
  }
}

}  // namespace millrace::machine
