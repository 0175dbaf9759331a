// SPDX-License-Identifier: Apache-2.0
// Windows with direct movement: where a block lies within its array, the window is a view of it. Where it sticks out,
// or where its array must not see what the body does (plan.h), the window is a buffer, filled when its block is entered
// and written back when it is left.
#include "machine/block.h"
#include "machine/copy.h"
#include "machine/untouched.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

using machine::Memory;
using machine::View;
using program::Instruction;
using program::Window;

bool Worker::moves_on(const Window& w) const {
  for (std::size_t d = 0; d < w.current.size(); ++d)
    if (number(w.current[d]) != number(w.next[d])) return true;
  return false;
}

void Worker::bind_windows(const Instruction& i) {
  for (std::uint32_t w = 0; w < windows_.size(); ++w)
    if (!windows_[w].bound) bind_window(w, i);
}

std::int64_t Worker::block_start(const Window& w, std::size_t d, const std::vector<program::Slot>& asked,
                                 const Instruction& i) const {
  if (const auto start = machine::block_start(w, d, number(asked[d]))) return *start;
  stop("bounds.block", machine::no_such_block(w, d, number(asked[d])), i);
}

void Worker::bind_window(std::uint32_t index, const Instruction& i) {
  const Window& w = program_.windows[index];
  WindowState& state = windows_[index];
  const Memory& array = *memories_[w.operand];
  state.start.resize(w.block.size());
  bool within = plan_.shown[index] != Shown::kBuffer;
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < w.block.size(); ++d) {
    const std::int64_t start = state.start[d] = block_start(w, d, w.current, i);
    within &= start >= 0 && start + w.block[d] <= w.array[d];
    offset += start * array.strides[d];
  }
  const program::MemorySlot& slot = program_.memories[w.memory];
  if (!memories_[w.memory]) memories_[w.memory] = Memory::at(slot, nullptr);
  Memory& window = *memories_[w.memory];
  state.bound = true, state.in_buffer = !within;
  if (within) {
    window.strides = array.strides;
    window.move_to(memories_[w.operand]->write() + offset * static_cast<std::int64_t>(array.element_bytes));
    return show(w.memory);
  }
  const std::size_t size = static_cast<std::size_t>(window.count) * window.element_bytes;
  if (!state.buffer.data()) state.buffer = Bytes(size);
  for (std::size_t d = w.block.size(); d-- > 0;)
    window.strides[d] = d + 1 == w.block.size() ? 1 : window.strides[d + 1] * w.block[d + 1];
  window.move_to(state.buffer.data());
  machine::fill_with_poison(state.buffer.data(), size, slot.element);
  if (w.input || w.reload) copy_block(index, false);
  show(w.memory);
}

// The part of the block that lies in the array.
void Worker::copy_block(std::uint32_t index, bool out) {
  const Window& w = program_.windows[index];
  View array = machine::whole_of(*memories_[w.operand]), buffer = machine::whole_of(*memories_[w.memory]);
  const std::vector<std::int64_t>& starts = windows_[index].start;
  if (machine::narrow_to_block(
          w, [&](std::size_t d) { return starts[d]; }, array, buffer)
          .empty)
    return;
  if (out)
    machine::copy(buffer, array);
  else
    machine::copy(array, buffer);
}

void Worker::write_back(std::uint32_t w) {
  if (windows_[w].in_buffer) copy_block(w, true);
}

}  // namespace millrace::cpu
