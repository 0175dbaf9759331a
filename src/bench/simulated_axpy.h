// SPDX-License-Identifier: Apache-2.0
// What a simulated grid step costs.
#pragma once

#include <memory>
#include <vector>

#include "bench/pairs.h"
#include "millrace/millrace.h"

namespace millrace::bench {

// The pipelined axpy of 2,048 steps against the same loop in C++, which here writes into an array that is there
// already: making 8 MB costs such a loop more than its arithmetic.
std::vector<Pairing> axpy_against_native_in_place();

// The same pipeline over 4,096 and 32,768 steps against 512 steps, per step. The arrays have 16 tiles, which the steps
// go round: the caches see the same thing at every length.
std::vector<Pairing> steps_against_few_steps();

// That pipeline, from arrays of this shape.
Shape round_array();
Kernel round_kernel(std::int64_t steps);

// It, and inputs for it.
struct Steps {
  Prepared prepared;
  std::vector<Array> inputs;
};
std::shared_ptr<Steps> round_and_round(std::int64_t steps);

}  // namespace millrace::bench
