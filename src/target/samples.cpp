// SPDX-License-Identifier: Apache-2.0
#include "target/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "millrace/error.h"

namespace millrace::target {

namespace {

double milliseconds_of(const Contestant& c) {
  if (c.milliseconds) return c.milliseconds();
  const auto before = std::chrono::steady_clock::now();
  double ms = 0;
  int done = 0;
  do {
    c.run();
    ++done;
    if (c.enough_ms > 0 || done == c.runs)
      ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
  } while (done < c.runs && (c.enough_ms == 0 || ms < c.enough_ms));
  return ms / done;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) throw Error(ErrorCode::kInternal, "no samples");
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const auto nearest = static_cast<std::size_t>(0.9 * static_cast<double>(n - 1) + 0.5);
  return {values.front(), (values[(n - 1) / 2] + values[n / 2]) / 2, values.back(), values[nearest]};
}

Samples take_turns(const std::vector<Contestant>& contestants, int warm_ups, int samples, int rest_ms) {
  if (warm_ups < kLeastWarmUps || samples < kLeastSamples)
    throw Error(ErrorCode::kInternal, fmt::format("{} warm-ups and {} samples are too few to measure by; at least {} "
                                                  "and {}",
                                                  warm_ups, samples, kLeastWarmUps, kLeastSamples));
  Samples all{warm_ups, std::vector<std::vector<double>>(contestants.size())};
  for (int round = -warm_ups; round < samples; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const std::size_t who = (i + static_cast<std::size_t>(round + warm_ups)) % contestants.size();
      if (rest_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(rest_ms));
      const double ms = milliseconds_of(contestants[who]);
      if (round >= 0) all.milliseconds[who].push_back(ms);
    }
  }
  return all;
}

std::string noise_in(const std::vector<double>& series) {
  const Spread all = spread_of(series);
  if (all.p90 > kNoisyP90 * all.median)
    return fmt::format("p90 is {:.2f} times the median (more than {})", all.p90 / all.median, kNoisyP90);
  const auto middle = series.begin() + static_cast<std::ptrdiff_t>(series.size() / 2);
  const double first = spread_of({series.begin(), middle}).median, last = spread_of({middle, series.end()}).median;
  if (std::abs(last / first - 1) > kNoisyDrift)
    return fmt::format("the median of its last half is {:.2f} times that of its first (more than {:.0f} % apart)",
                       last / first, 100 * kNoisyDrift);
  return "";
}

int runs_for(double one, double milliseconds, int most) {
  const double runs = milliseconds / std::max(one, 1e-9);
  return static_cast<int>(std::clamp(std::ceil(runs), 1.0, static_cast<double>(most)));
}

}  // namespace millrace::target
