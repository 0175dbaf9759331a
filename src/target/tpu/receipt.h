// SPDX-License-Identifier: Apache-2.0
// What a measured run leaves for others (docs/schema/receipt.schema.json): what ran it, what it computed, how long it
// took and what that does not say. Only a run that was correct has one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "target/tpu/measure.h"

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

struct ReceiptFacts {
  std::string millrace_version;
  Library library;
  const Measured& measured;
  std::string implementation;  // what was compiled and run: hashed
  nlohmann::ordered_json configuration;
  Correctness correctness;
  Timing timing;
  std::vector<Timing> baselines;
};

// Error(kInternal) where the result was not correct, or was measured fewer than five times after five warm-ups.
nlohmann::ordered_json receipt(const ReceiptFacts& facts);

}  // namespace millrace::target
