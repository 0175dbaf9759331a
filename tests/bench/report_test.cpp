// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "millrace/error.h"

namespace millrace::bench {
namespace {

using ::testing::HasSubstr;

const auto kQuiet = [](const std::string&) {};

TEST(Report, WithoutAPeerItsRowsAreLeftOutWithANote) {
  const Measured measured = run({"jax"}, {}, kQuiet);
  EXPECT_TRUE(measured.pairings.empty());
  ASSERT_EQ(measured.notes.size(), 1u);
  EXPECT_THAT(to_text(measured), HasSubstr("no rows against JAX: no --peer was given"));
  EXPECT_EQ(to_json(measured)["notes"].size(), 1u);
}

TEST(Report, WithoutADoorItsRowsAreLeftOutWithANote) {
  const Measured measured = run({"door"}, {}, kQuiet);
  EXPECT_TRUE(measured.pairings.empty());
  EXPECT_THAT(to_text(measured), HasSubstr("no rows of the JAX door: no --door was given (`make python-env`"));
}

TEST(Report, ABenchmarkThatThereIsNotIsAUserError) {
  try {
    run({"axpi"}, {}, kQuiet);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_THAT(error.what(),
                HasSubstr("there is no benchmark `axpi`; there are native, in-place, steps, checks, explore, "
                          "report, jax, jax-checks, door, libtpu, cpu, cpu-axpy-f32, "));
  }
}

TEST(Report, SaysRatiosAndSpeedups) {
  Measured measured;
  Pairing slow;
  slow.name = "slow", slow.baseline = "b", slow.ratio = {4, 5, 6}, slow.aim = 8;
  Pairing fast;
  fast.name = "fast", fast.baseline = "b", fast.speedup = true;
  fast.ratio = {1.0 / 4000, 1.0 / 2000, 1.0 / 1000}, fast.aim = 1.0 / 1000;
  Pairing alone;
  alone.name = "alone", alone.unit = "class", alone.candidate_ms = {1, 2, 3}, alone.candidate_work = 1000,
  alone.aim_us = 10;
  measured.pairings = {slow, fast, alone};
  const std::string text = to_text(measured);
  EXPECT_THAT(text, HasSubstr("slow: 5.00 [4.00, 6.00] (aim: at most 8)\n"));
  EXPECT_THAT(text, HasSubstr("fast: 2000 [1000, 4000] times as fast (aim: at least 1000)\n"));
  EXPECT_THAT(text, HasSubstr("alone: 2 us a class (aim: at most 10)\n"));
  EXPECT_EQ(to_json(measured)["pairings"][2]["aim_us"], 10);
  EXPECT_EQ(to_json(measured)["pairings"][0]["ratio"]["median"], 5);
}

}  // namespace
}  // namespace millrace::bench
