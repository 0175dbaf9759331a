// SPDX-License-Identifier: Apache-2.0
#include "bench/simulated_axpy.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/kernels.h"
#include "bench/native.h"
#include "bench/workloads.h"

namespace millrace::bench {

namespace {

constexpr std::int64_t kRows = 8, kColumns = 128, kTiles = 16;

}  // namespace

Shape round_array() { return {kTiles * kRows, kColumns}; }

Kernel round_kernel(std::int64_t steps) {
  const Shape array = round_array();
  return kernel("axpy", {hbm(f32, array), hbm(f32, array)}, {hbm(f32, array)}, [=](Ref x, Ref y, Ref out) {
    const auto map = [](Index i) { return block(i % static_cast<int>(kTiles), 0); };
    const BlockSpec tile{{kRows, kColumns}, map, Buffered{2}};
    emit_pipeline(axpy_tile, {.grid = {steps}, .in = {tile, tile}, .out = {tile}})(x, y, out);
  });
}

std::shared_ptr<Steps> round_and_round(std::int64_t steps) {
  std::vector<Array> inputs{Array::full(f32, round_array(), 1), Array::full(f32, round_array(), 0.25)};
  return std::make_shared<Steps>(Steps{Prepared(round_kernel(steps), inputs), inputs});
}

std::vector<Pairing> axpy_against_native_in_place() {
  const Workload w = pipelined_axpy(2048);
  require_agreement(w);
  Array out(f32, w.inputs[0].shape());
  const auto loop = [&] {
    native::axpy(w.inputs[0].as<float>().data(), w.inputs[1].as<float>().data(), out.as<float>().data(), out.size());
    benchmark::ClobberMemory();
  };
  Pairing p;
  p.name = "axpy-2048/native-in-place";
  p.candidate = fmt::format("simulated {}, {} grid steps; makes its output", w.words, w.steps);
  p.baseline = "the same loop in C++ (-O3, one thread), into an array that is there already";
  p.unit = "run";
  measure(p, {[&] { benchmark::DoNotOptimize(w.simulated()); }, loop}, 5, 21);
  return {p};
}

std::vector<Pairing> steps_against_few_steps() {
  constexpr std::int64_t kFew = 512;
  std::vector<Pairing> out;
  const auto few = round_and_round(kFew);
  for (std::int64_t steps : {std::int64_t{4096}, std::int64_t{32768}}) {
    const auto many = round_and_round(steps);
    Pairing p;
    p.name = fmt::format("steps/{}", steps);
    p.candidate = fmt::format("one grid step of {} (axpy, 8x128 f32, race observer off)", steps);
    p.baseline = fmt::format("one grid step of {}", kFew);
    p.candidate_work = static_cast<double>(steps);
    p.baseline_work = static_cast<double>(kFew);
    p.unit = "grid step";
    p.aim = 1.1;
    measure(p,
            {[&] { benchmark::DoNotOptimize(many->prepared.run(many->inputs)); },
             [&] { benchmark::DoNotOptimize(few->prepared.run(few->inputs)); }},
            5, 15);
    out.push_back(std::move(p));
  }
  return out;
}

}  // namespace millrace::bench
