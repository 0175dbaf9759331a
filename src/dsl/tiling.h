// SPDX-License-Identifier: Apache-2.0
// The tiles in which the hardware lays out an array, as pipelines round ragged copies up to.
#pragma once

#include "millrace/array.h"

namespace millrace::dsl {

// One number for each dimension: 1 for leading ones, 128 for the last, and 1 to 8 rows for the one before it, by the
// number of rows that there are. An array of rank 1 counts as rows of 128.
Shape tiling_of(DType dtype, const Shape& shape);

}  // namespace millrace::dsl
