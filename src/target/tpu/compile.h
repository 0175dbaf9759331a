// SPDX-License-Identifier: Apache-2.0
// One kernel, one chip, the real TPU compiler's answer. Nothing is run, and no device is needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "target/tpu/child.h"
#include "target/tpu/diagnosis.h"
#include "target/tpu/dumps.h"
#include "target/tpu/library.h"
#include "target/tpu/stablehlo_call.h"

namespace millrace::target {

struct CompileRequest {
  Library library;
  std::string chip;  // plan::Chip::name: "v5e"
  KernelCall call;
  Worker worker;
  std::filesystem::path keep = {};  // a new folder that keeps program, dumps and words; empty: all goes away
  int repeat = 1;                   // compiles in one process, for timing
};

enum class Verdict { kAccepted, kRefused, kDied, kTimedOut };

struct Compiled {
  Verdict verdict = Verdict::kAccepted;
  std::string chip, topology;
  int status = 0;                          // absl's code where refused
  Diagnosis diagnosis;                     // where refused; where the compiler died or hung, `reason` says how
  std::string stage;                       // where it died or hung: "compile"
  std::optional<std::int64_t> code_bytes;  // of the whole program: a fixed part and the kernel
  Dumps dumps;                             // of an accepted kernel
  std::vector<std::string> notes;          // what could not be read
  std::int32_t api_minor = 0;              // of PJRT 0.x
  double seconds = 0;                      // from the request to the answer
  double load_seconds = 0, initialise_seconds = 0;
  std::vector<double> compile_seconds;  // one a repetition
};

std::string_view name_of(Verdict verdict);  // "accepted", "refused", "died", "timed out"

// The name by which the compiler knows a chip's smallest board.
std::string topology_of(std::string_view chip);

// Error(kUser) where the library is no PJRT plugin or `keep` is in use, Error(kUnsupported) where its interface is
// not spoken here or it cannot be initialised.
Compiled compile(const CompileRequest& request);

}  // namespace millrace::target
