// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/cpu_rows_made.h"
#include "bench/kernels.h"
#include "bench/plain.h"
#include "target/cpu/matmul.h"

namespace millrace::bench {

namespace {

using target::Together;
using Arrays = std::vector<Array>;

// Row i of a (rows, k) b (k, n) in double.
void product_row(const float* a, const float* b, std::int64_t i, std::int64_t k, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const auto n = static_cast<std::int64_t>(out.size());
  for (std::int64_t l = 0; l < k; ++l)
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(j)] += double(a[i * k + l]) * double(b[l * n + j]);
}

}  // namespace

CpuRow matmul_row(std::int64_t n, std::int64_t block) {
  CpuRow row{"",
             fmt::format("matmul {0}x{0}x{0}, f32, blocks of {1}", n, block),
             matmul_kernel(n, block, {Dimension::kParallel, Dimension::kParallel, Dimension::kArbitrary}),
             {spread_numbers(f32, {n, n}, 11), spread_numbers(f32, {n, n}, 12)},
             Array::unset(f32, {n, n})};
  const double size = static_cast<double>(n);
  row.flops = 2 * size * size * size;
  row.plain = [n](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, n, [&](std::int64_t first, std::int64_t count) {
      plain::matmul(f32s(in[0]) + first * n, f32s(in[1]), f32s(out) + first * n, count, n, n);
    });
  };
  row.library = [n](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, n, [&](std::int64_t first, std::int64_t count) {
      target::matmul(count, n, n, {f32s(in[0]) + first * n, n}, {f32s(in[1]), n}, f32s(out) + first * n, n, false);
    });
  };
  row.oracle = [a = row.inputs[0], b = row.inputs[1], n](std::int64_t i, std::span<double> out) {
    product_row(f32s(a), f32s(b), i, n, out);
  };
  row.oracle_rows = 12;
  row.rtol = 1e-5, row.atol = 2e-7 * size;
  return row;
}

CpuRow attention_row(std::int64_t length, std::int64_t depth, std::int64_t query_block, std::int64_t key_block) {
  CpuRow row{"",
             fmt::format("attention of {} queries to as many keys of depth {}, f32, blocks of {} and {}", length, depth,
                         query_block, key_block),
             attention_kernel("attention", {length, depth, query_block, key_block},
                              {Dimension::kParallel, Dimension::kArbitrary}),
             {spread_numbers(f32, {length, depth}, 13), spread_numbers(f32, {length, depth}, 14),
              spread_numbers(f32, {length, depth}, 15)},
             Array::unset(f32, {length, depth})};
  row.flops = 4.0 * static_cast<double>(length) * static_cast<double>(length) * static_cast<double>(depth);
  row.plain = [length, depth](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, length, [&](std::int64_t first, std::int64_t count) {
      plain::attention(f32s(in[0]) + first * depth, f32s(in[1]), f32s(in[2]), f32s(out) + first * depth, count, length,
                       depth);
    });
  };
  row.oracle = [in = row.inputs, length, depth](std::int64_t i, std::span<double> out) {
    std::vector<double> weights(static_cast<std::size_t>(length));
    double sum = 0;
    for (std::int64_t j = 0; j < length; ++j) {
      double score = 0;
      for (std::int64_t d = 0; d < depth; ++d)
        score += double(f32s(in[0])[i * depth + d]) * double(f32s(in[1])[j * depth + d]);
      sum += weights[static_cast<std::size_t>(j)] = std::exp(score);
    }
    std::fill(out.begin(), out.end(), 0.0);
    for (std::int64_t j = 0; j < length; ++j)
      for (std::int64_t d = 0; d < depth; ++d)
        out[static_cast<std::size_t>(d)] += weights[static_cast<std::size_t>(j)] / sum * f32s(in[2])[j * depth + d];
  };
  row.oracle_rows = 24;
  row.rtol = 1e-4, row.atol = 1e-5;
  return row;
}

}  // namespace millrace::bench
