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
      transfers(tell),
      shared_(program.memories.size(), nullptr) {}

void Run::announce(Memory& memory, event::PlaceId at) {
  memory.id = next_memory_++;
  if (tell.anyone())
    tell(event::RegionAllocated{memory.id, memory.name, memory.kind, dtype_of(memory.element), memory.counts_bytes(),
                                memory.shape, at, 0, 0, memory.written, memory.also});
}

namespace {

// What an array holds otherwise than the memory: bools are numbers there, and a four-bit number without a sign takes
// its byte as the signed one of the same bits.
bool differs_in_memory(const Array& array, Element element) {
  return array.dtype() == DType::i1 || (element == Element::kI4 && array.dtype() == DType::u8);
}

Array as_in_memory(const Array& array) {
  if (array.dtype() == DType::i1) return array.cast(DType::i32);
  Array signs = array;
  for (std::uint8_t& v : signs.as<std::uint8_t>()) v = static_cast<std::uint8_t>(((v & 15) ^ 8) - 8);
  return signs;
}

}  // namespace

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
      if (differs_in_memory(*array, slot.element)) array = &converted_.emplace_back(as_in_memory(*array));
      memory = Memory::over(slot, *array);
    } else if (slot.binding == MemorySlot::Binding::kOutput) {
      memory = Memory::into(slot, outcome.outputs[slot.operand]);
    } else {
      continue;
    }
    memory->written = slot.binding == MemorySlot::Binding::kInput;
    for (const MemorySlot& other : program.memories)
      if (other.same_as == s) memory->also.push_back(other.name), memory->written = true;
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
    for (const MemorySlot& slot : program.memories) {
      if (slot.binding != MemorySlot::Binding::kOutput || slot.operand != alias.output) continue;
      const Array converted = differs_in_memory(from, slot.element) ? as_in_memory(from) : from;
      std::memcpy(to.data(), converted.data(), converted.bytes());
    }
  }
  for (std::size_t s = 0; s < program.memories.size(); ++s)
    if (program.memories[s].same_as) shared_[s] = shared_[*program.memories[s].same_as];
}

// Back to what arrays hold.
void Run::return_outputs() {
  for (const MemorySlot& slot : program.memories) {
    if (slot.binding != MemorySlot::Binding::kOutput) continue;
    Array& array = outcome.outputs[slot.operand];
    if (request.outputs[slot.operand].dtype == DType::i1)
      array = array.cast(DType::i1);
    else if (differs_in_memory(array, slot.element))
      for (std::uint8_t& v : array.as<std::uint8_t>()) v &= 15;
  }
}

}  // namespace millrace::machine
