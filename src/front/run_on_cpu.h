// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, at native speed on this machine's CPU. A library of its own, so that who does
// not want the compiler need not have it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "front/run_kernel.h"
#include "millrace/native.h"

namespace millrace::front {

struct CpuRequest {
  KernelRequest kernel;
  NativeOptions options;
  std::string receipt = {};                      // file; empty: none is written, and nothing is measured
  std::string millrace_version = {}, llvm = {};  // for the receipt
  int samples = 20;                              // after five warm-ups
};

struct CpuRun {
  std::string kernel, device;       // the CPU's own name
  std::vector<Array> outputs;       // of device 0, then of device 1, ...
  std::vector<std::string> files;   // where they were written; empty: nowhere
  std::vector<std::string> sha256;  // of each, with `hash`
  std::vector<std::string> movement;
  int threads = 1, devices = 1;
  bool from_cache = false;
  double load_seconds = 0, compile_seconds = 0, run_seconds = 0;
  nlohmann::ordered_json receipt = {};  // null where none was asked for
};

// Error(kUnsupported) for what the CPU target does not do, Error(kFinding) where the kernel deadlocks or leaves its
// memory; nothing is written then. With a receipt the simulator is the oracle: Error(kInternal), and nothing is
// written, where what the CPU computed is further from it than device_tolerance.
CpuRun run_on_cpu(const CpuRequest& request);

}  // namespace millrace::front
