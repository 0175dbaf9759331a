// SPDX-License-Identifier: Apache-2.0
// What the recorder keeps of a DMA: between which memories, which block, which slots it fills and empties.
#include <algorithm>

#include "event/box_count.h"
#include "timing/lane_kinds.h"
#include "timing/recorder.h"

namespace millrace::timing {

using event::MemoryKind;

// By the shape of a slot, counted from the last dimension, where the box begins at a multiple of it; else by elements.
Block Recorder::block_of(const event::Box& array, const Region& buffer) const {
  Shape tile = buffer.shape;
  if (!buffer.slot && buffer.buffer != kNone && trace_.buffers[buffer.buffer].slots > 1) tile.erase(tile.begin());
  Block b;
  for (int d = 0; d < array.rank; ++d) {
    const Range& r = array.ranges[static_cast<std::size_t>(d)];
    const auto behind = static_cast<std::size_t>(array.rank - d);
    std::int64_t size = behind <= tile.size() ? tile[tile.size() - behind] : r.end - r.begin;
    if (size <= 0 || r.end - r.begin > size) size = std::max<std::int64_t>(r.end - r.begin, 1);
    b.elements |= r.begin % size != 0;
    b.at.push_back(r.begin / size);
  }
  for (int d = 0; b.elements && d < array.rank; ++d)
    b.at[static_cast<std::size_t>(d)] = array.ranges[static_cast<std::size_t>(d)].begin;
  return b;
}

Copy Recorder::copy_of(const event::DmaIssued& e, const Region& from, const Region& to) {
  Copy c;
  c.core = core_of(e.by);
  c.direction = direction_of(from.kind, to.kind, to.device != e.by.device);
  c.operand = c.direction == Direction::kStore ? to.name : from.name;
  std::int64_t elements = count_of(e.source.box);
  for (const event::Box& b : e.source.more) elements += count_of(b);
  c.bytes = elements * from.element_bytes;
  c.step = slots_[c.core].step;
  c.at = e.at;
  c.raises = semaphore(e.raises);
  if (e.sends) c.sends = semaphore(*e.sends);
  c.amount = e.bytes;
  c.window = e.window.has_value();
  const bool out = c.direction == Direction::kStore || c.direction == Direction::kSend;
  if (e.window)
    c.block = block({e.window->block, false});
  else if (c.direction != Direction::kLocal)
    c.block = block(block_of(out && to.kind == MemoryKind::kHbm ? e.target.box : e.source.box, out ? from : to));
  return c;
}

std::vector<Index> Recorder::fetch(const event::End& end, Index copy, Index block) {
  std::vector<Index> lives;
  const Region& r = *region(end.memory);
  if (r.buffer == kNone) return lives;
  for (const Index slot : slots_of(r, end.box, end.more)) {
    lives.push_back(life(r.buffer, slot, true));
    trace_.lives[lives.back()].fetched_by = copy;
    trace_.lives[lives.back()].block = block;
  }
  return lives;
}

std::vector<Index> Recorder::send(const event::End& end, Index copy) {
  std::vector<Index> lives;
  const Region& r = *region(end.memory);
  if (r.buffer == kNone) return lives;
  for (const Index slot : slots_of(r, end.box, end.more)) {
    lives.push_back(life(r.buffer, slot, false));
    Life& l = trace_.lives[lives.back()];
    l.stored_by = copy;
    if (l.block == kNone) l.block = trace_.copies[copy].block;
  }
  return lives;
}

void Recorder::on(const event::DmaIssued& e) {
  order_.issued(e);
  Region *from = region(e.source.memory), *to = region(e.target.memory);
  if (!from || !to || full()) return;
  const Index core = core_of(e.by);
  flush(core);  // so that what it computed before is before
  give_buffer(*from, core), give_buffer(*to, core_of(to->device, to->core));
  const auto index = static_cast<Index>(trace_.copies.size());
  trace_.copies.push_back(copy_of(e, *from, *to));
  const std::string operand = trace_.copies[index].operand;
  for (const Region* r : {from, to})
    if (r->buffer != kNone && trace_.buffers[r->buffer].operand.empty()) trace_.buffers[r->buffer].operand = operand;
  const Index block = trace_.copies[index].block;
  std::vector<Index> sent = send(e.source, index), fetched = fetch(e.target, index, block);
  Copy& c = trace_.copies[index];
  c.from = std::move(sent), c.into = std::move(fetched);
  act(core, {Act::kStart, e.at, index});
  c.action = static_cast<Index>(trace_.cores[core].actions.size() - 1);
  trace_.starts[{core, e.at, ""}].push_back(index);
  open_[e.raises].emplace_back(e.dma, index);
}

}  // namespace millrace::timing
