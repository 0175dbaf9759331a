// SPDX-License-Identifier: Apache-2.0
// Products of matrices at this CPU's speed: oneDNN's sgemm, which picks its own code for the CPU, where libdnnl is
// installed; loops of our own where it is not. One thread a call, and any number of calls at a time.
//
// Each element is a sum of k products in f32, in an order that only m, n, k and the library decide; the products may be
// fused into the additions. So |c - exact| <= (k + 1) 2^-24 (|a| |b| + |c before|), and NaN and infinities come through
// as in that sum.
#pragma once

#include <cstdint>
#include <string>

namespace millrace::target {

// What lies in memory, and what becomes of it before it is multiplied.
enum class Packing : std::uint8_t {
  kF32,
  kRoundedToBf16,  // f32, each element rounded to the nearest bf16 (ties to even) first
  kBf16,           // bf16, widened
};

struct MatrixView {
  const void* data;         // float, or std::uint16_t of kBf16; null only where there is no element
  std::int64_t row_stride;  // elements from one row, as it lies in memory, to the next
  bool transposed = false;  // the rows in memory are the operand's columns
  Packing packing = Packing::kF32;
};

// c (m, n) = a (m, k) b (k, n); added to what is in c where `accumulate`. c must not overlap a or b. Rows of c are
// c_stride elements apart. Error(kInternal) for negative sizes and strides shorter than a row.
void matmul(std::int64_t m, std::int64_t n, std::int64_t k, const MatrixView& a, const MatrixView& b, float* c,
            std::int64_t c_stride, bool accumulate);

// What multiplies: "oneDNN 2.6.3", or "loops of Millrace's own (libdnnl was not found)".
std::string matmul_library();

}  // namespace millrace::target
