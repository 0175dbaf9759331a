// SPDX-License-Identifier: Apache-2.0
// How findings come together: one a root cause, nothing of the end where there was none, and in one order.
#include "check/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "story.h"

namespace millrace::test {
namespace {

using checkers::joined;
using testing::ElementsAre;

Finding at(const std::string& id, const std::string& place, const std::string& memory = "scratch0") {
  Finding f;
  f.id = id, f.memory = memory;
  f.first = Side{"DMA write", place, 0, 0, 0, {}, ""};
  f.box = {{0, 8}};
  return f;
}

std::vector<std::string> ids(const std::vector<Finding>& findings) {
  std::vector<std::string> all;
  for (const Finding& f : findings) all.push_back(f.id);
  return all;
}

TEST(Joined, SortsByFileAndLineAsNumbersThenById) {
  const auto sorted =
      joined({at("b", "k.py:12"), at("a", "k.py:12"), at("c", "k.py:9"), at("d", "a.py:70"), at("e", "scope")});
  EXPECT_THAT(ids(sorted), ElementsAre("d", "c", "a", "b", "e"));
}

TEST(Joined, AfterADeadlockNothingIsJudgedByTheEnd) {
  Finding deadlock;
  deadlock.id = "deadlock";
  deadlock.waiters.push_back({"scratch1", "k.py:20"});
  const std::vector<Finding> found = {at("race.read-write", "k.py:1"),    at("leftover.dma", "k.py:2"),
                                      at("leftover.semaphore", "k.py:3"), at("uninitialized.read", "k.py:4"),
                                      at("uncovered.output", "k.py:5"),   at("padding.reduction", "k.py:6"),
                                      at("scope.use-after", "k.py:7"),    at("revisit.output", "k.py:8")};
  EXPECT_EQ(joined(found).size(), found.size());
  auto with = found;
  with.push_back(deadlock);
  EXPECT_THAT(ids(joined(with)), ElementsAre("race.read-write", "scope.use-after", "revisit.output", "deadlock"));
}

TEST(Joined, UndefinedElementsThatARaceTouchesAreThatRace) {
  Finding race = at("race.read-write", "k.py:3"), undefined;
  race.second = Side{"core read", "k.py:5", 0, 0, 0, {}, ""};
  undefined.id = "uninitialized.read", undefined.memory = "scratch0", undefined.box = {{0, 4}};
  undefined.second = Side{"core read", "k.py:5", 0, 0, 0, {}, ""};
  EXPECT_THAT(ids(joined({race, undefined})), ElementsAre("race.read-write"));

  Finding elsewhere = undefined, later = undefined, other = undefined;
  elsewhere.box = {{8, 16}}, later.second->at = "k.py:6", other.memory = "scratch1";
  for (const Finding& f : {elsewhere, later, other}) EXPECT_EQ(joined({race, f}).size(), 2u);
}

TEST(VerdictOn, WarningsDoNotMakeAKernelFaulty) {
  Finding warning = at("target.semaphore", "k.py:1");
  warning.severity = Severity::kWarning;
  EXPECT_EQ(checkers::verdict_on({}), Verdict::kClean);
  EXPECT_EQ(checkers::verdict_on({warning}), Verdict::kClean);
  EXPECT_EQ(checkers::verdict_on({warning, at("deadlock", "k.py:2")}), Verdict::kFaulty);
}

TEST(Checks, AFindingOnAnAliasedArrayHasAllItsNames) {
  checkers::Checks checks;
  Story story(checks);
  const auto array = story.memory("out0", {64}, {"in1"}), buffer = story.memory("scratch0");
  const auto s = story.semaphores("scratch1");
  story.start(buffer, array, {s, 0}, 4096, 3);
  story.start(array, buffer, {s, 0}, 4096, 4);
  story.end();
  const auto found = checks.findings({});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].same_memory, ElementsAre("in1", "out0"));
  EXPECT_TRUE(found[1].same_memory.empty());
}

}  // namespace
}  // namespace millrace::test
