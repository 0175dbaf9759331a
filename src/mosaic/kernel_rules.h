// SPDX-License-Identifier: Apache-2.0
// What the kernel function's signature and attributes must agree on.
#pragma once

#include "mosaic/ir.h"

namespace millrace::mosaic {

// Error(kUser) at the function, or the operation, that breaks a rule: there is a kernel; grid rank =
// dimension_semantics = iteration_bounds = leading i32 arguments; windows, scalar prefetch and scratch add up to the
// other arguments; every transform returns one i32 for each dimension of its window; tpu.iteration_bound asks for a
// dimension of the grid.
void check_kernel(const Module& module);

}  // namespace millrace::mosaic
