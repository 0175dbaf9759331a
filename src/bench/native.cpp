// SPDX-License-Identifier: Apache-2.0
#include "bench/native.h"

#include <algorithm>
#include <cmath>
#include <vector>

// As for the simulator's own loops (machine/tile/clones.h).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define MILLRACE_NATIVE_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define MILLRACE_NATIVE_CLONES
#endif

namespace millrace::bench::native {

namespace {

constexpr std::int64_t kBlock = 128;

// out (128, 128) += a (128, 128) b (128, 128), whose rows are so far apart.
MILLRACE_NATIVE_CLONES void block_product(const float* a, std::int64_t a_stride, const float* b, std::int64_t b_stride,
                                          float* __restrict out, std::int64_t out_stride) {
  for (std::int64_t i = 0; i < kBlock; ++i)
    for (std::int64_t k = 0; k < kBlock; ++k)
      for (std::int64_t j = 0; j < kBlock; ++j) out[i * out_stride + j] += a[i * a_stride + k] * b[k * b_stride + j];
}

struct Running {
  std::vector<float> scores = std::vector<float>(kBlock * kBlock), keys = std::vector<float>(kBlock * kBlock),
                     largest = std::vector<float>(kBlock), total = std::vector<float>(kBlock);
};

MILLRACE_NATIVE_CLONES void weigh(Running& r, float* __restrict out) {
  for (std::int64_t i = 0; i < kBlock; ++i) {
    float* row = r.scores.data() + i * kBlock;
    const auto at = static_cast<std::size_t>(i);
    float now = r.largest[at];
    for (std::int64_t j = 0; j < kBlock; ++j) now = std::max(now, row[j]);
    const float fade = std::exp(r.largest[at] - now);
    float sum = 0;
    for (std::int64_t j = 0; j < kBlock; ++j) {
      row[j] = std::exp(row[j] - now);
      sum += row[j];
    }
    r.largest[at] = now;
    r.total[at] = fade * r.total[at] + sum;
    for (std::int64_t j = 0; j < kBlock; ++j) out[i * kBlock + j] *= fade;
  }
}

void transpose(const float* from, std::vector<float>& to) {
  for (std::int64_t i = 0; i < kBlock; ++i)
    for (std::int64_t j = 0; j < kBlock; ++j) to[static_cast<std::size_t>(j * kBlock + i)] = from[i * kBlock + j];
}

}  // namespace

MILLRACE_NATIVE_CLONES void axpy(const float* x, const float* y, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i] + y[i];
}

void matmul(const float* a, const float* b, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; i += kBlock)
    for (std::int64_t j = 0; j < n; j += kBlock)
      for (std::int64_t k = 0; k < n; k += kBlock)
        block_product(a + i * n + k, n, b + k * n + j, n, out + i * n + j, n);
}

void flash(const float* q, const float* k, const float* v, float* out, std::int64_t n) {
  Running r;
  for (std::int64_t i = 0; i < n; i += kBlock) {
    float* rows = out + i * kBlock;
    std::fill_n(rows, kBlock * kBlock, 0.0f);
    std::fill(r.largest.begin(), r.largest.end(), -1e30f);
    std::fill(r.total.begin(), r.total.end(), 0.0f);
    for (std::int64_t j = 0; j < n; j += kBlock) {
      transpose(k + j * kBlock, r.keys);
      std::fill(r.scores.begin(), r.scores.end(), 0.0f);
      block_product(q + i * kBlock, kBlock, r.keys.data(), kBlock, r.scores.data(), kBlock);
      weigh(r, rows);
      block_product(r.scores.data(), kBlock, v + j * kBlock, kBlock, rows, kBlock);
    }
    for (std::int64_t row = 0; row < kBlock; ++row)
      for (std::int64_t j = 0; j < kBlock; ++j) rows[row * kBlock + j] /= r.total[static_cast<std::size_t>(row)];
  }
}

}  // namespace millrace::bench::native
