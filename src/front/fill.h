// SPDX-License-Identifier: Apache-2.0
// Arrays that nobody has to write a file for.
#pragma once

#include <string>

#include "millrace/array.h"

namespace millrace::front {

// "zeros"; "iota": 0, 1, 2, ... in row-major order; "normal:SEED": mean 0, deviation 1, the same bits on every machine
// (of integer types: rounded to the nearest). `number` tells the arrays of one run apart. Error(kUser) for any other.
Array filled(const std::string& how, std::uint64_t number, DType dtype, const Shape& shape);
void require_fill(const std::string& how);

}  // namespace millrace::front
