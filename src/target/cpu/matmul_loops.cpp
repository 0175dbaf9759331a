// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/matmul_loops.h"

#include <algorithm>
#include <bit>
#include <vector>

// Once for any x86-64 and once for AVX2, chosen when the program is loaded, which is before sanitizers are ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define MILLRACE_MATMUL_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define MILLRACE_MATMUL_CLONES
#endif

namespace millrace::target {

namespace {

constexpr std::int64_t kStep = 256;  // of k: so many rows of b stay in the cache

[[gnu::always_inline]] inline float rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t nearest = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000;
  const std::uint32_t quiet = (bits | 0x00400000) & 0xFFFF0000;
  return std::bit_cast<float>((bits & 0x7FFFFFFF) > 0x7F800000 ? quiet : nearest);
}

MILLRACE_MATMUL_CLONES void round_row(const float* from, std::int64_t n, float* __restrict to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = rounded(from[i]);
}

MILLRACE_MATMUL_CLONES void widen_row(const std::uint16_t* from, std::int64_t n, float* __restrict to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = std::bit_cast<float>(std::uint32_t{from[i]} << 16);
}

// c (m, n) += a (m, k) b (k, n), each with rows that lie one after the other but for c.
MILLRACE_MATMUL_CLONES void add_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
                                        float* __restrict c, std::int64_t c_stride) {
  for (std::int64_t first = 0; first < k; first += kStep)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t l = first; l < std::min(k, first + kStep); ++l) {
        const float factor = a[i * k + l];
        for (std::int64_t j = 0; j < n; ++j) c[i * c_stride + j] += factor * b[l * n + j];
      }
}

// The operand's own rows, one after the other.
std::vector<float> rows_of(const MatrixView& view, std::int64_t rows, std::int64_t columns) {
  std::vector<float> out(static_cast<std::size_t>(rows * columns));
  if (!view.transposed) {
    pack(view, rows, columns, out.data());
    return out;
  }
  const auto* data = static_cast<const float*>(view.data);
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      out[static_cast<std::size_t>(i * columns + j)] = data[j * view.row_stride + i];
  return out;
}

}  // namespace

void pack(const MatrixView& view, std::int64_t rows, std::int64_t columns, float* to) {
  for (std::int64_t i = 0; i < rows; ++i, to += columns) {
    const std::int64_t at = i * view.row_stride;
    switch (view.packing) {
      case Packing::kF32: std::copy_n(static_cast<const float*>(view.data) + at, columns, to); break;
      case Packing::kRoundedToBf16: round_row(static_cast<const float*>(view.data) + at, columns, to); break;
      case Packing::kBf16: widen_row(static_cast<const std::uint16_t*>(view.data) + at, columns, to); break;
    }
  }
}

void matmul_by_loops(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b, float* c,
                     std::int64_t c_stride, bool accumulate) {
  if (!accumulate)
    for (std::int64_t i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, 0.0f);
  add_product(m, n, k, rows_of(a, m, k).data(), rows_of(b, k, n).data(), c, c_stride);
}

}  // namespace millrace::target
