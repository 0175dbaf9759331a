// SPDX-License-Identifier: Apache-2.0
// The window pipeline of a grid kernel, as the TPU compiler builds it (S5): a block is fetched one step ahead, only
// where it differs from the last; an output block is sent back when the next step leaves it.
#include <fmt/format.h>

#include <algorithm>

#include "machine/run.h"

namespace millrace::machine {

using program::Slot;
using program::Window;

bool Run::step_begin(const Instruction&) {
  ++outcome_.work.grid_steps;
  if (!tell_.anyone()) return true;
  std::vector<std::int64_t> index;
  for (Slot s : program_.grid_index) index.push_back(i32(s));
  tell_(event::StepBegan{0, index});
  return true;
}

bool Run::step_end(const Instruction&) {
  if (tell_.anyone()) tell_(event::StepEnded{0});
  return true;
}

// The next grid point, last dimension fastest.
bool Run::grid_next(const Instruction& i) {
  bool carry = true;
  for (std::size_t d = program_.grid.size(); d-- > 0;) {
    std::int64_t value = i32(program_.grid_index[d]) + (carry ? 1 : 0);
    carry = value == program_.grid[d];
    frame_[program_.grid_next[d]] = carry ? 0 : static_cast<std::uint64_t>(value);
  }
  frame_[i.dst] = !carry;
  return true;
}

bool Run::moves_on(const Window& w) const {
  for (std::size_t d = 0; d < w.current.size(); ++d)
    if (i32(w.current[d]) != i32(w.next[d])) return true;
  return false;
}

// Starts the move of a block between the array and a slot; the part beyond the array's edge stays where it is. Returns
// the bytes on their way.
std::int64_t Run::start_window_dma(std::uint32_t index, std::uint32_t slot, const std::vector<Slot>& block, bool out,
                                   event::PlaceId at) {
  const Window& w = program_.windows[index];
  WindowState& state = windows_[index];
  Transfer& t = transfers_.make();
  View &array = out ? t.target : t.source, &buffer = out ? t.source : t.target;
  array = whole_of(*memories_[w.operand]);
  buffer = whole_of(*state.buffers[slot]);
  bool cut = false;
  for (int d = 0; d < array.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const std::int64_t number = i32(block[k]), start = number * w.block[k];
    if (number < 0 || start >= w.array[k])
      throw Stop{{"bounds.block",
                  fmt::format("the index map of {} asks for block {} of dimension {}, which has {} blocks of {}",
                              w.name, number, d, (w.array[k] + w.block[k] - 1) / w.block[k], w.block[k]),
                  at}};
    array.start[d] = start;
    array.size[d] = array.inside[d] = buffer.size[d] = buffer.inside[d] = std::min(w.block[k], w.array[k] - start);
    cut |= array.size[d] < w.block[k];
  }
  Memory& staged = *state.buffers[slot];
  if (cut && !out)
    fill_with_poison(staged.write(), static_cast<std::size_t>(staged.count) * staged.element_bytes, staged.element);
  t.raises = {out ? state.sent.get() : state.arrived.get(), slot};
  const std::int64_t bytes = elements_of(array) * static_cast<std::int64_t>(staged.element_bytes);
  issue(true, at);
  return bytes;
}

bool Run::window_fetch(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (i.small == 0) {
    if (!state.holds) state.fetching[state.at] = start_window_dma(i.aux, state.at, w.current, false, i.place);
    state.holds = true;
    return true;
  }
  state.fetched_next = moves_on(w);
  if (!state.fetched_next) return true;
  const std::uint32_t slot = (state.at + 1) % w.slots;
  state.fetching[slot] = start_window_dma(i.aux, slot, w.next, false, i.place);
  return true;
}

bool Run::window_await(const Instruction& i) {
  WindowState& state = windows_[i.aux];
  const std::int64_t bytes = std::exchange(state.fetching[state.at], 0);
  return bytes == 0 || wait_for({state.arrived.get(), state.at}, bytes, i.place);
}

bool Run::window_send(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  const bool more = (frame_[i.a] & 1) != 0;
  if (more && !moves_on(w)) return true;
  state.sending[state.at] = start_window_dma(i.aux, state.at, w.current, true, i.place);
  return true;
}

bool Run::window_await_sent(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (i.small == 0 && ((frame_[i.a] & 1) == 0 || !moves_on(w))) return true;
  for (std::uint32_t s = 0; s < w.slots; ++s) {
    if (i.small == 0 && s != (state.at + 1) % w.slots) continue;
    const std::int64_t bytes = std::exchange(state.sending[s], 0);
    if (bytes > 0 && !wait_for({state.sent.get(), s}, bytes, i.place)) return false;
  }
  return true;
}

// Entering another block: what an output slot held before is gone.
bool Run::window_advance(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (!moves_on(w)) return true;
  for (std::size_t d = 0; d < w.current.size(); ++d) frame_[w.current[d]] = frame_[w.next[d]];
  state.at = (state.at + 1) % w.slots;
  state.holds = std::exchange(state.fetched_next, false);
  Memory& buffer = *state.buffers[state.at];
  memories_[w.memory] = &buffer;
  if (w.output)
    fill_with_poison(buffer.write(), static_cast<std::size_t>(buffer.count) * buffer.element_bytes, buffer.element);
  return true;
}

}  // namespace millrace::machine
