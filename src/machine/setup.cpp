// SPDX-License-Identifier: Apache-2.0
// The operands of a run bound to storage.
#include <cstring>

#include "machine/run.h"

namespace millrace::machine {

using program::MemorySlot;

Run::Run(const Linked& l, const Request& r)
    : linked(l),
      program(*l.program),
      request(r),
      tell(r.observers),
      definedness(r.definedness ? std::make_unique<shadow::Definedness>(tell) : nullptr),
      transfers(tell, definedness.get()),
      shared_(program.memories.size(), nullptr) {}

void Run::announce(Memory& memory, event::PlaceId at) {
  memory.id = next_memory_++;
  if (definedness) definedness->attach(memory);
  if (tell.anyone())
    tell(event::RegionAllocated{memory.id, memory.name, memory.kind, dtype_of(memory.element), memory.counts_bytes(),
                                memory.shape, at, 0, 0, memory.written, memory.also});
}

void Run::bind_operands() {
  if (tell.anyone()) tell(event::RunBegan{program.places});
  outcome.outputs.reserve(request.outputs.size());
  for (const program::OperandSpec& o : request.outputs)
    outcome.outputs.push_back(Array::unset(o.dtype == DType::i1 ? DType::i32 : o.dtype, o.shape));
  converted_.reserve(request.inputs.size());
  for (std::size_t s = 0; s < program.memories.size(); ++s) {
    const MemorySlot& slot = program.memories[s];
    std::unique_ptr<Memory> memory;
    if (slot.same_as) continue;
    if (slot.binding == MemorySlot::Binding::kInput) {
      const Array* array = &request.inputs[slot.operand];
      if (array->dtype() == DType::i1) array = &converted_.emplace_back(array->cast(DType::i32));
      memory = Memory::over(slot, *array);
    } else if (slot.binding == MemorySlot::Binding::kOutput) {
      memory = Memory::into(slot, outcome.outputs[slot.operand]);
    } else {
      continue;
    }
    memory->written = slot.binding == MemorySlot::Binding::kInput && !unwritten(slot.operand);
    for (const MemorySlot& other : program.memories)
      if (other.same_as == s) memory->also.push_back(other.name), memory->written = !unwritten(other.operand);
    announce(*memory, 0);
    shared_[s] = memory.get();
    operands_.push_back(std::move(memory));
  }
  bind_aliases();
}

// One array under two names: it goes by the output's, and begins with the input's data.
void Run::bind_aliases() {
  for (const auto& alias : program.aliases) {
    const Array& from = request.inputs[alias.input];
    Array& to = outcome.outputs[alias.output];
    if (from.dtype() == DType::i1) {
      const Array numbers = from.cast(DType::i32);
      std::memcpy(to.data(), numbers.data(), numbers.bytes());
    } else {
      std::memcpy(to.data(), from.data(), from.bytes());
    }
  }
  for (std::size_t s = 0; s < program.memories.size(); ++s)
    if (program.memories[s].same_as) shared_[s] = shared_[*program.memories[s].same_as];
}

}  // namespace millrace::machine
