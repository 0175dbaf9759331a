// SPDX-License-Identifier: Apache-2.0
#include "dsl/tiling.h"

#include "dsl/types.h"
#include "mosaic/tiling.h"

namespace millrace::dsl {
namespace {

constexpr std::int64_t kLanes = 128;

}  // namespace

Shape tiling_of(DType dtype, const Shape& shape) {
  std::int64_t packing = 4 / static_cast<std::int64_t>(size_of(stored_as(dtype)));
  Shape tiling(shape.size(), 1);
  if (shape.empty()) return tiling;
  if (shape.size() == 1) {
    std::int64_t rows = (shape[0] + kLanes - 1) / kLanes;
    tiling[0] = kLanes * mosaic::tile_rows(packing, rows);
    return tiling;
  }
  tiling.back() = kLanes;
  tiling[shape.size() - 2] = mosaic::tile_rows(packing, shape[shape.size() - 2]);
  return tiling;
}

}  // namespace millrace::dsl
