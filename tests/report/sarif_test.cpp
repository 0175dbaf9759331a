// SPDX-License-Identifier: Apache-2.0
// What SARIF says of a finding; that it is well formed is tested by validate.py.
#include "report/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "check/catalogue.h"
#include "example.h"

namespace millrace::report {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

const Naming kNaming{"/repo", "kernels"};

Json run_of(const Checked& c) { return to_sarif(c, "0.1.0", kNaming)["runs"][0]; }
Json result_of(const Finding& f) { return run_of(checked({f}))["results"][0]; }

TEST(Sarif, AResultPointsAtTheLaterAccessAndRelatesTheOther) {
  const Json r = result_of(race());
  EXPECT_EQ(r["ruleId"], "race.read-write");
  EXPECT_EQ(r["level"], "error");
  EXPECT_EQ(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "kernels/ring.py");
  EXPECT_EQ(r["locations"][0]["physicalLocation"]["region"]["startLine"], 31);
  EXPECT_EQ(r["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 24);
  EXPECT_EQ(r["relatedLocations"][0]["message"]["text"], "DMA write");
  EXPECT_THAT(r["message"]["text"], HasSubstr("Usual mend: one semaphore for each slot."));
  EXPECT_EQ(r["properties"]["box"], Json({{1, 2}, {0, 8}}));
  EXPECT_FALSE(r.contains("baselineState"));
}

TEST(Sarif, AScopeIsALogicalLocation) {
  const Json at = result_of(in_scope())["locations"][0];
  EXPECT_EQ(at["logicalLocations"][0]["name"], "ep_copy_out/dma_start");
  EXPECT_EQ(at["physicalLocation"]["region"]["startLine"], 12);
  const Json nowhere = result_of(race("ep_copy_out/dma_start"))["locations"][0];
  EXPECT_EQ(nowhere["physicalLocation"]["artifactLocation"]["uri"], "kernels/ring.mlirbc");
  EXPECT_FALSE(nowhere["physicalLocation"].contains("region"));
}

TEST(Sarif, AFindingWithoutAPlaceStandsAtTheModule) {
  const Json r = result_of(warning());
  EXPECT_EQ(r["level"], "warning");
  EXPECT_EQ(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "kernels/ring.mlirbc");
  EXPECT_FALSE(r.contains("relatedLocations"));
}

TEST(Sarif, EveryResultHasARuleWithHelp) {
  const Json run = run_of(checked({race(), deadlock(), warning()}));
  const Json& rules = run["tool"]["driver"]["rules"];
  EXPECT_GE(rules.size(), checkers::rules().size());
  std::set<std::string> ids;
  for (const Json& rule : rules) {
    EXPECT_TRUE(ids.insert(rule["id"]).second);
    EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
  }
  for (const Json& r : run["results"]) EXPECT_EQ(rules[r["ruleIndex"].get<std::size_t>()]["id"], r["ruleId"]);
  EXPECT_EQ(rules[run["results"][2]["ruleIndex"].get<std::size_t>()]["defaultConfiguration"]["level"], "warning");
}

TEST(Sarif, FingerprintsStayWhileLinesMoveAndAreTheirOwn) {
  const auto print = [](const Json& run, std::size_t i) {
    return run["results"][i]["partialFingerprints"]["millraceFinding/v1"].get<std::string>();
  };
  const Json two = run_of(checked({race("ring.py:31"), race("ring.py:35")})),
             moved = run_of(checked({race("ring.py:40")}));
  EXPECT_NE(print(two, 0), print(two, 1));
  EXPECT_EQ(print(two, 0), print(moved, 0));
}

TEST(Sarif, SaysWhatTheBaselineKnows) {
  Checked c = checked({race(), deadlock(), warning()});
  c.states = {State::kUnchanged, State::kMoved, State::kNew};
  const Json run = run_of(c);
  EXPECT_EQ(run["results"][0]["baselineState"], "unchanged");
  EXPECT_EQ(run["results"][1]["baselineState"], "updated");
  EXPECT_EQ(run["results"][2]["baselineState"], "new");
}

TEST(Sarif, FilesAreUris) {
  EXPECT_EQ(uri_of("a/b.py"), "a/b.py");
  EXPECT_EQ(uri_of("/a b/c#d.py"), "file:///a%20b/c%23d.py");
  EXPECT_EQ(uri_of("\xC3\xA4%.py"), "%C3%A4%25.py");
  EXPECT_EQ(uri_of("a:b.py"), "a%3Ab.py");
}

}  // namespace
}  // namespace millrace::report
