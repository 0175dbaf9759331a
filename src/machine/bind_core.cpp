// SPDX-License-Identifier: Apache-2.0
// The state that a core begins with: constants in its frame, scratch and windows of its own, the order of its steps.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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

Core::Core(Run& run, int device, int core, const std::vector<Memory*>& operands)
    : run_(run),
      device_(device),
      core_(core),
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
      alone_(program_.devices * program_.cores == 1),
      tells_work_(!run.of_work.empty()),
      told_(run.tell.anyone() || run.definedness),
      direct_(request_.choice->moment() != Choice::Moment::kAlways),
      access_{self(), 0, {}, event::AccessKind::kRead, 0} {
  if (run.definedness)
    shadow_ = std::make_unique<shadow::CoreShadow>(*run.definedness, program_, frame_.data(), self());
  for (const program::Constant& c : program_.constants) repeat(c.data, c.count, at(c.slot));
  if (program_.device_slot != program::kNoSlot) frame_[program_.device_slot] = static_cast<std::uint32_t>(device_);
}

void Core::bind() {
  for (std::size_t s = 0; s < program_.memories.size(); ++s) {
    const MemorySlot& slot = program_.memories[s];
    // Scalars that come with the call lie in fast memory, and each core has them.
    const bool copied = core_ > 0 && memories_[s] && slot.kind != event::MemoryKind::kHbm;
    if (slot.binding != MemorySlot::Binding::kScratch && !copied) continue;
    auto memory = copied ? run_.operand(slot, device_) : Memory::fresh(slot);
    run_.announce(*memory, 0, device_, core_);
    memories_[s] = memory.get();
    scratch_.push_back(std::move(memory));
  }
  for (std::uint32_t w = 0; w < program_.windows.size(); ++w) bind_window(w);
  order_grid();
  share_grid();
}

// A window's buffers and semaphores are the machine's own; they are named after the operand.
void Core::bind_window(std::uint32_t index) {
  const program::Window& w = program_.windows[index];
  WindowState& state = windows_[index];
  MemorySlot buffer = program_.memories[w.memory];
  for (std::uint32_t s = 0; s < w.slots; ++s) {
    buffer.name = fmt::format("{}.window{}", w.name, s);
    state.buffers.push_back(Memory::fresh(buffer));
    run_.announce(*state.buffers.back(), 0, device_, core_);
  }
  MemorySlot semaphores{
      w.name + ".arrived", event::MemoryKind::kSemaphore, mosaic::Element::kDmaSemaphore, {w.slots}, {}, 0, {}};
  state.arrived = Memory::fresh(semaphores);
  run_.announce(*state.arrived, 0, device_, core_);
  semaphores.name = w.name + ".sent";
  state.sent = Memory::fresh(semaphores);
  run_.announce(*state.sent, 0, device_, core_);
  state.fetching.assign(w.slots, 0);
  state.sending.assign(w.slots, 0);
  state.sent_block.resize(w.slots);
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
