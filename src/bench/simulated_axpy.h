// SPDX-License-Identifier: Apache-2.0
// What a simulated grid step costs.
#pragma once

#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// The pipelined axpy of 1024x2048 f32 in tiles of 8x128, two slots each, race observer off, against the same loop in
// C++: once where both make their output array, once where the loop writes into one that is there already.
// Throws Error(kInternal) where the two do not agree bit for bit.
std::vector<Pairing> simulated_against_native();

// The same pipeline over 4,096 and 32,768 steps against 512 steps, per step. The arrays have 16 tiles, which the steps
// go round: the caches see the same thing at every length.
std::vector<Pairing> steps_against_few_steps();

}  // namespace millrace::bench
