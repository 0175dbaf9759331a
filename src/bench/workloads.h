// SPDX-License-Identifier: Apache-2.0
// What is measured: kernels in Millrace's language, their inputs, and the same loops in C++. jax_peer.py has the same
// kernels in Pallas, by the same names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "millrace/millrace.h"

namespace millrace::bench {

struct Workload {
  std::string name;   // "axpy"
  std::string words;  // what it is, in words
  std::int64_t steps = 0;
  double flops_a_step = 0;
  std::vector<Array> inputs;
  std::shared_ptr<const Prepared> prepared;
  std::function<Array()> native;  // makes its output
  double tolerance = 0;           // how far the outputs may be apart, relative to the largest; 0: bit for bit

  Array simulated() const { return std::move(prepared->run(inputs).arrays.at(0)); }
};

// 2x + y of f32, an emit_pipeline over tiles of 8x128 with two slots. `steps` is a multiple of 16.
Workload pipelined_axpy(std::int64_t steps);
// f32 with all its bits, 512x512x512 in blocks of 128.
Workload blocked_matmul();
// Attention of one head, 1024 queries and keys of depth 128 in blocks of 128, with a running maximum and sum.
Workload flash_attention();

std::vector<Workload> all_workloads();  // axpy of 32, 512 and 2048 steps, matmul, flash

// Largest difference relative to the largest value of `b`; infinity where a side is NaN.
double distance(const Array& a, const Array& b);
// Throws Error(kInternal) where simulation and native loop are further apart than the tolerance.
void require_agreement(const Workload& workload);

}  // namespace millrace::bench
