// SPDX-License-Identifier: Apache-2.0
// A kernel on the CPU target against the best that this machine can do, plain C++, and other programs, all in one
// process and in turn, on as many threads. Nothing is measured that does not compute what the oracle says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/cpu_rows.h"
#include "bench/peer.h"
#include "target/receipt.h"

namespace millrace::bench {

// One that took part.
struct Entrant {
  std::string name;  // "Millrace", "plain C++"
  target::Timing timing;
  double rate = 0;  // by its median: GB/s or GFLOP/s
  double max_abs_error = 0;
  target::Spread ratio;  // Millrace's time by this one's, round by round; none of Millrace itself
};

struct Contest {
  std::string name, words;
  int threads = 1;
  std::string unit;  // of rates: "GB/s" of what must pass once, "GFLOP/s"
  double work = 0;   // of a run: bytes or floating-point operations
  std::optional<Entrant> millrace;
  std::string refused;  // why it took no part
  std::vector<std::string> movement;
  std::vector<Entrant> others;
  target::Calibration calibration;  // its share: of Millrace, by its median
  std::string noise;                // why the whole is noisy: the calibration's work never changes, its time did
};

struct ContestSettings {
  int warm_ups = target::kLeastWarmUps, samples = 15;
  double sample_ms = 5;     // short work is run so long in a row
  double most_ms = 30'000;  // fewer samples, but five at least, where the rounds would take longer
};

// `peer` (cpu_peer.py) may be null. Error(kInternal) where somebody computes something else.
Contest contest(const CpuRow& row, target::Together& threads, Peer* peer, const ContestSettings& settings = {});

std::string to_text(const Contest& contest);
nlohmann::ordered_json to_json(const Contest& contest);

}  // namespace millrace::bench
