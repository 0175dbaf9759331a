// SPDX-License-Identifier: Apache-2.0
#include "lab/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "millrace/error.h"

namespace millrace::lab {
namespace {

void require_comparable(const Array& a, const Array& b) {
  if (a.shape() == b.shape() && a.dtype() == b.dtype()) return;
  throw Error(ErrorCode::kInternal, fmt::format("compared {} {} with {} {}", name_of(a.dtype()), to_string(a.shape()),
                                                name_of(b.dtype()), to_string(b.shape())));
}

bool equal_bits(const Array& a, const Array& b, std::int64_t i) {
  const std::size_t width = size_of(a.dtype()), at = static_cast<std::size_t>(i) * width;
  return std::memcmp(a.data() + at, b.data() + at, width) == 0;
}

// The first element of [top, bottom) x [left, right) that differs by a bit.
std::optional<std::pair<std::int64_t, std::int64_t>> first_within(const Array& a, const Array& b, std::int64_t top,
                                                                  std::int64_t bottom, std::int64_t left,
                                                                  std::int64_t right) {
  const std::int64_t columns = a.shape()[1];
  for (std::int64_t r = top; r < bottom; ++r) {
    for (std::int64_t c = left; c < right; ++c) {
      if (!equal_bits(a, b, r * columns + c)) return std::pair(r, c);
    }
  }
  return std::nullopt;
}

double distance(double a, double b) {
  if (a == b) return 0;  // equal infinities too, whose difference is NaN
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

}  // namespace

Comparison compare(const Array& result, const Array& expected) {
  require_comparable(result, expected);
  Comparison c;
  for (std::int64_t i = 0; i < result.size(); ++i) {
    if (equal_bits(result, expected, i)) continue;
    const double r = result.flat(i), e = expected.flat(i);
    if (std::isnan(r) && std::isnan(e)) continue;
    const double d = distance(r, e);
    c.exact = false;
    if (!c.first_unequal) c.first_unequal = i;
    c.max_abs_error = std::max(c.max_abs_error, d);
    if (d != 0 && (!std::isfinite(d) || d > kAtol + kRtol * std::abs(e))) c.within_tolerance = false;
  }
  return c;
}

std::optional<TileDifference> first_differing_tile(const Array& a, const Array& b, plan::Extent block) {
  require_comparable(a, b);
  const std::int64_t rows = a.shape()[0], columns = a.shape()[1];
  for (std::int64_t top = 0; top < rows; top += block.rows) {
    for (std::int64_t left = 0; left < columns; left += block.columns) {
      const auto at =
          first_within(a, b, top, std::min(rows, top + block.rows), left, std::min(columns, left + block.columns));
      if (at) return TileDifference{top / block.rows, left / block.columns, at->first, at->second};
    }
  }
  return std::nullopt;
}

}  // namespace millrace::lab
