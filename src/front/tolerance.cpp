// SPDX-License-Identifier: Apache-2.0
#include "front/tolerance.h"

#include <algorithm>
#include <cmath>

namespace millrace::front {

Tolerance device_tolerance(DType dtype) {
  switch (dtype) {
    case DType::f32: return {1e-5, 1e-6};
    case DType::bf16: return {1.0 / 64, 1.0 / 128};
    case DType::f16: return {1.0 / 256, 1.0 / 512};
    default: return {};
  }
}

Distance distance_of(const Array& result, const Array& expected) {
  const Tolerance tolerance = device_tolerance(expected.dtype());
  Distance d;
  for (std::int64_t i = 0; i < result.size(); ++i) {
    const double a = result.flat(i), b = expected.flat(i);
    if ((std::isnan(a) && std::isnan(b)) || a == b) continue;
    const double error = std::abs(a - b);
    if (!(error <= tolerance.atol + tolerance.rtol * std::abs(b))) d.within = false;
    d.max_abs_error = std::isnan(error) ? INFINITY : std::max(d.max_abs_error, error);
  }
  return d;
}

}  // namespace millrace::front
