// SPDX-License-Identifier: Apache-2.0
#include "bench/checking.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/simulated_axpy.h"
#include "bench/workloads.h"

namespace millrace::bench {

namespace {

constexpr std::int64_t kFew = 512, kMany = 32'768;

void checked(const Prepared& kernel, const std::vector<Array>& inputs) {
  const Report report = kernel.check(inputs);
  if (report.verdict != Verdict::kClean)
    throw Error(ErrorCode::kInternal, "the pipelined axpy is found faulty: " + report.findings[0].message);
}

Pairing pairing(const std::string& name, double steps) {
  Pairing p;
  p.name = name, p.unit = "grid step";
  p.candidate_work = p.baseline_work = steps;
  return p;
}

}  // namespace

std::vector<Pairing> check_against_run() {
  std::vector<Pairing> out;
  const auto few = round_and_round(kFew), many = round_and_round(kMany);
  for (const auto& steps : {few, many}) {
    const std::int64_t n = steps == few ? kFew : kMany;
    Pairing p = pairing(fmt::format("check-{}/run", n), static_cast<double>(n));
    p.candidate = fmt::format("axpy of {} grid steps under all checks", n);
    p.baseline = "the same, simulated alone";
    p.aim = 2;
    measure(p,
            {[&] { checked(steps->prepared, steps->inputs); },
             [&] { benchmark::DoNotOptimize(steps->prepared.run(steps->inputs)); }},
            3, 15);
    out.push_back(std::move(p));
  }
  Pairing flat = pairing("check/steps", static_cast<double>(kMany));
  flat.candidate = fmt::format("one checked grid step of {}", kMany);
  flat.baseline = fmt::format("one of {}", kFew);
  flat.baseline_work = static_cast<double>(kFew);
  flat.aim = 1.1;
  measure(flat, {[&] { checked(many->prepared, many->inputs); }, [&] { checked(few->prepared, few->inputs); }}, 3, 15);
  out.push_back(std::move(flat));
  return out;
}

Pairing check_against_peer(Peer& peer, std::int64_t steps) {
  Workload w = pipelined_axpy(steps);
  w.name = "axpy-races";
  if (const double apart = distance(w.simulated(), peer.prepare(w)); apart != 0)
    throw Error(ErrorCode::kInternal,
                fmt::format("the simulated axpy of {} steps and {} are {:.1e} apart", steps, peer.who(), apart));
  Pairing p = pairing(fmt::format("check-{}/jax", steps), static_cast<double>(steps));
  p.candidate = fmt::format("{}, {} grid steps, under all checks, 10 times in a row", w.words, steps);
  p.baseline = peer.who() + ", with detect_races=True";
  p.speedup = true;
  p.aim = 1.0 / 5000;
  Sides sides;
  sides.candidate = [&] { checked(*w.prepared, w.inputs); };
  sides.candidate_runs = 10;
  sides.baseline_ms = [&] { return peer.milliseconds(w); };
  measure(p, sides, 0, 3);  // the peer has run it once already, and takes long
  return p;
}

}  // namespace millrace::bench
