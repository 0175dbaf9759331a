// SPDX-License-Identifier: Apache-2.0
// How a result is held against the oracle, and where two results first part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "millrace/array.h"
#include "plan/extent.h"

namespace millrace::lab {

inline constexpr double kRtol = 1e-6, kAtol = 1e-6;

struct Comparison {
  double max_abs_error = 0;                   // infinite where only one side is NaN or the infinities differ
  bool within_tolerance = true;               // |result - expected| <= atol + rtol * |expected|, NaN equal to NaN
  bool exact = true;                          // the same numbers, NaN equal to NaN, +0 apart from -0
  std::optional<std::int64_t> first_unequal;  // row-major
};

// Same shape and dtype; Error(kInternal) otherwise.
Comparison compare(const Array& result, const Array& expected);

// The first tile, in row-major order of tiles, in which two matrices of equal shape differ by a bit.
struct TileDifference {
  std::int64_t tile_row = 0, tile_column = 0;  // block index
  std::int64_t row = 0, column = 0;            // of its first differing element, in the matrix
};

std::optional<TileDifference> first_differing_tile(const Array& a, const Array& b, plan::Extent block);

}  // namespace millrace::lab
