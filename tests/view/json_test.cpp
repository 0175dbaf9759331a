// SPDX-License-Identifier: Apache-2.0
// The timeline as data, word for word: pictures are made of this, so this is what must not change unseen.
#include "view/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels.h"
#include "laid_out.h"
#include "runs.h"

namespace millrace::test {
namespace {

using Json = nlohmann::ordered_json;

// MILLRACE_WRITE_GOLDEN=1 writes what is there now; look at the difference before committing it.
void expect_golden(const std::string& name, Json json) {
  const std::string path = std::string(MILLRACE_SOURCE_DIR) + "/tests/data/golden/" + name;
  const std::string text = json.dump(1) + "\n";
  if (std::getenv("MILLRACE_WRITE_GOLDEN")) std::ofstream(path) << text;
  std::ifstream file(path);
  std::stringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(text, kept.str()) << path;
}

Json json_of(timing::Timeline t, const std::string& title) {
  t.title = title, t.schedule = "canonical";
  return view::to_json(t);
}

TEST(TimelineJson, OfADoubleBufferIsAsItWas) {
  expect_golden("double_buffer.timeline.json",
                json_of(laid_out(double_buffer(4), {rows_of(4)}).timeline, "double_buffer"));
}

TEST(TimelineJson, OfARaceIsAsItWas) {
  expect_golden("race.timeline.json",
                json_of(laid_out(small_case("faults_small/slot_rewritten_under_store")).timeline, "race"));
}

TEST(TimelineJson, SaysThatItIsModeledAndFromWhat) {
  const Json j = json_of(laid_out(double_buffer(4), {rows_of(4)}).timeline, "double_buffer");
  EXPECT_EQ(j["execution"], "modeled");
  EXPECT_TRUE(j["device"].is_null());
  EXPECT_EQ(j["chip"], "v5e");
  EXPECT_EQ(j["parameters"][0]["name"], "bandwidth");
  EXPECT_EQ(j["parameters"][0]["source"], "given");
  EXPECT_EQ(j.dump().find("measured"), std::string::npos);
}

TEST(TimelineJson, IsTheSameUnderEverySchedule) {
  const auto at = [](const std::string& schedule) {
    return json_of(
        laid_out(pipelined_axpy(3, 2), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)}, round_costs(), schedule)
            .timeline,
        "axpy");
  };
  for (const std::string& schedule : schedules(2)) EXPECT_EQ(at(schedule), at("canonical")) << schedule;
}

}  // namespace
}  // namespace millrace::test
