// SPDX-License-Identifier: Apache-2.0
#include "dsl/pipeline_operand.h"

#include <fmt/format.h>

#include "dsl/arith.h"
#include "dsl/attributes.h"
#include "dsl/tiling.h"

namespace millrace::dsl {
namespace {

const char* name_of(Space space) { return space == Space::kHbm ? "HBM" : space == Space::kVmem ? "VMEM" : "SMEM"; }

std::int64_t checked_slots(const PipelineOperand& o) {
  std::int64_t count = o.spec.buffered.value_or(Buffered{}).count;
  if (count < 1) fail(o.spec.at, fmt::format("{} asks for {} buffers; it needs at least 1", o.name, count));
  if (o.output && count > 2) {
    fail(o.spec.at, fmt::format("{} asks for {} buffers; outputs have at most 2 (an output is awaited one step after "
                                "it was sent)",
                                o.name, count));
  }
  if (o.spec.buffered && o.spec.buffered->lookahead) {
    if (o.output) fail(o.spec.at, fmt::format("{} asks for lookahead, which only inputs have", o.name));
    if (count < 2) {
      fail(o.spec.at, fmt::format("{} asks for lookahead with {} buffer; it needs at least 2", o.name, count));
    }
  }
  return count;
}

// Where a dimension of the view is cut from a longer one, there is no padding behind its end.
bool ends_with_array(const View& v, std::size_t axis) {
  for (std::size_t d = 0; d < v.extents.size(); ++d) {
    if (v.extents[d].dropped) continue;
    if (axis-- == 0) return v.extents[d].offset.node().constant == 0 && v.extents[d].size == v.type.shape[d];
  }
  return false;
}

PipelineOperand::Ragged ragged_of(const PipelineOperand& o, std::size_t axis, std::int64_t tile) {
  std::int64_t length = o.array.shape()[axis], block = o.block[axis];
  std::int64_t rest = length % block;
  if (rest == 0 || length == block) return {};
  if (o.delivery == Delivery::kPassed) {
    fail(o.spec.at, fmt::format("{} lies in {} already, so its blocks are slices of it, but {} along axis {} is no "
                                "multiple of {}",
                                o.name, name_of(o.spec.space), length, axis, block));
  }
  if (block % tile != 0) {
    fail(o.spec.at, fmt::format("{}: the array's {} along axis {} is no multiple of the block's {}; ragged blocks are "
                                "copied in tiles, so the block must be a multiple of {} there",
                                o.name, length, axis, block, tile));
  }
  std::int64_t size = (rest + tile - 1) / tile * tile;
  if (size != rest && !ends_with_array(o.array.view(), axis)) {
    fail(o.spec.at, fmt::format("{} is a slice, and its last block along axis {} would be copied up to a tile of {}, "
                                "beyond the slice; take a multiple of {}",
                                o.name, axis, tile, tile));
  }
  return {length / block, size == block ? 0 : size, tile};
}

Extent extent_of(Tracer& t, const PipelineOperand& o, std::size_t axis, const Index& place) {
  const auto& ragged = o.ragged[axis];
  std::int64_t block = o.block[axis];
  if (ragged.size == 0) return {0, block};
  Site at = Site::current();  // replaced by the pipeline's own
  Node is_last = compare(Compare::kEq, place.node(), known(DType::i32, ragged.last), at);
  Node size = select_node(is_last, known(DType::i32, ragged.size), known(DType::i32, block), at);
  if (size.constant) return {0, *size.constant};
  if (ragged.tile > 1) {
    auto id = t.emit("tpu.assume_multiple", {t.use(size, at)}, {{"multiple", integer(ragged.tile)}},
                     type_of(DType::i32, {}), at);
    size = t.node(id, DType::i32, {});
  }
  return {0, block, Index(size)};
}

std::vector<Index> starts_of(const PipelineOperand& o, const std::vector<Index>& block) {
  std::vector<Index> starts;
  for (std::size_t axis = 0; axis < block.size(); ++axis) starts.push_back(block[axis] * o.block[axis]);
  return starts;
}

}  // namespace

PipelineOperand make_operand(const BlockSpec& spec, const Ref& array, bool output, const std::string& name,
                             const std::function<bool(const Shape& block)>& constant_map) {
  PipelineOperand o{name, output, spec, array, block_shape(spec, array.shape(), name), Delivery::kBuffered,
                    2,    {},     {},   {}};
  o.slots = checked_slots(o);
  if (o.block.empty()) fail(spec.at, fmt::format("{} is a scalar; a pipeline takes arrays", name));
  if (array.space() == spec.space) {
    o.delivery = Delivery::kPassed;
  } else if (spec.space == Space::kHbm) {
    fail(spec.at, fmt::format("{} lies in {}; it cannot be seen in place in HBM", name, name_of(array.space())));
  } else if (!spec.buffered && o.block == array.shape() && constant_map(o.block)) {
    o.delivery = Delivery::kOnce;
    o.slots = 1;
  }
  if (o.is_copied() && spec.space == Space::kVmem && window_shape(spec, o.block).empty()) {
    fail(spec.at, fmt::format("{} is squeezed to a scalar; VMEM holds vectors, so take .in(Space::kSmem)", name));
  }
  Shape tiling = tiling_of(array.dtype(), array.shape());
  for (std::size_t axis = 0; axis < o.block.size(); ++axis) o.ragged.push_back(ragged_of(o, axis, tiling[axis]));
  return o;
}

void see_in_place(std::vector<PipelineOperand>& operands) {
  const auto array_of = [](const PipelineOperand& o) { return o.array.view().base.id; };
  for (PipelineOperand& o : operands) {
    bool fits = o.is_copied() && o.array.space() == Space::kHbm && o.spec.space == Space::kVmem;
    for (std::size_t d = 0; d < o.block.size(); ++d) fits = fits && o.array.shape()[d] % o.block[d] == 0;
    for (const PipelineOperand& other : operands) fits = fits && (&other == &o || array_of(other) != array_of(o));
    if (fits) o.delivery = Delivery::kPassed;
  }
}

Ref window(const PipelineOperand& o, const Index& slot) {
  const View& all = o.windows->view();
  std::vector<Index> starts(all.shape.size(), 0);
  std::vector<Extent> extents;
  for (auto n : all.shape) extents.push_back({0, n});
  starts.front() = slot;
  extents.front() = {0, 1, {}, true};
  return Ref(std::make_shared<View>(unchecked_part(all, starts, extents)));
}

Ref passed_block(const PipelineOperand& o, const std::vector<Index>& block) {
  Ref whole = part(o.array, starts_of(o, block), o.block, o.name.c_str(), o.spec.at);
  View seen = whole.view();
  seen.space = o.spec.space;  // what the body may do with it
  whole = Ref(std::make_shared<View>(std::move(seen)));
  return o.spec.shape ? squeezed(o.spec, whole) : whole;
}

CopyEnds copy_ends(Tracer& t, const PipelineOperand& o, const std::vector<Index>& block, const Index& slot) {
  std::vector<Extent> array, seen;
  for (std::size_t axis = 0; axis < block.size(); ++axis) {
    Extent e = extent_of(t, o, axis, block[axis]);
    e.dropped = is_squeezed(o.spec, axis);
    if (!e.dropped) seen.push_back(e);
    array.push_back(std::move(e));
  }
  Ref whole = window(o, slot);
  SemaphoreView done = o.arrived->view();
  done.places = {slot};
  done.shape.clear();
  return {unchecked_part(o.array.view(), starts_of(o, block), array),
          unchecked_part(whole.view(), std::vector<Index>(seen.size(), 0), seen), done};
}

}  // namespace millrace::dsl
