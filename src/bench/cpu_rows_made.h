// SPDX-License-Identifier: Apache-2.0
// The rows of cpu_rows.h, made one by one, and what they are made with.
#pragma once

#include "bench/cpu_rows.h"

namespace millrace::bench {

// Passing over memory (cpu_streams.cpp). Blocks of so many rows of `shape`.
CpuRow axpy_row(DType dtype, const Shape& shape, std::int64_t block_rows);
CpuRow bias_relu_row(const Shape& shape, std::int64_t block_rows);
CpuRow softmax_row(const Shape& shape, std::int64_t block_rows);
CpuRow layernorm_row(const Shape& shape, std::int64_t block_rows);
// Multiply-adds (cpu_products.cpp). f32 with all its bits; n and the lengths are multiples of the blocks.
CpuRow matmul_row(std::int64_t n, std::int64_t block);
CpuRow attention_row(std::int64_t length, std::int64_t depth, std::int64_t query_block, std::int64_t key_block);

// Numbers in [-scale, scale), none of them 0 or subnormal, always the same.
Array spread_numbers(DType dtype, const Shape& shape, std::uint32_t seed, double scale = 1);

inline const float* f32s(const Array& a) { return a.as<float>().data(); }
inline float* f32s(Array& a) { return a.as<float>().data(); }

// Each thread does some of the rows: part(first row, how many).
template <class F>
void by_rows(target::Together& threads, std::int64_t rows, const F& part) {
  threads.run([&](int i) {
    const auto [first, last] = target::part_of(static_cast<std::size_t>(rows), i, threads.threads());
    if (last > first) part(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last - first));
  });
}

}  // namespace millrace::bench
