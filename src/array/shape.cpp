// SPDX-License-Identifier: Apache-2.0
// Shapes: their text, their number of elements, and which of them are refused.
#include "array/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace millrace {

std::optional<std::size_t> negative_dimension(const Shape& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) return i;
  }
  return std::nullopt;
}

std::optional<std::int64_t> checked_count(const Shape& shape) {
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension == 0) {
      empty = true;
    } else if (dimension > kMaxElements / product) {
      return std::nullopt;
    } else {
      product *= dimension;
    }
  }
  return empty ? 0 : product;
}

std::int64_t element_count(const Shape& shape) {
  if (shape.size() > kMaxRank) {
    throw Error(ErrorCode::kUser,
                fmt::format("a shape of {} dimensions; arrays have at most {}", shape.size(), kMaxRank));
  }
  if (const auto i = negative_dimension(shape)) {
    throw Error(ErrorCode::kUser,
                fmt::format("shape {}: dimension {} is {}; dimensions are 0 or more", to_string(shape), *i, shape[*i]));
  }
  if (const auto count = checked_count(shape)) return *count;
  throw Error(ErrorCode::kUser, fmt::format("shape {} has more than 2^62 elements", to_string(shape)));
}

std::string to_string(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Shape position_of(std::int64_t flat, const Shape& shape) {
  Shape at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; flat /= shape[d]) at[d] = flat % shape[d];
  return at;
}

}  // namespace millrace
