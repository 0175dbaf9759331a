// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/calibrated_receipt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "target/cpu/calibrate.h"
#include "target/cpu/matmul.h"

namespace millrace::target {

namespace {

constexpr double kSampleMs = 2, kEnoughMs = 10;  // shorter work is run so long in a row, and no longer

constexpr const char* kBoundary =
    "Time on the wall of one run into arrays that are there, the caches as the run before left them (short runs are "
    "several in a row, whose mean is a sample). Compiling, reading files and making arrays are not in it. The "
    "calibration passes over as many bytes as go in and come out: a kernel that computes much, or passes over them "
    "more than once, cannot reach it.";

int runs_of(const std::function<void()>& run) {
  const auto before = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;
  return runs_for(took.count(), kSampleMs);
}

std::size_t bytes_of(const std::vector<Array>& arrays) {
  std::size_t sum = 0;
  for (const Array& a : arrays) sum += a.bytes();
  return sum;
}

Array room(std::size_t bytes) {
  Array a = Array::unset(DType::u8, {static_cast<std::int64_t>(bytes)});
  std::fill_n(a.data(), a.bytes(), std::byte{1});  // its pages are there from now on
  return a;
}

}  // namespace

Mix mix_of(std::size_t in, std::size_t out) {
  if (in == 0 || out == 0) return {in ? 1 : 0, out != 0, in + out};
  const int reads = std::clamp(static_cast<int>(std::lround(static_cast<double>(in) / static_cast<double>(out))), 1, 4);
  return {reads, true, std::max<std::size_t>(1, (in + out) / static_cast<std::size_t>(reads + 1))};
}

nlohmann::ordered_json measured_receipt(const CpuRun& r, int samples) {
  ReceiptFacts facts;
  facts.device = r.device, facts.platform = "cpu", facts.platform_version = r.device;
  facts.versions = {{"millrace", r.millrace}, {"llvm", r.llvm}, {"matmul", matmul_library()}};
  facts.implementation = r.implementation;
  facts.configuration = r.configuration;
  facts.configuration["threads"] = r.threads, facts.configuration["movement"] = r.movement;
  facts.correctness = r.correctness;
  facts.boundary = kBoundary;

  const Mix mix = mix_of(bytes_of(r.inputs), bytes_of(r.outputs));
  std::vector<Array> arrays;
  for (int i = 0; i < mix.reads + (mix.written ? 1 : 0); ++i) arrays.push_back(room(mix.bytes));
  Streams streams{{}, mix.written ? arrays.back().data() : nullptr, mix.bytes};
  for (int i = 0; i < mix.reads; ++i) streams.reads.push_back(arrays[static_cast<std::size_t>(i)].data());
  Together threads(r.threads);
  const MixLoop loop(streams, threads);
  const std::function<void()> pass = [&] { loop.run(); };
  const Samples s = take_turns(
      {{r.kernel, r.run, {}, runs_of(r.run), kEnoughMs}, {"calibration", pass, {}, runs_of(pass), kEnoughMs}},
      kLeastWarmUps, samples);
  facts.timing = {r.kernel, r.compile_seconds, s.warm_ups, s.milliseconds[0]};
  const double best = spread_of(s.milliseconds[1]).min;
  facts.calibration = Calibration{
      fmt::format("{} read, {} written, {} bytes each, {}", mix.reads, mix.written ? 1 : 0, mix.bytes, loop.variant()),
      "GB/s",
      loop.streams().traffic() / best / 1e6,
      best / spread_of(s.milliseconds[0]).median,
      {"calibration", 0, s.warm_ups, s.milliseconds[1]}};
  return receipt(facts);
}

}  // namespace millrace::target
