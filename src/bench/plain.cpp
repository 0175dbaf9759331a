// SPDX-License-Identifier: Apache-2.0
#include "bench/plain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

// The loader picks a clone before sanitizers are set up.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define MILLRACE_PLAIN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MILLRACE_PLAIN_CLONES
#endif

namespace millrace::bench::plain {

namespace {

[[gnu::always_inline]] inline float wide(std::uint16_t v) { return std::bit_cast<float>(std::uint32_t{v} << 16); }

[[gnu::always_inline]] inline std::uint16_t narrow(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  const std::uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC0 : rounded);
}

// out (m, n) += a (m, k) b (k, n), in blocks that stay in the caches.
MILLRACE_PLAIN_CLONES void add_product(const float* a, const float* b, float* __restrict out, std::int64_t m,
                                       std::int64_t n, std::int64_t k) {
  constexpr std::int64_t kInner = 128, kColumns = 512;
  for (std::int64_t l0 = 0; l0 < k; l0 += kInner)
    for (std::int64_t j0 = 0; j0 < n; j0 += kColumns)
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t l = l0; l < std::min(k, l0 + kInner); ++l) {
          const float factor = a[i * k + l];
          for (std::int64_t j = j0; j < std::min(n, j0 + kColumns); ++j) out[i * n + j] += factor * b[l * n + j];
        }
}

}  // namespace

MILLRACE_PLAIN_CLONES void axpy(const float* x, const float* y, float* __restrict out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i] + y[i];
}

MILLRACE_PLAIN_CLONES void axpy(const std::uint16_t* x, const std::uint16_t* y, std::uint16_t* __restrict out,
                                std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = narrow(2.0f * wide(x[i]) + wide(y[i]));
}

MILLRACE_PLAIN_CLONES void bias_relu(const float* x, const float* bias, float* __restrict out, std::int64_t rows,
                                     std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const float v = x[i * columns + j] + bias[j];
      out[i * columns + j] = v > 0 ? v : 0;
    }
}

MILLRACE_PLAIN_CLONES void softmax(const float* x, float* __restrict out, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i, x += columns, out += columns) {
    float largest = x[0], sum = 0;
    for (std::int64_t j = 1; j < columns; ++j) largest = x[j] > largest ? x[j] : largest;
    for (std::int64_t j = 0; j < columns; ++j) {
      out[j] = std::exp(x[j] - largest);
      sum += out[j];
    }
    for (std::int64_t j = 0; j < columns; ++j) out[j] *= 1 / sum;
  }
}

MILLRACE_PLAIN_CLONES void layernorm(const float* x, const float* scale, const float* shift, float* __restrict out,
                                     std::int64_t rows, std::int64_t columns) {
  const float parts = static_cast<float>(columns);
  for (std::int64_t i = 0; i < rows; ++i, x += columns, out += columns) {
    float sum = 0, squares = 0;
    for (std::int64_t j = 0; j < columns; ++j) sum += x[j];
    const float mean = sum / parts;
    for (std::int64_t j = 0; j < columns; ++j) squares += (x[j] - mean) * (x[j] - mean);
    const float factor = 1 / std::sqrt(squares / parts + 1e-5f);
    for (std::int64_t j = 0; j < columns; ++j) out[j] = (x[j] - mean) * factor * scale[j] + shift[j];
  }
}

void matmul(const float* a, const float* b, float* out, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::fill_n(out, m * n, 0.0f);
  add_product(a, b, out, m, n, k);
}

void attention(const float* q, const float* k, const float* v, float* out, std::int64_t rows, std::int64_t keys,
               std::int64_t depth) {
  constexpr std::int64_t kRows = 32;  // at a time: their scores stay in the caches
  std::vector<float> turned(static_cast<std::size_t>(depth * keys));
  for (std::int64_t i = 0; i < keys; ++i)
    for (std::int64_t j = 0; j < depth; ++j) turned[static_cast<std::size_t>(j * keys + i)] = k[i * depth + j];
  std::vector<float> scores(static_cast<std::size_t>(kRows * keys)), weights = scores;
  for (std::int64_t i = 0; i < rows; i += kRows) {
    const std::int64_t some = std::min(kRows, rows - i);
    matmul(q + i * depth, turned.data(), scores.data(), some, keys, depth);
    softmax(scores.data(), weights.data(), some, keys);
    matmul(weights.data(), v, out + i * depth, some, depth, keys);
  }
}

}  // namespace millrace::bench::plain
