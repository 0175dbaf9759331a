// SPDX-License-Identifier: Apache-2.0
#include "bench/pairs.h"

#include <time.h>

namespace millrace::bench {

namespace {

double thread_milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

// The mean of so many runs in a row.
double milliseconds(const std::function<void()>& run, int runs = 1) {
  const double before = thread_milliseconds();
  for (int i = 0; i < runs; ++i) run();
  return (thread_milliseconds() - before) / runs;
}

}  // namespace

void measure(Pairing& pairing, const Sides& sides, int warm_ups, int pairs) {
  const bool alone = !sides.baseline && !sides.baseline_ms;
  const auto run_baseline = [&] {
    if (alone) return 0.0;
    return sides.baseline_ms ? sides.baseline_ms() : milliseconds(sides.baseline);
  };
  const auto run_candidate = [&] { return milliseconds(sides.candidate, sides.candidate_runs); };
  for (int i = 0; i < warm_ups; ++i) sides.candidate(), run_baseline();
  std::vector<double> candidate, baseline, ratio;
  for (int i = 0; i < pairs; ++i) {
    double c = 0, b = 0;
    if (i % 2 == 0)
      c = run_candidate(), b = run_baseline();
    else
      b = run_baseline(), c = run_candidate();
    candidate.push_back(c);
    baseline.push_back(b);
    ratio.push_back(alone ? 0 : (c / pairing.candidate_work) / (b / pairing.baseline_work));
  }
  pairing.warm_ups = warm_ups;
  pairing.pairs = pairs;
  pairing.candidate_ms = spread_of(std::move(candidate));
  pairing.baseline_ms = spread_of(std::move(baseline));
  pairing.ratio = spread_of(std::move(ratio));
}

}  // namespace millrace::bench
