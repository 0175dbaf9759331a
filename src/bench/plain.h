// SPDX-License-Identifier: Apache-2.0
// The kernels of `millrace bench cpu` as plain C++ loops: what a person writes who wants the numbers, compiled with -O3
// for x86-64-v4, v3 or any x86-64, whichever the CPU has (GCC's function clones; other compilers: for any). Each does
// some of the rows; who wants several threads calls it for several parts.
#pragma once

#include <cstdint>

namespace millrace::bench::plain {

void axpy(const float* x, const float* y, float* out, std::int64_t n);  // 2x + y
// The same of bf16: widened, rounded once to nearest even (2x is exact).
void axpy(const std::uint16_t* x, const std::uint16_t* y, std::uint16_t* out, std::int64_t n);
// max(x + bias, 0) of (rows, columns); bias is a row.
void bias_relu(const float* x, const float* bias, float* out, std::int64_t rows, std::int64_t columns);
void softmax(const float* x, float* out, std::int64_t rows, std::int64_t columns);  // of each row
// (x - mean) / sqrt(variance + 1e-5) * scale + shift, over each row.
void layernorm(const float* x, const float* scale, const float* shift, float* out, std::int64_t rows,
               std::int64_t columns);
// out (m, n) = a (m, k) b (k, n).
void matmul(const float* a, const float* b, float* out, std::int64_t m, std::int64_t n, std::int64_t k);
// softmax(q k^T) v of (rows, depth) queries and (keys, depth) keys and values.
void attention(const float* q, const float* k, const float* v, float* out, std::int64_t rows, std::int64_t keys,
               std::int64_t depth);

}  // namespace millrace::bench::plain
