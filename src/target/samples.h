// SPDX-License-Identifier: Apache-2.0
// Times that were taken of the same thing again and again, what they come to, and whether they can be trusted. Every
// measurement of Millrace, on any target, is said in these words.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace millrace::target {

struct Spread {
  double min = 0, median = 0, max = 0, p90 = 0;  // p90: the nearest rank
};
Spread spread_of(std::vector<double> values);  // Error(kInternal) where there is none

// The least that counts as measured.
constexpr int kLeastWarmUps = 5, kLeastSamples = 5;

// One of several that do the same work, or that a measurement is held against.
struct Contestant {
  std::string name;                           // "Millrace", "plain C++"
  std::function<void()> run = {};             // once
  std::function<double()> milliseconds = {};  // in place of `run`: runs it elsewhere, says how long it took
  int runs = 1;                               // in a row make one sample, which is their mean: short work needs several
  double enough_ms = 0;  // not 0: no further run once they have taken so long; on a busy machine one may take long
};

struct Samples {
  int warm_ups = 0;
  std::vector<std::vector<double>> milliseconds;  // by contestant, by sample; on the wall
};

// All of them in turn, `warm_ups` rounds that do not count and then `samples` that do, each round begun by another, so
// that whatever else the machine does hits all of them. Before each all rest for `rest_ms`: threads of the one before,
// which may wait for more by spinning, are asleep then. Error(kInternal) for fewer than five of either.
Samples take_turns(const std::vector<Contestant>& contestants, int warm_ups, int samples, int rest_ms = 0);

// A sentence where a series of at least five samples, in the order in which they were taken, is too noisy to tell small
// differences by: p90 above 1.25 times the median, or the medians of its halves further apart than 10 %. Else empty.
std::string noise_in(const std::vector<double>& series);
constexpr double kNoisyP90 = 1.25, kNoisyDrift = 0.10;

// How many runs in a row take about `milliseconds`, seeing that one takes `one`.
int runs_for(double one, double milliseconds, int most = 10'000);

}  // namespace millrace::target
