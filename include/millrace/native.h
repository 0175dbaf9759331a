// SPDX-License-Identifier: Apache-2.0
// A kernel at native speed on this machine's CPU: compiled once, run as often as wanted. What it gives is what the
// simulator gives, within the bounds that docs/semantics.md states for the CPU target; how long it takes is real.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "millrace/kernel.h"

namespace millrace {

// How windows reach the body. kDirect: a window is a view of the array itself, and nothing is copied where a view can
// stand for the block. kCopies: blocks are copied into buffers and back by a thread of their own, while the body runs.
enum class Movement { kDirect, kCopies };

struct NativeOptions {
  int threads = 0;  // at most so many take steps of parallel axes; 0: one a core of the machine
  Movement movement = Movement::kDirect;
};

// Traced and compiled for inputs of these shapes and dtypes. Throws Error: kUser for wrong shapes or a kernel that
// breaks a stated rule, kUnsupported (by name and place, before anything runs) for what the CPU target does not do,
// kFinding where a run deadlocks or leaves its memory, kInternal.
class MILLRACE_API NativeKernel {
 public:
  NativeKernel(const Kernel& kernel, const std::vector<Array>& like, const NativeOptions& options = {});

  std::vector<Array> run(const std::vector<Array>& inputs) const;
  // Into arrays of the right dtypes and shapes: nothing is allocated after the first call. `outputs` may be empty; then
  // they are made. Not from two threads at a time.
  void run_into(const std::vector<Array>& inputs, std::vector<Array>& outputs) const;

  double compile_seconds() const;             // that the constructor took
  bool from_cache() const;                    // whether the machine code was there already
  std::string device() const;                 // the CPU, by its own name
  std::vector<std::string> movement() const;  // sentences: what is not copied, and why that is allowed

  struct State;  // internal

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace millrace
