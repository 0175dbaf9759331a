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
  const Measured measured = run({"jax"}, "", kQuiet);
  EXPECT_TRUE(measured.pairings.empty());
  ASSERT_EQ(measured.notes.size(), 1u);
  EXPECT_THAT(to_text(measured), HasSubstr("no rows against JAX: no --peer was given"));
  EXPECT_EQ(to_json(measured)["notes"].size(), 1u);
}

TEST(Report, ABenchmarkThatThereIsNotIsAUserError) {
  try {
    run({"axpi"}, "", kQuiet);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_STREQ(error.what(), "there is no benchmark `axpi`; there are native, in-place, steps, jax, libtpu");
  }
}

TEST(Report, SaysRatiosAndSpeedups) {
  Measured measured;
  Pairing slow;
  slow.name = "slow", slow.ratio = {4, 5, 6}, slow.aim = 8;
  Pairing fast;
  fast.name = "fast", fast.ratio = {1.0 / 4000, 1.0 / 2000, 1.0 / 1000}, fast.aim = 1.0 / 1000, fast.speedup = true;
  measured.pairings = {slow, fast};
  const std::string text = to_text(measured);
  EXPECT_THAT(text, HasSubstr("slow: 5.00 [4.00, 6.00] (aim: at most 8)\n"));
  EXPECT_THAT(text, HasSubstr("fast: 2000 [1000, 4000] times as fast (aim: at least 1000)\n"));
  EXPECT_EQ(to_json(measured)["pairings"][0]["ratio"]["median"], 5);
}

}  // namespace
}  // namespace millrace::bench
