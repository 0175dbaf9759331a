// SPDX-License-Identifier: Apache-2.0
// The same work as plain loops, compiled with -O3, for the widest vectors the processor has up to AVX2: what a person
// writes who wants the numbers and no simulation. One thread.
#pragma once

#include <cstdint>

namespace millrace::bench::native {

void axpy(const float* x, const float* y, float* out, std::int64_t n);
// out += a b, all n x n, in blocks of 128, sums in f32. n is a multiple of 128.
void matmul(const float* a, const float* b, float* out, std::int64_t n);
// Attention of n queries to n keys of depth 128, in blocks of 128.
void flash(const float* q, const float* k, const float* v, float* out, std::int64_t n);

}  // namespace millrace::bench::native
