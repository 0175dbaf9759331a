// SPDX-License-Identifier: Apache-2.0
// Windows with explicit copies: the pipeline of the simulator (S5.1 to S5.3, machine/windows.cpp), its DMAs carried out
// by a thread. A block is fetched one step ahead, an output is sent when its block is left. And what is measured of it.
#include "machine/block.h"
#include "machine/copy.h"
#include "machine/untouched.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

using machine::Memory;
using machine::View;
using program::Instruction;
using program::Op;
using program::Window;

void Worker::bind_slots() {
  for (std::uint32_t index = 0; index < windows_.size(); ++index) {
    const Window& w = program_.windows[index];
    const program::MemorySlot& slot = program_.memories[w.memory];
    WindowState& state = windows_[index];
    while (state.slots.size() < w.slots) {
      state.buffers.emplace_back(bytes_of(w.block, machine::bytes_in_memory(slot.element)));
      state.slots.push_back(Memory::at(slot, state.buffers.back().data()));
    }
    for (const Bytes& b : state.buffers) machine::fill_with_poison(b.data(), b.size(), slot.element);
    state.fetching.assign(w.slots, 0), state.sending.assign(w.slots, 0);
    state.at = 0, state.holds = state.fetched_next = false;
    if (!memories_[w.memory]) memories_[w.memory] = Memory::at(slot, nullptr);
    memories_[w.memory]->move_to(state.buffers[0].data());
    show(w.memory);
  }
}

// The copy of a block, of what of it lies in the array; 0 where nothing does.
std::uint64_t Worker::move_block(std::uint32_t index, std::uint32_t slot, const std::vector<program::Slot>& block,
                                 bool out, const Instruction& i) {
  const Window& w = program_.windows[index];
  View array = machine::whole_of(*memories_[w.operand]), buffer = machine::whole_of(*windows_[index].slots[slot]);
  const machine::Covered covered = machine::narrow_to_block(
      w, [&](std::size_t d) { return block_start(w, d, block, i); }, array, buffer);
  const Bytes& bytes = windows_[index].buffers[slot];
  if (covered.cut && !out) machine::fill_with_poison(bytes.data(), bytes.size(), buffer.element);
  if (covered.empty) return 0;
  const Span span{out ? Span::Kind::kCopyOut : Span::Kind::kCopyIn, index, slot, step_, 0, 0, machine::bytes_of(array)};
  return out ? copies_->start(buffer, array, span) : copies_->start(array, buffer, span);
}

void Worker::await_copy(std::uint64_t& copy, std::uint32_t w, std::uint32_t slot) {
  if (copy > 0) copies_->await(copy, {Span::Kind::kWait, w, slot, step_, 0, 0, 0});
  copy = 0;
}

void Worker::fetch(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (i.small == 0) {
    if (!state.holds) state.fetching[state.at] = move_block(i.aux, state.at, w.current, false, i);
    state.holds = true;
    return;
  }
  state.fetched_next = moves_on(w);
  if (!state.fetched_next) return;
  const std::uint32_t slot = (state.at + 1) % w.slots;
  state.fetching[slot] = move_block(i.aux, slot, w.next, false, i);
}

void Worker::advance(const Instruction& i) {
  const Window& w = program_.windows[i.aux];
  WindowState& state = windows_[i.aux];
  if (!moves_on(w)) return;
  for (std::size_t d = 0; d < w.current.size(); ++d) frame_[w.current[d]] = frame_[w.next[d]];
  state.at = (state.at + 1) % w.slots;
  state.holds = std::exchange(state.fetched_next, false);
  memories_[w.memory]->move_to(state.buffers[state.at].data());
  show(w.memory);
  if (w.output && !w.reload) {
    const Bytes& bytes = state.buffers[state.at];
    machine::fill_with_poison(bytes.data(), bytes.size(), program_.memories[w.memory].element);
  }
}

// What the body did since it began, or since it last waited.
void Worker::note_body() {
  if (!in_body_) return;
  const std::int64_t now = copies_->now();
  copies_->note({Span::Kind::kBody, 0, 0, step_, body_began_, now, 0});
  body_began_ = now;
}

std::vector<Span> Worker::take_spans() {
  std::vector<Span> spans = copies_ ? copies_->take() : std::vector<Span>();
  for (Span& s : spans) s.core = seat_.device * program_.cores + seat_.core;
  return spans;
}

// False: the instruction has nothing to do with windows.
bool Worker::staged(const Instruction& i) {
  switch (i.op) {
    case Op::kWindowFetch: return fetch(i), true;
    case Op::kWindowAdvance: return advance(i), true;
    case Op::kStepBegin: in_body_ = true, body_began_ = copies_->now(); return true;
    case Op::kWindowAwait: {
      WindowState& state = windows_[i.aux];
      await_copy(state.fetching[state.at], i.aux, state.at);
      body_began_ = copies_->now();
      return true;
    }
    case Op::kStepEnd:
      note_body();
      in_body_ = false, ++step_;
      return true;
    case Op::kWindowSend: {
      const Window& w = program_.windows[i.aux];
      WindowState& state = windows_[i.aux];
      if ((frame_[i.a] & 1) == 0 || moves_on(w))
        state.sending[state.at] = move_block(i.aux, state.at, w.current, true, i);
      return true;
    }
    case Op::kWindowAwaitSent: {
      const Window& w = program_.windows[i.aux];
      WindowState& state = windows_[i.aux];
      if (i.small == 0 && ((frame_[i.a] & 1) == 0 || !moves_on(w))) return true;
      for (std::uint32_t s = 0; s < w.slots; ++s)
        if (i.small != 0 || w.reload || s == (state.at + 1) % w.slots) await_copy(state.sending[s], i.aux, s);
      return true;
    }
    default: return false;
  }
}

}  // namespace millrace::cpu
