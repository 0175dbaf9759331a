// SPDX-License-Identifier: Apache-2.0
// The state that a core begins with: constants in its frame, scratch and windows of its own, the order of its steps.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "machine/run.h"

namespace millrace::machine {

using program::MemorySlot;

namespace {

// `count` times the same bytes: what is there already is laid down again behind itself.
void repeat(const std::vector<std::byte>& bytes, std::uint64_t count, std::byte* to) {
  const std::size_t whole = bytes.size() * count;
  if (whole == 0) return;
  std::memcpy(to, bytes.data(), bytes.size());
  for (std::size_t done = bytes.size(); done < whole;) {
    const std::size_t more = std::min(done, whole - done);
    std::memcpy(to + done, to, more);
    done += more;
  }
}

}  // namespace

Core::Core(Run& run, const std::vector<Memory*>& operands)
    : run_(run),
      linked_(run.linked),
      program_(run.program),
      request_(run.request),
      tell_(run.tell),
      transfers_(run.transfers),
      frame_(program_.frame_units, 0),
      scoped_(program_.memories.size()),
      memories_(operands),
      windows_(program_.windows.size()),
      waits_(program_.places.size(), 0),
      direct_(request_.choice->moment() != Choice::Moment::kAlways) {
  for (const program::Constant& c : program_.constants) repeat(c.data, c.count, at(c.slot));
}

void Core::bind() {
  for (std::size_t s = 0; s < program_.memories.size(); ++s) {
    if (program_.memories[s].binding != MemorySlot::Binding::kScratch) continue;
    auto memory = Memory::fresh(program_.memories[s]);
    run_.announce(*memory, 0);
    memories_[s] = memory.get();
    scratch_.push_back(std::move(memory));
  }
  for (std::uint32_t w = 0; w < program_.windows.size(); ++w) bind_window(w);
  order_grid();
}

// The points of each parallel axis in an order of the choice source's; the axes stay nested as they are.
void Core::order_grid() {
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
void Core::bind_window(std::uint32_t index) {
  const program::Window& w = program_.windows[index];
  WindowState& state = windows_[index];
  MemorySlot buffer = program_.memories[w.memory];
  for (std::uint32_t s = 0; s < w.slots; ++s) {
    buffer.name = fmt::format("{}.window{}", w.name, s);
    state.buffers.push_back(Memory::fresh(buffer));
    run_.announce(*state.buffers.back(), 0);
  }
  MemorySlot semaphores{
      w.name + ".arrived", event::MemoryKind::kSemaphore, mosaic::Element::kDmaSemaphore, {w.slots}, {}, 0, {}};
  state.arrived = Memory::fresh(semaphores);
  run_.announce(*state.arrived, 0);
  semaphores.name = w.name + ".sent";
  state.sent = Memory::fresh(semaphores);
  run_.announce(*state.sent, 0);
  state.fetching.assign(w.slots, 0);
  state.sending.assign(w.slots, 0);
  memories_[w.memory] = state.buffers[0].get();
  if (!tell_.anyone()) return;
  std::vector<event::MemoryId> slots;
  for (const auto& b : state.buffers) slots.push_back(b->id);
  tell_(event::WindowBound{self(), index, w.name, memories_[w.operand]->id, std::move(slots), w.input, w.output,
                           w.reload, w.block});
}

void Core::tell_windows_freed() {
  for (const WindowState& w : windows_)
    for (const auto& m : w.buffers) tell_(event::RegionFreed{m->id, 0});
  for (const WindowState& w : windows_)
    tell_(event::RegionFreed{w.arrived->id, 0}), tell_(event::RegionFreed{w.sent->id, 0});
}

void Core::tell_scratch_freed() {
  for (const auto& m : scratch_) tell_(event::RegionFreed{m->id, 0});
}

}  // namespace millrace::machine
