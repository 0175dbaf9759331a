// SPDX-License-Identifier: Apache-2.0
// The lesson's kernel on a real TPU, against the oracle and beside the same arithmetic in plain StableHLO. There is no
// fallback: without a TPU nothing happens at all.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lab/compare.h"
#include "lab/contract.h"
#include "lab/fixture.h"
#include "target/tpu/receipt.h"

namespace millrace::lab {

struct DeviceSettings {
  target::Library library;
  target::Worker worker;
  std::string millrace_version;
  std::string platform = "tpu";
  bool kernel = true;  // false, for tests on other platforms: the plain StableHLO stands where the kernel would
  int warm_ups = 5, samples = 20;
};

struct DeviceRun {
  target::Measured measured;
  Array output;           // of the logical shape
  Comparison comparison;  // with the oracle
  // Only where the result is within the oracle's tolerance.
  std::optional<nlohmann::ordered_json> receipt;
};

// Padded as in the simulator. Errors as require_configuration, require_pair and target::measure.
DeviceRun run_on_device(const Configuration& c, const Pair& input, const DeviceSettings& settings);

// The axpy as a Mosaic module: stable names, bytecode, as the TPU compiler takes it. `padded` is of whole blocks.
std::string axpy_module(const Configuration& c, DType dtype, Extent padded);

// 2 * x + y in StableHLO; bf16 is widened and rounded once.
std::string plain_axpy(DType dtype, Extent shape);

// Lines for people.
std::string transcript(const DeviceRun& run, const Configuration& c);

}  // namespace millrace::lab
