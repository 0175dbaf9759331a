// SPDX-License-Identifier: Apache-2.0
// What matmul.h is made of besides the library: packing, and the loops that stand in where there is none.
#pragma once

#include "target/cpu/matmul.h"

namespace millrace::target {

// `rows` rows of `columns` elements as f32, one after the other, rounded or widened as view.packing says. Not
// transposed: as they lie in memory.
void pack(const MatrixView& view, std::int64_t rows, std::int64_t columns, float* to);

// As matmul, of f32 operands whose packing is kF32.
void matmul_by_loops(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b, float* c,
                     std::int64_t c_stride, bool accumulate);

}  // namespace millrace::target
