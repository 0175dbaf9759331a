// SPDX-License-Identifier: Apache-2.0
// Reshaped and cast views: the same elements of the memory under other coordinates (view_plan.h, Frame).
#include <fmt/format.h>

#include <optional>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;
using Numbers = std::vector<std::int64_t>;

constexpr int kDeepest = 32;

// How a view steps through its memory, by shown dimension; sizes must be known.
struct Steps {
  Numbers sizes, strides;
  std::int64_t parts = 1, part_stride = 0, split = 1;
};

Steps steps_of(Lowering& l, const ViewPlan& plan) {
  Steps s;
  Numbers strides(plan.dims.size(), 1);
  if (plan.frame) {
    if (plan.frame->split > 1)
      l.unsupported("reshaping or casting a view of elements narrower than the memory's is not supported");
    strides = plan.frame->strides;
    s.parts = plan.frame->parts, s.part_stride = plan.frame->part_stride;
  } else {
    for (std::size_t d = plan.dims.size(); d-- > 1;) strides[d - 1] = strides[d] * plan.dims[d].extent;
  }
  for (std::uint8_t d : plan.shown) {
    if (plan.dims[d].size_slot != kNoSlot)
      l.unsupported("reshaping or casting a view of a size known only at run time is not supported");
    s.sizes.push_back(plan.dims[d].size);
    s.strides.push_back(strides[d]);
  }
  return s;
}

// The strides that give the same elements in row-major order under another shape; none where no strides do.
std::optional<Numbers> reshaped(const Steps& from, const Numbers& shape) {
  Numbers sizes, strides, result(shape.size(), 1);
  for (std::size_t k = 0; k < from.sizes.size(); ++k)
    if (from.sizes[k] != 1) sizes.push_back(from.sizes[k]), strides.push_back(from.strides[k]);
  for (std::int64_t n : shape)
    if (n == 0) return result;
  std::size_t i = 0, k = 0;
  while (i < sizes.size()) {
    // The next dimensions of each side that hold equally many elements.
    std::size_t i_end = i + 1, k_end = k;
    std::int64_t old_count = sizes[i], new_count = 1;
    while (old_count != new_count) {
      if (new_count < old_count && k_end < shape.size())
        new_count *= shape[k_end++];
      else if (old_count < new_count && i_end < sizes.size())
        old_count *= sizes[i_end++];
      else
        return {};
    }
    for (std::size_t j = i; j + 1 < i_end; ++j)
      if (strides[j] != strides[j + 1] * sizes[j + 1]) return {};
    std::int64_t stride = strides[i_end - 1];
    for (std::size_t j = k_end; j-- > k;) result[j] = stride, stride *= shape[j];
    i = i_end, k = k_end;
  }
  return result;
}

void set_framed(Lowering& l, const mosaic::Op& o, ViewPlan of, Steps steps) {
  const Type& type = l.type_of(o.results[0]);
  auto frame = std::make_shared<Frame>();
  frame->depth = of.frame ? of.frame->depth + 1 : 1;
  if (frame->depth > kDeepest)
    l.unsupported(fmt::format("a view that is reshaped or cast more than {} times is not supported", kDeepest));
  if (type.shape.size() > event::kMaxRank)
    l.unsupported(
        fmt::format("a view of rank {} is not supported; the highest is {}", type.shape.size(), event::kMaxRank));
  ViewPlan plan = whole_view(of.memory, type);
  frame->strides = std::move(steps.strides);
  frame->parts = steps.parts, frame->part_stride = steps.part_stride;
  if (steps.split > 1)
    frame->split = steps.split, frame->split_dimension = static_cast<std::uint8_t>(plan.dims.size() - 2);
  frame->of = std::move(of);
  plan.frame = std::move(frame);
  l.set_view(o.results[0], std::move(plan));
}

// A row of wider elements holds several rows of the memory's: the first of them in the low bits.
void widen(Lowering& l, Steps& steps, std::int64_t ratio) {
  const std::size_t row = steps.strides.size() - 2;
  std::int64_t& stride = steps.strides[row];
  if (steps.parts > 1 && stride != steps.parts * steps.part_stride)
    l.unsupported("casting every so many rows of a cast view is not supported");
  if (steps.parts == 1) steps.part_stride = stride;
  steps.parts *= ratio;
  stride *= ratio;
}

// To narrower elements: back to the memory's, or to parts of them.
void narrow(Lowering& l, const mosaic::Op& o, Steps& steps, std::int64_t ratio) {
  const std::size_t row = steps.strides.size() - 2;
  if (steps.parts == 1) {
    steps.split = ratio;
    return;
  }
  if (steps.parts % ratio != 0 || (steps.sizes[row] > 1 && steps.strides[row] != steps.parts * steps.part_stride))
    l.unsupported(fmt::format("tpu.memref_bitcast of a cast view to still narrower elements ({}) is not supported",
                              to_string(l.type_of(o.results[0]))));
  steps.parts /= ratio;
  steps.strides[row] = steps.parts * steps.part_stride;
}

}  // namespace

void memref_reshape(Lowering& l, const mosaic::Op& o) {
  ViewPlan of = l.view_of(o.operands[0]);
  Steps steps = steps_of(l, of);
  auto strides = reshaped(steps, l.type_of(o.results[0]).shape);
  if (!strides)
    l.unsupported(
        fmt::format("tpu.memref_reshape of a view whose elements do not follow each other evenly ({} to {}) is "
                    "not supported",
                    to_string(l.type_of(o.operands[0])), to_string(l.type_of(o.results[0]))));
  steps.strides = std::move(*strides);
  set_framed(l, o, std::move(of), std::move(steps));
}

void memref_bitcast(Lowering& l, const mosaic::Op& o) {
  ViewPlan of = l.view_of(o.operands[0]);
  const Type &from = l.type_of(o.operands[0]), &to = l.type_of(o.results[0]);
  const auto from_bytes = static_cast<std::int64_t>(bytes_of(from.element)),
             to_bytes = static_cast<std::int64_t>(bytes_of(to.element));
  if (from.element != to.element && (from.element == Element::kI4 || to.element == Element::kI4))
    l.unsupported("tpu.memref_bitcast of i4 is not supported");
  if (from_bytes == to_bytes) {
    of.element = to.element;
    l.set_view(o.results[0], std::move(of));
    return;
  }
  Steps steps = steps_of(l, of);
  if (to_bytes > from_bytes)
    widen(l, steps, to_bytes / from_bytes);
  else
    narrow(l, o, steps, from_bytes / to_bytes);
  set_framed(l, o, std::move(of), std::move(steps));
}

}  // namespace millrace::program
