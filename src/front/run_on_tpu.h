// SPDX-License-Identifier: Apache-2.0
// A kernel from a file on a real TPU: the same arrays as in the simulator, whose result is the oracle. Without a TPU
// nothing is read, run or written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "front/run_kernel.h"
#include "front/tolerance.h"
#include "target/tpu/receipt.h"

namespace millrace::front {

struct TpuRequest {
  KernelRequest kernel;
  std::string libtpu;            // --libtpu
  std::string worker;            // the program that workers run in
  std::string millrace_version;  // for the receipt
  std::string receipt;           // file; empty: none is written
  int warm_ups = 5, samples = 20;
};

struct TpuRun {
  target::Measured measured;
  std::vector<Array> outputs;
  std::vector<std::string> files;     // where they were written; empty: nowhere
  std::vector<double> max_abs_error;  // of each, against the simulator
  bool passed = false;                // where not, nothing was written
  std::string sentence;               // what is wrong where it did not pass
};

// Error(kUnsupported) where there is no TPU, and for what a single call on one core does not cover.
TpuRun run_on_tpu(const TpuRequest& request);

}  // namespace millrace::front
