// SPDX-License-Identifier: Apache-2.0
// How many elements a shape has, for those who word their own refusals.
#pragma once

#include <optional>

#include "millrace/array.h"

namespace millrace {

inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 62;

// The first negative dimension, if there is one.
std::optional<std::size_t> negative_dimension(const Shape& shape);

// The number of elements; nothing where the product of the dimensions that are not 0 exceeds 2^62, so that row
// strides are safe as well. No dimension may be negative.
std::optional<std::int64_t> checked_count(const Shape& shape);

// Where the element at this place in row-major order stands, an index a dimension.
Shape position_of(std::int64_t flat, const Shape& shape);

}  // namespace millrace
