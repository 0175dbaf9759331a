// SPDX-License-Identifier: Apache-2.0
// Measures by pairs: candidate and baseline in turn, in one process, so that whatever else the machine does hits both.
// Time is that of the thread on its processor, the kernel's work for it included: on a shared machine a long run is put
// aside more often than a short one, and that is not its fault.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "target/samples.h"

namespace millrace::bench {

using target::Spread, target::spread_of;  // milliseconds of the thread

struct Pairing {
  std::string name;       // "axpy/native"
  std::string candidate;  // what was measured, in words
  std::string baseline;   // and against what; empty: measured alone, there is no ratio
  int warm_ups = 0, pairs = 0;
  Spread candidate_ms, baseline_ms;
  Spread ratio;                                  // candidate / baseline, pair by pair
  double candidate_work = 1, baseline_work = 1;  // what one run of each does, in `unit`s; ratios are per unit
  std::string unit;                              // "run", "grid step"
  double aim = 0;                                // the ratio to stay under; 0: none
  double aim_us = 0;                             // of the candidate, microseconds a unit to stay under; 0: none
  bool speedup = false;                          // said as how many times as fast the candidate is
};

struct Sides {
  std::function<void()> candidate, baseline;
  std::function<double()> baseline_ms = {};  // in place of `baseline`: runs it elsewhere and says how long it took
  int candidate_runs = 1;  // in a row; their mean counts. Several where the baseline takes so long that a single run
                           // of the candidate would find every cache cold
};

// Runs both `warm_ups` times, then `pairs` times in turn, each side first every other time. Without a baseline the
// candidate runs alone, and ratios stay 0.
void measure(Pairing& pairing, const Sides& sides, int warm_ups, int pairs);

}  // namespace millrace::bench
