// SPDX-License-Identifier: Apache-2.0
#include "dsl/blocks.h"

#include <algorithm>

#include <fmt/format.h>

namespace millrace {

BlockSpec BlockSpec::whole(Space space, Site at) {
  BlockSpec spec(at);
  spec.space = space;
  return spec;
}

BlockSpec BlockSpec::in_place(Site at) { return whole(Space::kHbm, at); }

BlockSpec BlockSpec::in(Space window) const {
  BlockSpec spec = *this;
  spec.space = window;
  return spec;
}

namespace dsl {

std::string operand_name(std::size_t i, std::size_t inputs) {
  return i < inputs ? fmt::format("input {}", i) : fmt::format("output {}", i - inputs);
}

Shape block_shape(const BlockSpec& spec, const Shape& array, const std::string& who) {
  if (!spec.shape) return array;
  Shape block = *spec.shape;
  std::replace(block.begin(), block.end(), kSqueezed, std::int64_t{1});
  if (block.size() != array.size()) {
    fail(spec.at, fmt::format("the block {} of {} has rank {}; the array {} has rank {}", to_string(block), who,
                              block.size(), to_string(array), array.size()));
  }
  for (std::size_t d = 0; d < block.size(); ++d) {
    if (block[d] >= 1 && block[d] <= array[d]) continue;
    fail(spec.at, fmt::format("the block {} of {} does not fit the array {}: axis {} takes 1 to {}", to_string(block),
                              who, to_string(array), d, array[d]));
  }
  return block;
}

bool is_squeezed(const BlockSpec& spec, std::size_t axis) { return spec.shape && (*spec.shape)[axis] == kSqueezed; }

Shape window_shape(const BlockSpec& spec, const Shape& block) {
  Shape seen;
  for (std::size_t axis = 0; axis < block.size(); ++axis) {
    if (!is_squeezed(spec, axis)) seen.push_back(block[axis]);
  }
  return seen;
}

Ref squeezed(const BlockSpec& spec, const Ref& block) {
  const Shape& shape = block.shape();
  std::vector<Extent> extents;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    extents.push_back({0, shape[axis], {}, is_squeezed(spec, axis)});
  }
  return Ref(std::make_shared<View>(unchecked_part(block.view(), std::vector<Index>(shape.size(), 0), extents)));
}

std::vector<Index> block_at(const BlockSpec& spec, const std::vector<Index>& point, const std::vector<Ref>& scalars,
                            std::size_t rank, const std::string& who) {
  if (!spec.map.call) return std::vector<Index>(rank, 0);
  if (spec.map.indices != point.size()) {
    fail(spec.at, fmt::format("the index map of {} takes {} indices; the grid has {} axes", who, spec.map.indices,
                              point.size()));
  }
  if (spec.map.refs != 0 && spec.map.refs != scalars.size()) {
    fail(spec.at, fmt::format("the index map of {} takes {} Refs after its indices; there are {} prefetched operands",
                              who, spec.map.refs, scalars.size()));
  }
  std::vector<Index> places = spec.map.call(point, scalars).places;
  if (places.size() != rank) {
    fail(spec.at, fmt::format("index map of {} returns {} numbers for a block of rank {}", who, places.size(), rank));
  }
  for (const Index& i : places) {
    auto known = i.node().constant;
    if (known && *known < 0) fail(spec.at, fmt::format("index map of {} returns {}; blocks count from 0", who, *known));
  }
  return places;
}

}  // namespace dsl
}  // namespace millrace
