// SPDX-License-Identifier: Apache-2.0
#include "bench/compared.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace millrace::bench {

namespace {

constexpr double kSmallStep = 50e3;  // operations: below, what a peer needs for a step is not arithmetic

Pairing pairing_of(const Workload& w, const std::string& against) {
  Pairing p;
  p.name = w.name == "axpy" ? fmt::format("{}-{}/{}", w.name, w.steps, against) : w.name + "/" + against;
  p.candidate = fmt::format("simulated {}, {} grid steps", w.words, w.steps);
  p.candidate_work = p.baseline_work = static_cast<double>(w.steps);
  p.unit = "grid step";
  return p;
}

}  // namespace

Pairing against_native(const Workload& w) {
  require_agreement(w);
  Pairing p = pairing_of(w, "native");
  p.baseline = "the same loops in C++ (-O3, one thread)";
  p.aim = 8;
  measure(p, {[&] { benchmark::DoNotOptimize(w.simulated()); }, [&] { benchmark::DoNotOptimize(w.native()); }, {}}, 5,
          w.flops_a_step < kSmallStep ? 21 : 11);
  return p;
}

Pairing against_peer(const Workload& w, Peer& peer) {
  const double apart = distance(w.simulated(), peer.prepare(w));
  if (!(apart <= w.tolerance))
    throw Error(ErrorCode::kInternal, fmt::format("the simulated {} of {} steps and {} are {:.1e} apart", w.name,
                                                  w.steps, peer.who(), apart));
  Pairing p = pairing_of(w, "jax");
  p.baseline = peer.who();
  p.speedup = true;
  p.aim = w.flops_a_step < kSmallStep ? 1.0 / 1000 : 0;
  Sides sides;
  sides.candidate = [&] { benchmark::DoNotOptimize(w.simulated()); };
  sides.candidate_runs = 10;
  p.candidate += ", 10 runs in a row";
  sides.baseline_ms = [&] { return peer.milliseconds(w); };
  measure(p, sides, 1, w.steps > 1000 ? 3 : 5);
  return p;
}

}  // namespace millrace::bench
