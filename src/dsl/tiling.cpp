// SPDX-License-Identifier: Apache-2.0
#include "dsl/tiling.h"

#include <algorithm>

#include "dsl/types.h"

namespace millrace::dsl {
namespace {

constexpr std::int64_t kLanes = 128;
constexpr std::int64_t kSublanes = 8;

std::int64_t rows_of_tile(std::int64_t packing, std::int64_t rows, std::int64_t most) {
  std::int64_t tile = packing;
  while (tile < std::min(rows, most)) tile *= 2;
  return tile;
}

}  // namespace

Shape tiling_of(DType dtype, const Shape& shape) {
  std::int64_t packing = 4 / static_cast<std::int64_t>(size_of(stored_as(dtype)));
  Shape tiling(shape.size(), 1);
  if (shape.empty()) return tiling;
  if (shape.size() == 1) {
    std::int64_t rows = (shape[0] + kLanes - 1) / kLanes;
    tiling[0] = kLanes * rows_of_tile(packing, rows, std::max(kSublanes, packing));
    return tiling;
  }
  tiling.back() = kLanes;
  tiling[shape.size() - 2] = rows_of_tile(packing, shape[shape.size() - 2], kSublanes);
  return tiling;
}

}  // namespace millrace::dsl
