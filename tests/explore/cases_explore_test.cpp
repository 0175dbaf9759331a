// SPDX-License-Identifier: Apache-2.0
// Random programs whose classes were counted by brute force, in both forms of signals: recorded under any schedule, the
// skeleton has as many. -DMILLRACE_CASES=FOLDER adds those in FOLDER/random.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cases.h"
#include "explore/explore.h"
#include "explore/recorder.h"
#include "runs.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

explore::Skeleton recorded(const Case& c, const std::string& schedule) {
  explore::Recorder recorder;
  run(c.module, c.inputs, c.outputs, {schedule, {&recorder}});
  return recorder.take();
}

void expect_classes(const explore::Skeleton& skeleton, const Json& expected, bool whole, const std::string& name) {
  explore::Options options;
  options.whole_signals = whole;
  for (const bool by_stretches : {true, false}) {
    options.by_stretches = by_stretches;
    const explore::Result r = explore::explore(skeleton, options);
    EXPECT_TRUE(r.complete) << name << ": " << r.stopped;
    EXPECT_EQ(r.classes, expected.at("classes").get<std::uint64_t>()) << name << (whole ? ", whole" : "");
    EXPECT_EQ(r.classes_deadlocked, expected.at("classes_deadlocked").get<std::uint64_t>()) << name;
  }
}

std::vector<fs::path> folders() {
  std::vector<fs::path> all = folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/random_small");
  const fs::path more = fs::path(MILLRACE_CASES) / "random";
  if (fs::is_directory(more))
    for (const fs::path& folder : folders_in(more)) all.push_back(folder);
  return all;
}

TEST(RandomCases, HaveTheClassesThatBruteForceFound) {
  int racy = 0, deadlocked = 0, differing = 0;
  for (const fs::path& folder : folders()) {
    const Case c = read_case(folder);
    std::ifstream file(folder / "case.json");
    const Json expected = Json::parse(file);
    if (!expected.contains("classes")) continue;
    // Where the two forms differ the case says so; where it does not, they agree.
    const bool differs = expected.contains("whole_signals");
    for (const char* schedule : {"canonical", "eager", "random:7"}) {
      const explore::Skeleton skeleton = recorded(c, schedule);
      expect_classes(skeleton, expected, false, c.name);
      expect_classes(skeleton, differs ? expected["whole_signals"] : expected, true, c.name);
    }
    racy += expected["classes"].get<int>() > 1, deadlocked += expected["classes_deadlocked"].get<int>() > 0;
    differing += differs;
  }
  EXPECT_GE(racy, 5);
  EXPECT_GE(deadlocked, 3);
  EXPECT_GE(differing, 3);
}

}  // namespace
}  // namespace millrace::test
