// SPDX-License-Identifier: Apache-2.0
// One copy for every move: an n-d box of elements from one strided place to another. Broadcast (stride 0), transpose,
// slice, concatenation and rotation differ only in their strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::tile {

// Dimensions that a tile may have. More is Error(kUnsupported).
inline constexpr std::size_t kMaxRank = 8;

// Row-major strides of `shape`, in elements.
std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> shape);

// Elements in `shape`; 1 for a scalar.
std::int64_t elements_in(std::span<const std::int64_t> shape);

// Copies the element at each index of `shape` from `in` to `out`; strides are in elements of 1, 2, 4 or 8 bytes. The
// two places must not overlap.
void copy_strided(std::span<const std::int64_t> shape, const void* in, std::span<const std::int64_t> in_strides,
                  void* out, std::span<const std::int64_t> out_strides, std::size_t element_bytes);

}  // namespace millrace::tile
