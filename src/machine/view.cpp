// SPDX-License-Identifier: Apache-2.0
#include "machine/view.h"

#include <algorithm>

#include "machine/frame_box.h"
#include "mosaic/tiling.h"

namespace millrace::machine {

namespace {

std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

// A dimension that does not lie within its extent; widens `fit` to the worst seen.
void leaves(View& v, int d, std::int64_t extent, bool padding, Fit& fit) {
  const std::int64_t last = v.start[d] + v.size[d];
  if (v.start[d] < 0 || v.size[d] < 0 || last > (padding ? padded_extent(*v.memory, d) : extent)) {
    fit = Fit::kOutside;
    return;
  }
  v.inside[d] = std::clamp<std::int64_t>(extent - v.start[d], 0, v.size[d]);
  if (fit == Fit::kInside) fit = Fit::kPadding;
}

// The frame of a view: where the view that was cast begins; whether that one fits. Casts of casts are few.
bool enter(const program::Frame& f, Memory* memory, const std::uint64_t* frame, View& v) {
  View of;
  const bool inside = resolve(f.of, memory, frame, false, of) == Fit::kInside;
  v.base = first_element(of);
  v.strides = f.strides.data();
  v.parts = f.parts, v.part_stride = f.part_stride;
  v.split = f.split, v.split_dimension = f.split_dimension;
  return inside;
}

}  // namespace

std::int64_t padded_extent(const Memory& memory, int dimension) {
  const int rank = static_cast<int>(memory.shape.size());
  const std::int64_t extent = memory.shape[static_cast<std::size_t>(dimension)];
  if (rank < 2 || dimension < rank - 2) return extent;
  if (dimension == rank - 1) return round_up(extent, 128);
  const std::int64_t packing = memory.element == Element::kI4 ? 8 : 4 / static_cast<std::int64_t>(memory.element_bytes);
  return round_up(extent, mosaic::tile_rows(packing, extent));
}

Fit resolve(const program::ViewPlan& plan, Memory* memory, const std::uint64_t* frame, bool padding, View& v) {
  Fit fit = Fit::kInside;
  v.memory = memory;
  v.element = plan.element;
  v.rank = static_cast<int>(plan.dims.size());
  v.base = 0, v.parts = v.split = 1, v.strides = memory->strides.data();
  if (plan.frame) {
    if (!enter(*plan.frame, memory, frame, v)) fit = Fit::kOutside;
    padding = false;
  }
  padding = padding && memory->kind == event::MemoryKind::kHbm;
  const program::ViewDim* dim = plan.dims.data();
  for (int d = 0; d < v.rank; ++d, ++dim) {
    const std::int64_t start = evaluate(dim->start, frame);
    const std::int64_t size =
        dim->size_slot == program::kNoSlot ? dim->size : static_cast<std::int32_t>(frame[dim->size_slot]);
    v.start[d] = start, v.size[d] = v.inside[d] = size, v.step[d] = 1;
    if (start < 0 || size < 0 || start + size > dim->extent) leaves(v, d, dim->extent, padding, fit);
  }
  v.shown = static_cast<int>(std::min<std::size_t>(plan.shown.size(), event::kMaxRank));
  std::copy_n(plan.shown.data(), v.shown, v.dim);
  return fit;
}

Fit resolve(const program::MemoryAccess& access, Memory* memory, const std::uint64_t* frame, View& v) {
  Fit fit = resolve(access.view, memory, frame, false, v);
  for (int k = 0; k < v.shown; ++k) {
    const int d = v.dim[k];
    const std::int64_t within = evaluate(access.index[static_cast<std::size_t>(k)], frame);
    const std::int64_t room = v.size[d], wanted = access.shape[static_cast<std::size_t>(k)];
    v.step[d] = access.strides[static_cast<std::size_t>(k)];
    if (within < 0 || within + (wanted - 1) * v.step[d] + 1 > room) fit = Fit::kOutside;
    v.start[d] += within;
    v.size[d] = v.inside[d] = wanted;
  }
  return fit;
}

View whole_of(Memory& memory) {
  View v;
  v.memory = &memory;
  v.element = memory.element;
  v.strides = memory.strides.data();
  v.rank = v.shown = static_cast<int>(memory.shape.size());
  for (int d = 0; d < v.rank; ++d) {
    v.start[d] = 0, v.step[d] = 1, v.dim[d] = static_cast<std::uint8_t>(d);
    v.size[d] = v.inside[d] = memory.shape[static_cast<std::size_t>(d)];
  }
  return v;
}

event::End end_of(const View& view) {
  if (view.strides != view.memory->strides.data()) {
    std::vector<event::Box> boxes = boxes_in_memory(view);
    const event::Box first = boxes.front();
    boxes.erase(boxes.begin());
    return {view.memory->id, first, std::move(boxes)};
  }
  event::Box box;
  box.rank = view.rank;
  for (int d = 0; d < view.rank; ++d) {
    const std::int64_t step = std::max<std::int64_t>(view.step[d], 1), n = view.step[d] == 0 ? 1 : view.inside[d];
    box.ranges[static_cast<std::size_t>(d)] = {view.start[d],
                                               n == 0 ? view.start[d] : view.start[d] + (n - 1) * step + 1, step};
  }
  return {view.memory->id, box};
}

std::int64_t elements_of(const View& view) {
  std::int64_t count = 1;
  for (int k = 0; k < view.shown; ++k) count *= view.size[view.dim[k]];
  return count;
}

std::int64_t bytes_of(const View& view) {
  const std::int64_t count = elements_of(view);
  return view.memory->element == Element::kI4 ? (count + 1) / 2 : count * element_bytes(view);
}

std::int64_t first_element(const View& view) {
  std::int64_t at = view.base;
  for (int d = 0; d < view.rank; ++d)
    at += (view.split > 1 && d == view.split_dimension ? view.start[d] / view.split : view.start[d]) * view.strides[d];
  return at;
}

}  // namespace millrace::machine
