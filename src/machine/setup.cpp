// SPDX-License-Identifier: Apache-2.0
// The state that a run begins with: constants in the frame, operands and scratch bound to storage.
#include <fmt/format.h>

#include <cstring>
#include <numeric>

#include "machine/run.h"

namespace millrace::machine {

using program::MemorySlot;

Run::Run(const Linked& linked, const Request& request)
    : linked_(linked),
      program_(*linked.program),
      request_(request),
      tell_(request.observers),
      transfers_(tell_),
      frame_(program_.frame_units, 0),
      scoped_(program_.memories.size()),
      memories_(program_.memories.size(), nullptr),
      windows_(program_.windows.size()),
      waits_(program_.places.size(), 0),
      direct_(request.choice->moment() != Choice::Moment::kAlways) {
  for (const program::Constant& c : program_.constants)
    for (std::uint64_t i = 0; i < c.count; ++i)
      std::memcpy(at(c.slot) + i * c.data.size(), c.data.data(), c.data.size());
}

void Run::announce(Memory& memory, event::PlaceId at) {
  memory.id = next_memory_++;
  if (tell_.anyone())
    tell_(event::RegionAllocated{memory.id, memory.name, memory.kind, dtype_of(memory.element), memory.counts_bytes(),
                                 memory.shape, at, 0, 0, memory.written, memory.also});
}

void Run::bind_memories() {
  if (tell_.anyone()) tell_(event::RunBegan{program_.places});
  outcome_.outputs.reserve(request_.outputs.size());
  for (const program::OperandSpec& o : request_.outputs)
    outcome_.outputs.push_back(Array::unset(o.dtype == DType::i1 ? DType::i32 : o.dtype, o.shape));
  converted_.reserve(request_.inputs.size());
  for (std::size_t s = 0; s < program_.memories.size(); ++s) {
    const MemorySlot& slot = program_.memories[s];
    std::unique_ptr<Memory> memory;
    if (slot.same_as) continue;
    if (slot.binding == MemorySlot::Binding::kInput) {
      const Array* array = &request_.inputs[slot.operand];
      if (array->dtype() == DType::i1) array = &converted_.emplace_back(array->cast(DType::i32));
      memory = Memory::over(slot, *array);
    } else if (slot.binding == MemorySlot::Binding::kOutput) {
      memory = Memory::into(slot, outcome_.outputs[slot.operand]);
    } else if (slot.binding == MemorySlot::Binding::kScratch) {
      memory = Memory::fresh(slot);
    } else {
      continue;
    }
    memory->written = slot.binding == MemorySlot::Binding::kInput;
    for (const MemorySlot& other : program_.memories)
      if (other.same_as == s) memory->also.push_back(other.name), memory->written = true;
    announce(*memory, 0);
    memories_[s] = memory.get();
    owned_.push_back(std::move(memory));
  }
  bind_aliases();
  for (std::uint32_t w = 0; w < program_.windows.size(); ++w) bind_window(w);
  order_grid();
}

// One array under two names: it goes by the output's, and begins with the input's data.
void Run::bind_aliases() {
  for (const auto& alias : program_.aliases) {
    const Array& from = request_.inputs[alias.input];
    Array& to = outcome_.outputs[alias.output];
    if (from.dtype() == DType::i1) {
      const Array numbers = from.cast(DType::i32);
      std::memcpy(to.data(), numbers.data(), numbers.bytes());
    } else {
      std::memcpy(to.data(), from.data(), from.bytes());
    }
  }
  for (std::size_t s = 0; s < program_.memories.size(); ++s)
    if (program_.memories[s].same_as) memories_[s] = memories_[*program_.memories[s].same_as];
}

// The points of each parallel axis in an order of the choice source's; the axes stay nested as they are.
void Run::order_grid() {
  constexpr std::int64_t kMostPoints = 1 << 20;
  orders_.resize(program_.grid.size());
  walked_.assign(program_.grid.size(), 0);
  for (std::size_t d = 0; d < program_.grid.size(); ++d) {
    const std::int64_t extent = program_.grid[d];
    if (!program_.parallel[d] || extent < 2 || extent > kMostPoints) continue;
    std::vector<std::int32_t> order(static_cast<std::size_t>(extent));
    std::iota(order.begin(), order.end(), 0);
    bool changed = false;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const std::size_t ahead = request_.choice->among(order.size() - i);
      std::swap(order[i], order[i + ahead]);
      changed |= ahead != 0;
    }
    if (!changed) continue;
    frame_[program_.grid_index[d]] = static_cast<std::uint32_t>(order[0]);
    orders_[d] = std::move(order);
  }
}

// A window's buffers and semaphores are the machine's own; they are named after the operand.
void Run::bind_window(std::uint32_t index) {
  const program::Window& w = program_.windows[index];
  WindowState& state = windows_[index];
  MemorySlot buffer = program_.memories[w.memory];
  for (std::uint32_t s = 0; s < w.slots; ++s) {
    buffer.name = fmt::format("{}.window{}", w.name, s);
    state.buffers.push_back(Memory::fresh(buffer));
    announce(*state.buffers.back(), 0);
  }
  MemorySlot semaphores{
      w.name + ".arrived", event::MemoryKind::kSemaphore, mosaic::Element::kDmaSemaphore, {w.slots}, {}, 0, {}};
  state.arrived = Memory::fresh(semaphores);
  announce(*state.arrived, 0);
  semaphores.name = w.name + ".sent";
  state.sent = Memory::fresh(semaphores);
  announce(*state.sent, 0);
  state.fetching.assign(w.slots, 0);
  state.sending.assign(w.slots, 0);
  memories_[w.memory] = state.buffers[0].get();
  if (!tell_.anyone()) return;
  std::vector<event::MemoryId> slots;
  for (const auto& b : state.buffers) slots.push_back(b->id);
  tell_(event::WindowBound{core(), index, w.name, memories_[w.operand]->id, std::move(slots), w.input, w.output,
                           w.reload, w.block});
}

}  // namespace millrace::machine
