// SPDX-License-Identifier: Apache-2.0
#include "bench/simulated_axpy.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>

#include "millrace/millrace.h"

namespace millrace::bench {

namespace {

constexpr std::int64_t kRows = 8, kColumns = 128;  // a tile

void axpy(Ref x, Ref y, Ref out) {
  Value a = x.load();
  Value b = y.load();
  out.store(2.0f * a + b);
}

// Tiles in the order of the grid; with `tiles` > 0 the rows of tiles are gone round.
Kernel pipeline(Shape array, Shape grid, std::int64_t tiles) {
  return kernel("axpy", {hbm(f32, array), hbm(f32, array)}, {hbm(f32, array)}, [=](Ref x, Ref y, Ref out) {
    const auto map = [tiles](Index i, Index j) {
      return tiles > 0 ? block(i % static_cast<int>(tiles), j) : block(i, j);
    };
    const BlockSpec tile{{kRows, kColumns}, map, Buffered{2}};
    emit_pipeline(axpy, {.grid = grid, .in = {tile, tile}, .out = {tile}})(x, y, out);
  });
}

void native(const float* x, const float* y, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i] + y[i];
}

struct Steps {
  Prepared prepared;
  std::vector<Array> inputs;
};

std::shared_ptr<Steps> round_and_round(std::int64_t steps) {
  constexpr std::int64_t kTiles = 16;
  const Shape array{kTiles * kRows, kColumns};
  std::vector<Array> inputs{Array::full(f32, array, 1), Array::full(f32, array, 0.25)};
  return std::make_shared<Steps>(Steps{Prepared(pipeline(array, {steps, 1}, kTiles), inputs), inputs});
}

}  // namespace

std::vector<Pairing> simulated_against_native() {
  const Shape shape{1024, 2048};
  const std::int64_t n = element_count(shape);
  const std::vector<Array> inputs{Array::linspace(-1, 1, n).reshaped(shape), Array::full(f32, shape, 0.25)};
  const Prepared prepared(pipeline(shape, {shape[0] / kRows, shape[1] / kColumns}, 0), inputs);
  const auto loop = [&](Array& out) {
    native(inputs[0].as<float>().data(), inputs[1].as<float>().data(), out.as<float>().data(), n);
    benchmark::ClobberMemory();
  };
  Array there(f32, shape);
  loop(there);
  if (!same_bits(prepared.run(inputs)[0], there))
    throw Error(ErrorCode::kInternal, "the simulated axpy and the native loop do not agree");
  const auto simulated = [&] { benchmark::DoNotOptimize(prepared.run(inputs)); };
  Pairing p;
  p.candidate =
      "simulated pipelined axpy, 1024x2048 f32, tiles 8x128, 2 slots, race observer off; makes its output array";
  p.unit = "run";
  std::vector<Pairing> out{p, p};
  out[0].name = "axpy/native";
  out[0].baseline = "the same loop in C++ (-O3, one thread); makes its output array";
  out[0].aim = 8;
  measure(out[0],
          {simulated,
           [&] {
             Array made = Array::unset(f32, shape);
             loop(made);
           }},
          5, 21);
  out[1].name = "axpy/native-in-place";
  out[1].baseline = "the same loop in C++ (-O3, one thread), into an array that is there already";
  measure(out[1], {simulated, [&] { loop(there); }}, 5, 21);
  return out;
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
