// SPDX-License-Identifier: Apache-2.0
// The tiles in which arrays lie (docs/semantics.md, S2.7).
#pragma once

#include <algorithm>
#include <cstdint>

namespace millrace::mosaic {

// Rows of the tiles of an array with this many: `packing`, the elements that share 32 bits, doubled until the rows, or
// 8, are covered.
inline std::int64_t tile_rows(std::int64_t packing, std::int64_t rows) {
  std::int64_t tile = packing;
  while (tile < std::min<std::int64_t>(rows, 8)) tile *= 2;
  return tile;
}

}  // namespace millrace::mosaic
