// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, its arrays from files, one run, its outputs into files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "front/session.h"

namespace millrace::front {

struct KernelRequest {
  std::filesystem::path module;
  std::string pick;                       // --kernel
  std::vector<std::string> input_files;   // "F.npy" for every device, "2:F.npy" for device 2 alone
  std::vector<std::string> output_files;  // of device d of several, "F.npy" becomes "F.d.npy"
  std::string fill;                       // the inputs behind the last file; empty: every input has a file
  Wish wish;
  std::string schedule = "canonical", target = "simulator", chip = "v5e", dma_signal = "progressive";
  std::int64_t cores = 1, devices = 1;
  std::uint64_t max_steps = 1'000'000'000'000;
  std::uint64_t max_bytes = 0;  // 0: default_max_bytes
  bool hash = false;            // the outputs
  std::function<void(std::uint64_t steps)> progress;
};

// A kernel with its arrays, ready to run.
struct LoadedKernel {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const api::Executable> executable;
  std::vector<Array> inputs;
  std::vector<std::string> steering;  // the inputs that steer control flow, "in1"
  double seconds = 0;                 // that this took
};

RunOptions options_of(const KernelRequest& request);

// Everything that can be refused is refused here, and before large arrays are read.
LoadedKernel load_kernel(const KernelRequest& request);

struct KernelRun {
  std::string kernel;
  std::vector<Array> outputs;       // of device 0, then of device 1, ...
  std::vector<std::string> files;   // where they were written, by output; empty: nowhere
  std::vector<std::string> sha256;  // of each, with `hash`
  int devices = 1;
  std::vector<Finding> stops;  // not empty: the kernel did not end, and nothing was written
  Work work;
  double load_seconds = 0, run_seconds = 0;
};

// Where the `i`-th of all devices' outputs goes: "y.npy" of device 2 is "y.2.npy"; of the only device it is itself.
std::string output_file(const KernelRequest& request, std::size_t i, int devices);

KernelRun run_kernel(const KernelRequest& request);

}  // namespace millrace::front
