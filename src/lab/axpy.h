// SPDX-License-Identifier: Apache-2.0
// The lesson's two kernels, 2 * x + y in tiles, as any user of the kernel language could write them.
#pragma once

#include <functional>
#include <string>

#include "lab/contract.h"
#include "lab/fixture.h"
#include "millrace/kernel.h"
#include "millrace/run.h"
#include "plan/tiles.h"

namespace millrace::lab {

// A grid kernel: the grid moves one block at a time. The extent is a multiple of the block.
Kernel blocked_axpy(DType dtype, Extent padded, Extent block);

// A kernel that sees whole arrays in HBM and emits its own pipeline over them, scheduled as `c` says.
Kernel pipelined_axpy(DType dtype, Extent padded, const Configuration& c);

struct Simulated {
  Array output;     // of the logical shape
  Results results;  // of the padded one
};

// Pads with zeros to whole blocks, simulates, and cuts back. The race observer is always on. Error(kUser) where the
// pair or the configuration breaks the contract, Error(kUnsupported) for Mode::kTpu, and whatever run() throws.
Simulated simulate_axpy(const Configuration& c, const Pair& input, RunOptions options = {});

// What the experiments run: simulate_axpy, or a test's faulty stand-in.
using Simulator = std::function<Simulated(const Configuration&, const Pair&, const RunOptions&)>;

}  // namespace millrace::lab
