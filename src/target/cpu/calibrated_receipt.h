// SPDX-License-Identifier: Apache-2.0
// The receipt of a kernel that ran on this CPU: measured here, beside passing over as many bytes as go in and come out,
// in about the same mix, which is the least that any kernel does that uses them all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "target/receipt.h"

namespace millrace::target {

struct CpuRun {
  std::string kernel;                // its name
  std::function<void()> run;         // once, into arrays that are there
  const std::vector<Array>& inputs;  // what goes in and what comes out: their bytes count
  const std::vector<Array>& outputs;
  std::string device;          // the CPU, by its own name
  std::string implementation;  // the module: hashed
  std::string millrace, llvm;  // versions
  double compile_seconds = 0;
  int threads = 1;
  std::vector<std::string> movement;  // what was not copied, and why that is allowed
  Correctness correctness;
  nlohmann::ordered_json configuration;  // what else was chosen; threads and movement are added
};

// Errors as `receipt`; `samples` of each, after five warm-ups.
nlohmann::ordered_json measured_receipt(const CpuRun& run, int samples = 20);

// What calibration passes over: arrays of one size, so that as many bytes are read and written in all as `in` and
// `out`, nearly: 1 to 4 read for each written; one alone where there is only one kind.
struct Mix {
  int reads = 1;
  bool written = true;
  std::size_t bytes = 0;  // of each
};
Mix mix_of(std::size_t in, std::size_t out);

}  // namespace millrace::target
