// SPDX-License-Identifier: Apache-2.0
// How far what a device computed may be from what the simulator computed.
#pragma once

#include <vector>

#include "millrace/array.h"

namespace millrace::front {

struct Tolerance {
  double rtol = 0, atol = 0;
};
// Exact for integers and bools, floats within a few units of their last place.
Tolerance device_tolerance(DType dtype);

struct Distance {
  double max_abs_error = 0;  // infinity where one side alone is NaN
  bool within = true;
};
// Both of one shape.
Distance distance_of(const Array& result, const Array& expected);

}  // namespace millrace::front
