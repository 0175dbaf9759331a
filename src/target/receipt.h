// SPDX-License-Identifier: Apache-2.0
// What a measured run leaves for others (docs/schema/receipt.schema.json): what ran it, what it computed, how long it
// took and what that does not say. Only a run that was correct has one. The same for every target.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "target/samples.h"

namespace millrace::target {

struct Correctness {
  std::string oracle;  // in words
  double max_abs_error = 0, rtol = 0, atol = 0;
  bool passed = false;
};

struct Timing {
  std::string name;  // "axpy", "baseline: the same in StableHLO"
  double compile_seconds = 0;
  int warm_ups = 0;
  std::vector<double> milliseconds;
};

// The best that the same machine was seen to do in the same run, of what bounds the kernel.
struct Calibration {
  std::string what;  // "2 arrays read, 1 written, by 512-bit vectors past the caches, 2 threads"
  std::string unit;  // "GB/s", "GFLOP/s"
  double best = 0;   // of any sample
  double share = 0;  // of that, what the kernel's median reaches
  Timing timing;     // of the loop, its work made the kernel's
};

struct ReceiptFacts {
  std::string device;  // what ran it, as its own driver or the machine names it
  std::string platform, platform_version;
  nlohmann::ordered_json versions;  // of all that took part: "millrace" and whatever else the target has
  std::string implementation;       // what was compiled and run: hashed
  nlohmann::ordered_json configuration;
  Correctness correctness;
  Timing timing;
  std::vector<Timing> baselines;
  std::string boundary;  // what the numbers do not say
  std::optional<Calibration> calibration = {};
};

// Says "noise" of every series that is noisy (samples.h). Error(kInternal) where the result was not correct, nothing
// is named as the device, or something was measured fewer than five times after five warm-ups.
nlohmann::ordered_json receipt(const ReceiptFacts& facts);

// As they stand in a receipt; Error(kInternal) as above.
nlohmann::ordered_json json_of(const Timing& timing);
nlohmann::ordered_json json_of(const Calibration& calibration);

}  // namespace millrace::target
