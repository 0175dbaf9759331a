// SPDX-License-Identifier: Apache-2.0
// The window pipeline of a grid kernel, as the TPU compiler builds it (S5): a block is fetched one step ahead, only
// where it differs from the last; an output block is sent back when the next step leaves it.
#include <fmt/format.h>

#include <algorithm>

#include "machine/block.h"
#include "machine/run.h"

namespace millrace::machine {

using program::Slot;
using program::Window;

bool Core::step_begin(const Instruction&) {
  ++run_.outcome.work.grid_steps;
  if (!tell_.anyone()) return true;
  const std::vector<std::int64_t> index = numbers(program_.grid_index);
  tell_(event::StepBegan{self(), index});
  tell_entered();
  return true;
}

void Core::tell_entered() {
  for (std::uint32_t index = 0; index < windows_.size(); ++index) {
    if (!std::exchange(windows_[index].entered, false)) continue;
    tell_(event::WindowEntered{self(), index, windows_[index].at, numbers(program_.windows[index].current)});
  }
}

std::vector<std::int64_t> Core::numbers(const std::vector<Slot>& block) const {
  std::vector<std::int64_t> result;
  for (Slot s : block) result.push_back(i32(s));
  return result;
}

bool Core::step_end(const Instruction&) {
  if (tell_.anyone()) tell_(event::StepEnded{self()});
  return true;
}

bool Core::moves_on(const Window& w) const {
  for (std::size_t d = 0; d < w.current.size(); ++d)
    if (i32(w.current[d]) != i32(w.next[d])) return true;
  return false;
}

void Core::no_such_block(const Window& w, const std::vector<Slot>& block, std::string message,
                         event::PlaceId at) const {
  Fault fault{"bounds.block", std::move(message), at, w.name};
  fault.block = numbers(block);
  fault.grid_step = numbers(&block == &w.next ? program_.grid_next : program_.grid_index);
  for (std::size_t d = 0; d < w.block.size() && !w.elements; ++d)
    fault.blocks.push_back((w.array[d] + w.block[d] - 1) / std::max<std::int64_t>(w.block[d], 1));
  throw Stop{std::move(fault)};
}

std::int64_t Core::block_start(const Window& w, std::size_t d, const std::vector<Slot>& asked,
                               event::PlaceId at) const {
  if (const auto start = machine::block_start(w, d, i32(asked[d]))) return *start;
  no_such_block(w, asked, machine::no_such_block(w, d, i32(asked[d])), at);
}

// Starts the move of a block between the array and a slot; the part beyond the array's edge stays where it is. Returns
// the bytes on their way: none where no element of the block lies in the array.
std::int64_t Core::start_window_dma(std::uint32_t index, std::uint32_t slot, const std::vector<Slot>& block, bool out,
                                    event::PlaceId at) {
  const Window& w = program_.windows[index];
  WindowState& state = windows_[index];
  Transfer& t = transfers_.make();
  View &array = out ? t.target : t.source, &buffer = out ? t.source : t.target;
  array = whole_of(*memories_[w.operand]);
  buffer = whole_of(*state.buffers[slot]);
  const Covered covered = narrow_to_block(
      w, [&](std::size_t d) { return block_start(w, d, block, at); }, array, buffer);
  Memory& staged = *state.buffers[slot];
  if (covered.cut && !out) staged.poison(shadow::kPadding);
  if (covered.empty) return 0;
  t.raises = {out ? state.sent.get() : state.arrived.get(), slot};
  t.sends = {};
  const std::int64_t bytes = bytes_of(array);
  std::optional<event::WindowMove> move;
  if (tell_.anyone()) move = event::WindowMove{index, slot, numbers(block), out};
  issue(std::move(move), at);
  return bytes;
}

bool Core::window_fetch(const Instruction& i) {
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

bool Core::window_await(const Instruction& i) {
  WindowState& state = windows_[i.aux];
  return await_bytes(state.arrived, state.at, state.fetching[state.at], i.place);
}

bool Core::await_bytes(const std::unique_ptr<Memory>& semaphores, std::uint32_t slot, std::int64_t& bytes,
                       event::PlaceId at) {
  if (bytes > 0 && !wait_for({semaphores.get(), slot}, bytes, at)) return false;
  bytes = 0;
  return true;
}

bool Core::window_send(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  const bool more = (frame_[i.a] & 1) != 0;
  if (more && !moves_on(w)) return true;
  state.sending[state.at] = start_window_dma(i.aux, state.at, w.current, true, i.place);
  if (w.reload) state.sent_block[state.at] = numbers(w.current);
  return true;
}

// Whether the next block takes elements that a slot's last block has sent, as far as the one or the other is known.
bool Core::next_takes_sent(const Window& w, const std::vector<std::int64_t>& sent) const {
  if (sent.size() != w.next.size()) return true;
  for (std::size_t d = 0; d < sent.size(); ++d) {
    const auto next = machine::block_start(w, d, i32(w.next[d])), before = machine::block_start(w, d, sent[d]);
    if (next && before && (*next >= *before + w.block[d] || *before >= *next + w.block[d])) return false;
  }
  return true;
}

bool Core::window_await_sent(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (i.small == 0 && ((frame_[i.a] & 1) == 0 || !moves_on(w))) return true;
  for (std::uint32_t s = 0; s < w.slots; ++s) {
    const bool reused = s == (state.at + 1) % w.slots;
    if (i.small == 0 && !reused && !(w.reload && next_takes_sent(w, state.sent_block[s]))) continue;
    if (!await_bytes(state.sent, s, state.sending[s], i.place)) return false;
  }
  return true;
}

// Entering another block: what an output slot held before is gone, unless the array's data replaces it.
bool Core::window_advance(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (!moves_on(w)) return true;
  for (std::size_t d = 0; d < w.current.size(); ++d) frame_[w.current[d]] = frame_[w.next[d]];
  state.at = (state.at + 1) % w.slots;
  state.entered = true;
  state.holds = std::exchange(state.fetched_next, false);
  Memory& buffer = *state.buffers[state.at];
  memories_[w.memory] = &buffer;
  if (w.output && !w.reload) buffer.poison(shadow::kUnwritten);
  return true;
}

}  // namespace millrace::machine
