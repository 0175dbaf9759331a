// SPDX-License-Identifier: Apache-2.0
#include "bench/checking.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>

#include "bench/kernels.h"
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

// A grid of kFew steps over two columns of blocks, the inputs' going round 16 rows of them. Where the arrays have less
// than 256 columns, every other step has blocks that their edge cuts: the rest of those is undefined.
std::unique_ptr<Steps> over_columns(std::int64_t columns) {
  const BlockSpec in{{8, 128}, [](Index i, Index j) { return block(i % 16, j); }},
      out{{8, 128}, [](Index i, Index j) { return block(i, j); }};
  const GridSpec grid{
      .grid = {kFew / 2, 2}, .in = {in, in}, .out = {out}, .out_arrays = {{f32, {kFew / 2 * 8, columns}}}};
  std::vector<Array> inputs{Array::full(f32, {128, columns}, 1), Array::full(f32, {128, columns}, 0.25)};
  return std::make_unique<Steps>(Steps{Prepared(grid_kernel("axpy", axpy_tile, grid), inputs), inputs});
}

Pairing cut_against_whole() {
  const auto cut = over_columns(200), whole = over_columns(256);
  Pairing p = pairing("check-cut/whole", static_cast<double>(kFew));
  p.candidate =
      fmt::format("axpy as a grid of {} steps under all checks, every other with blocks cut by the edge", kFew);
  p.baseline = "the same, no block cut";
  measure(p, {[&] { checked(cut->prepared, cut->inputs); }, [&] { checked(whole->prepared, whole->inputs); }}, 3, 15);
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
  out.push_back(cut_against_whole());
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
