// SPDX-License-Identifier: Apache-2.0
// Where the figures of a chip come from, and what the caller may replace.
#include "timing/costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::timing {
namespace {

using ::testing::HasSubstr;

const Parameter& parameter(const Costs& c, const std::string& name) {
  for (const Parameter& p : c.parameters)
    if (p.name == name) return p;
  throw std::logic_error(name);
}

TEST(Costs, OfAChipAreThePublishedOnes) {
  const Costs c = costs_of("v5e");
  EXPECT_EQ(c.hbm, 820e9);
  EXPECT_EQ(c.matrix, 197e12);
  EXPECT_EQ(c.matrix_rate(16, true), 197e12);
  EXPECT_EQ(c.matrix_rate(8, false), 394e12);
  EXPECT_EQ(c.matrix_rate(32, true), 197e12 / 6);
  EXPECT_EQ(parameter(c, "bandwidth").source, "published");
  EXPECT_EQ(parameter(c, "dma-latency").source, "derived");
}

// The rate of all matrix units is two operations for each of their multipliers and cycle.
TEST(Costs, TheClockIsThatWhichTheMatrixRateNeeds) {
  EXPECT_NEAR(parameter(costs_of("v5e"), "clock").value, 197e12 / (2 * 4 * 128 * 128) / 1e9, 1e-9);
  EXPECT_NEAR(parameter(costs_of("v5e"), "clock").value, 1.5, 0.01);
  EXPECT_NEAR(parameter(costs_of("v5p"), "clock").value, 1.75, 0.01);
}

TEST(Costs, WhatIsGivenReplacesTheChipsOwnAndWhatFollowsFromIt) {
  const Costs c = costs_of("v5e", {{"bandwidth", 100}, {"dma-latency", 2}, {"clock", 1}});
  EXPECT_EQ(c.hbm, 100e9);
  EXPECT_EQ(c.latency, 2'000'000);
  EXPECT_EQ(c.vector, 4 * 1024 * 1e9);
  EXPECT_EQ(parameter(c, "bandwidth").source, "given");
  EXPECT_EQ(parameter(c, "vector-rate").source, "derived");
}

TEST(Costs, ANarrowProductKeepsItsRatioToAGivenRate) {
  EXPECT_EQ(costs_of("v5e", {{"matrix-rate", 100}}).matrix_rate(8, false), 200e12);
}

TEST(Costs, EveryChipThatRunsHasThem) {
  for (const char* chip : {"v4", "v5e", "v5p", "v6e", "tpu7x", "TPU v5 lite"}) {
    const Costs c = costs_of(chip);
    for (const double rate : {c.hbm, c.local, c.link, c.vector, c.transcendental, c.rearrange, c.loads, c.stores,
                              c.matrix, c.matrix_i8, c.matrix_f8, c.matrix_i4})
      EXPECT_GT(rate, 1e9) << chip;
  }
}

TEST(Costs, RefuseWhatIsNoParameterAndNoRate) {
  const auto error = [](const std::map<std::string, double>& given, const char* chip = "v5e") {
    return test::error_of([&] { costs_of(chip, given); });
  };
  EXPECT_THAT(error({{"speed", 1}}),
              HasSubstr("user: the modeled clock has no parameter `speed`; there are bandwidth"));
  EXPECT_THAT(error({{"bandwidth", 0}}), HasSubstr("user: bandwidth 0: take a number from 1e-9"));
  EXPECT_THAT(error({{"dma-latency", -1}}), HasSubstr("user: dma-latency -1: take a number from 0"));
  EXPECT_EQ(error({{"dma-latency", 0}}), "no error");
  EXPECT_THAT(error({}, "v3"), HasSubstr("unsupported: no rates are known of chip v3"));
  EXPECT_THAT(error({}, "v9"), HasSubstr("user: there is no chip `v9`"));
}

}  // namespace
}  // namespace millrace::timing
