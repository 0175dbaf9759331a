// SPDX-License-Identifier: Apache-2.0
// Peers are shell scripts here. What is measured is small, and no figure is judged.
#include "bench/contest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/report.h"

namespace millrace::bench {
namespace {

using ::testing::HasSubstr;

constexpr ContestSettings kQuick{5, 5, 0.01, 1000};

Contest made(bool took_part) {
  Contest c;
  c.name = "cpu-x", c.words = "x", c.threads = 2, c.unit = "GB/s", c.work = 4e6;
  const Entrant ours{"Millrace", {"Millrace", 0.25, 5, {2, 2, 2, 2, 2}}, 2, 0, {}};
  if (took_part)
    c.millrace = ours;
  else
    c.refused = "no such thing here";
  c.others = {{"plain C++", {"plain C++", 0, 5, {4, 4, 4, 4, 4}}, 1, 0, {0.5, 0.5, 0.5, 0.5}}};
  c.calibration = {"2 read, 1 written", "GB/s", 2.5, 0.8, {"calibration", 0, 5, {1.6, 1.6, 1.6, 1.6, 1.6}}};
  return c;
}

TEST(Contest, SaysEverySideAndTheCalibration) {
  const std::string text = to_text(made(true));
  EXPECT_THAT(text, HasSubstr("cpu-x: x, 2 threads\n"));
  EXPECT_THAT(text, HasSubstr("2.0 GB/s, 80 % of the best calibration"));
  EXPECT_THAT(text, HasSubstr("Millrace takes 0.50 [0.50, 0.50] of it"));
  EXPECT_THAT(text, HasSubstr("compiled in 0.250 s before"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("NOISY")));
  const auto json = to_json(made(true));
  EXPECT_TRUE(json["refused"].is_null());
  EXPECT_EQ(json["millrace"]["median_ms"], 2);
  EXPECT_EQ(json["baselines"][0]["ratio"]["median"], 0.5);
  EXPECT_EQ(json["calibration"]["best"], 2.5);
}

TEST(Contest, ANoisyOneSaysSo) {
  Contest c = made(true);
  c.noise = "p90 is 2";
  EXPECT_THAT(to_text(c), HasSubstr("  NOISY: of the calibration, p90 is 2\n"));
  EXPECT_EQ(to_json(c)["noise"], "p90 is 2");
}

TEST(Contest, WhatMillraceDoesNotDoIsSaidAndTheOthersStand) {
  const Contest c = made(false);
  EXPECT_THAT(to_text(c), HasSubstr("Millrace took no part: no such thing here"));
  EXPECT_THAT(to_text(c), ::testing::Not(HasSubstr("Millrace takes")));
  EXPECT_TRUE(to_json(c)["millrace"].is_null());
  EXPECT_FALSE(to_json(c)["baselines"][0].contains("ratio"));
}

TEST(Contest, EveryRowRunsToItsEnd) {
  target::Together threads(2);
  for (const std::string& name : cpu_row_names()) {
    const Contest c = contest(cpu_row(name, Sizes::kSmall), threads, nullptr, kQuick);
    EXPECT_EQ(c.name, name);
    EXPECT_NE(c.millrace.has_value(), !c.refused.empty()) << c.refused;
    EXPECT_GE(c.others.size(), 1u);
    EXPECT_GT(c.calibration.best, 0);
    for (const Entrant& e : c.others) EXPECT_EQ(e.timing.milliseconds.size(), 5u) << e.name;
  }
}

TEST(Contest, WhoComputesSomethingElseIsNotMeasured) {
  target::Together threads(1);
  CpuRow row = cpu_row("cpu-axpy-f32", Sizes::kSmall);
  row.plain = [](const std::vector<Array>& in, Array& out, target::Together&) { out = in[0]; };
  try {
    contest(row, threads, nullptr, kQuick);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_THAT(error.what(), HasSubstr("cpu-axpy-f32: plain C++ does not compute what it should"));
  }
}

// Gives the first input back.
constexpr const char* kEcho =
    "echo hello an echo; while read what name steps folder; do case $what in "
    "prepare) cp $folder/in0.npy $folder/out0.npy; echo ready;; run) echo 1000;; esac; done";

TEST(Contest, APeerTakesPartUnderItsNamesOrNotAtAll) {
  target::Together threads(1);
  Peer peer(kEcho);
  CpuRow row = cpu_row("cpu-axpy-f32", Sizes::kSmall);
  EXPECT_THROW(contest(row, threads, &peer, kQuick), Error);
  row.inputs[0] = row.like = Array::full(f32, row.like.shape(), -0.25);  // 2x + y = x
  row.inputs[1] = Array::full(f32, row.like.shape(), 0.25);
  row.oracle = [](std::int64_t, std::span<double> out) { std::fill(out.begin(), out.end(), -0.25); };
  const Contest c = contest(row, threads, &peer, kQuick);
  ASSERT_EQ(c.others.size(), 3u);
  EXPECT_EQ(c.others[1].name, "numpy");
  EXPECT_EQ(c.others[2].name, "jax");
  EXPECT_EQ(c.others[2].timing.milliseconds, std::vector<double>(5, 1000));
}

TEST(Contest, RowsAreMeasuredByName) {
  std::vector<std::string> heard;
  Settings settings;
  settings.threads = 1, settings.sizes = Sizes::kSmall;
  const Measured measured =
      run({"cpu-softmax", "cpu-softmax"}, settings, [&](const std::string& name) { heard.push_back(name); });
  EXPECT_THAT(heard, ::testing::ElementsAre("cpu-softmax"));
  EXPECT_EQ(measured.contests.at(0).threads, 1);
  EXPECT_THAT(measured.notes, ::testing::ElementsAre(HasSubstr("no --cpu-peer was given")));
  EXPECT_EQ(to_json(measured)["contests"].size(), 1u);
  EXPECT_THAT(to_text(measured), ::testing::StartsWith("Measured on "));
  EXPECT_THAT(names(), ::testing::IsSupersetOf({"cpu", "cpu-matmul-4096", "cpu-attention"}));
}

}  // namespace
}  // namespace millrace::bench
