// SPDX-License-Identifier: Apache-2.0
#include "machine/located.h"

#include <algorithm>

namespace millrace::machine {

namespace {

using program::Program;
using program::ViewPlan;
using Numbers = std::vector<std::int64_t>;

const program::MemorySlot& memory_of(const Program& program, std::uint32_t memory) {
  const program::MemorySlot& slot = program.memories[memory];
  return slot.same_as ? program.memories[*slot.same_as] : slot;
}

// A start along dimension d that must lie between 0 and `last`. False where it is known not to.
bool add_start(Located& l, const program::Sum& at, std::int64_t last, std::int64_t stride, std::size_t d) {
  if (last < 0) return false;
  if (!at.terms.empty()) {
    l.starts.push_back({at, last, stride, static_cast<std::uint8_t>(d)});
    return true;
  }
  if (at.constant < 0 || at.constant > last) return false;
  l.first += at.constant * stride;
  if (d < event::kMaxRank) l.box.ranges[d].begin += at.constant, l.box.ranges[d].end += at.constant;
  return true;
}

// Every step-th element from where the box begins, n of them.
void set_size(event::Box& box, std::size_t d, std::int64_t n, std::int64_t step) {
  Range& r = box.ranges[d];
  r = {r.begin, r.begin + (step == 0 ? 0 : (n - 1) * step) + 1, std::max<std::int64_t>(step, 1)};
}

// Adds where a view begins, and gives the strides of its dimensions. False where only the run knows, or an element of
// the view is not one of the memory's.
bool add_view(const Program& program, const ViewPlan& plan, Located& l, Numbers& strides) {
  if (plan.frame) {
    Numbers inner;
    if (plan.frame->parts != 1 || plan.frame->split != 1 || !add_view(program, plan.frame->of, l, inner)) return false;
    strides = plan.frame->strides;
  } else {
    const std::vector<std::int64_t>& shape = memory_of(program, plan.memory).shape;
    strides.assign(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  }
  for (std::size_t d = 0; d < plan.dims.size(); ++d) {
    const program::ViewDim& dim = plan.dims[d];
    if (dim.size_slot != program::kNoSlot || dim.size < 0) return false;
    if (!add_start(l, dim.start, dim.extent - dim.size, strides[d] * l.element_bytes, d)) return false;
  }
  return true;
}

// What a DMA semaphore counts.
std::int64_t counted(const Program& program, const Located& l) {
  const bool nibbles = memory_of(program, l.memory).element == Element::kI4;
  return nibbles ? (l.count + 1) / 2 : l.count * l.element_bytes;
}

}  // namespace

Located locate(const Program& program, const ViewPlan& plan) {
  const program::MemorySlot& memory = memory_of(program, plan.memory);
  const bool semaphore = memory.kind == event::MemoryKind::kSemaphore;
  Located l;
  l.memory = plan.memory;
  l.element_bytes = semaphore ? 1 : static_cast<std::int64_t>(bytes_or_none(memory.element));
  Numbers strides;
  if (l.element_bytes == 0 || !add_view(program, plan, l, strides)) return l;
  l.shown = plan.shown;
  l.boxed = !plan.frame && plan.dims.size() <= event::kMaxRank;
  l.box.rank = l.boxed ? static_cast<int>(plan.dims.size()) : 0;
  for (std::size_t d = 0; l.boxed && d < plan.dims.size(); ++d) set_size(l.box, d, plan.dims[d].size, 1);
  for (std::uint8_t d : plan.shown) {
    l.sizes.push_back(plan.dims[d].size);
    l.strides.push_back(strides[d] * l.element_bytes);
    l.count *= l.sizes.back();
  }
  l.known = l.count > 0;
  return l;
}

void view_of(const Located& located, std::int64_t first, Memory& memory, View& v) {
  v.memory = &memory;
  v.element = memory.element;
  v.base = 0, v.parts = v.split = 1, v.strides = memory.strides.data();
  v.rank = located.box.rank;
  std::int64_t place = first / located.element_bytes;
  for (std::size_t d = 0; d < static_cast<std::size_t>(v.rank); ++d) {
    const Range& r = located.box.ranges[d];
    v.start[d] = place / memory.strides[d], place %= memory.strides[d];
    v.step[d] = r.stride;
    v.size[d] = v.inside[d] = (r.end - r.begin - 1) / r.stride + 1;
  }
  v.shown = static_cast<int>(located.shown.size());
  std::copy(located.shown.begin(), located.shown.end(), v.dim);
}

LocatedAccess locate(const Program& program, const program::MemoryAccess& access, bool store) {
  LocatedAccess result;
  Located& l = result.at = locate(program, access.view);
  if (!l.known || access.masked) return l.known = false, result;
  l.count = 1;
  Numbers dense(access.shape.size());
  std::int64_t bytes = l.element_bytes;
  for (std::size_t k = access.shape.size(); k-- > 0;) {
    dense[k] = bytes, bytes *= access.shape[k];
    const std::int64_t span = (access.shape[k] - 1) * access.strides[k] + 1;
    l.known = l.known && add_start(l, access.index[k], l.sizes[k] - span, l.strides[k], l.shown[k]);
    if (l.boxed) set_size(l.box, l.shown[k], access.shape[k], access.strides[k]);
  }
  if (!l.known || bytes == 0) return l.known = false, result;
  Nest n;
  for (std::size_t k = 0; k < access.shape.size(); ++k) {
    const std::int64_t stride = l.strides[k] * access.strides[k];
    store ? n.add(access.shape[k], dense[k], stride) : n.add(access.shape[k], stride, dense[k]);
  }
  result.runs = Runs::of(n, l.element_bytes);
  result.bytes = bytes;
  result.dense = result.runs.loops.rank == 0;
  return result;
}

LocatedDma locate(const Program& program, const program::Dma& dma) {
  LocatedDma result;
  if (dma.sends || dma.device != program::kNoSlot || dma.core != program::kNoSlot) return result;
  Located &from = result.source = locate(program, dma.source), &to = result.target = locate(program, dma.target);
  result.semaphore = locate(program, dma.semaphore);
  result.known = from.known && to.known && result.semaphore.known && from.sizes == to.sizes &&
                 from.element_bytes == to.element_bytes;
  if (!result.known) return result;
  Nest n;
  for (std::size_t k = 0; k < from.sizes.size(); ++k) n.add(from.sizes[k], from.strides[k], to.strides[k]);
  result.runs = Runs::of(n, from.element_bytes);
  result.bytes = counted(program, to);
  return result;
}

LocatedWait locate(const Program& program, const program::DmaWait& wait) {
  LocatedWait result;
  const Located target = locate(program, wait.target);
  result.semaphore = locate(program, wait.semaphore);
  result.known = target.known && result.semaphore.known;
  if (result.known) result.bytes = counted(program, target);
  return result;
}

}  // namespace millrace::machine
