// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, at native speed on this machine's CPU. A library of its own, so that who does
// not want the compiler need not have it.
#pragma once

#include <string>
#include <vector>

#include "front/run_kernel.h"
#include "millrace/native.h"

namespace millrace::front {

struct CpuRequest {
  KernelRequest kernel;
  NativeOptions options;
};

struct CpuRun {
  std::string kernel, device;  // the CPU's own name
  std::vector<Array> outputs;
  std::vector<std::string> files;   // where they were written; empty: nowhere
  std::vector<std::string> sha256;  // of each, with `hash`
  std::vector<std::string> movement;
  int threads = 1;
  bool from_cache = false;
  double load_seconds = 0, compile_seconds = 0, run_seconds = 0;
};

// Error(kUnsupported) for what the CPU target does not do, Error(kFinding) where the kernel deadlocks or leaves its
// memory; nothing is written then.
CpuRun run_on_cpu(const CpuRequest& request);

}  // namespace millrace::front
