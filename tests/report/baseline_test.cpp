// SPDX-License-Identifier: Apache-2.0
// A known finding is known however its line moves; one more of the kind is new.
#include "report/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "example.h"
#include "millrace/error.h"

namespace millrace::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Baseline written(const Checked& c, const Baseline& before = {}) { return {before.with(c), "known.json"}; }

std::vector<State> judged(const Baseline& baseline, Checked c) {
  baseline.judge(c);
  return c.states;
}

TEST(Baseline, KnowsWhatItWasWrittenFrom) {
  const Checked c = checked({race(), deadlock()});
  EXPECT_THAT(judged(written(c), c), ElementsAre(State::kUnchanged, State::kUnchanged));
  EXPECT_THAT(judged(Baseline(), c), ElementsAre(State::kNew, State::kNew));
}

TEST(Baseline, FollowsALineThatMoved) {
  EXPECT_THAT(judged(written(checked({race("ring.py:31")})), checked({race("ring.py:33")})),
              ElementsAre(State::kMoved));
  EXPECT_THAT(judged(written(checked({race("ring.py:31")})), checked({race("other.py:31")})), ElementsAre(State::kNew));
}

TEST(Baseline, AnEntryKnowsOneFinding) {
  const Baseline one = written(checked({race("ring.py:31")}));
  // The line that is still there is the known one, whichever comes first.
  EXPECT_THAT(judged(one, checked({race("ring.py:30"), race("ring.py:31")})),
              ElementsAre(State::kNew, State::kUnchanged));
  EXPECT_THAT(judged(one, checked({race("ring.py:30"), race("ring.py:32")})), ElementsAre(State::kMoved, State::kNew));
}

TEST(Baseline, IdMemoryAndAccessMakeAnotherFinding) {
  const Baseline one = written(checked({race()}));
  for (int change = 0; change < 4; ++change) {
    Finding f = race();
    if (change == 0) f.id = "race.write-write";
    if (change == 1) f.memory = "scratch2";
    if (change == 2) f.second->access = "core write";
    if (change == 3) f.semaphore = "scratch1";
    EXPECT_THAT(judged(one, checked({f})), ElementsAre(State::kNew)) << change;
  }
}

TEST(Baseline, HowOftenAndHowMuchMayChange) {
  Finding f = race();
  f.first->nth = 7, f.box = {{0, 1, 1}, {0, 8, 1}}, f.message = "other words";
  EXPECT_THAT(judged(written(checked({race()})), checked({f})), ElementsAre(State::kUnchanged));
}

TEST(Baseline, TheFolderDoesNotCount) {
  Checked here = checked({race("/a/b/ring.py:31")}), there = checked({race("/c/ring.py:31")});
  there.module = "elsewhere/ring.mlirbc";
  EXPECT_THAT(judged(written(here), there), ElementsAre(State::kUnchanged));
}

TEST(Baseline, CountsWhatIsGone) {
  Checked c = checked({race()});
  written(checked({race(), deadlock()})).judge(c);
  EXPECT_EQ(c.gone, 1u);
}

TEST(Baseline, HoldsSeveralKernelsAndReplacesOnlyThisOnes) {
  Checked other = checked({deadlock()});
  other.kernel = "other";
  const Baseline both = written(other, written(checked({race()})));
  EXPECT_THAT(judged(both, other), ElementsAre(State::kUnchanged));
  EXPECT_THAT(judged(both, checked({race()})), ElementsAre(State::kUnchanged));
  const Baseline without = written(checked({}), both);
  EXPECT_THAT(judged(without, checked({race()})), ElementsAre(State::kNew));
  EXPECT_THAT(judged(without, other), ElementsAre(State::kUnchanged));
}

TEST(Baseline, OnlyNewErrorsCount) {
  Checked c = checked({race(), warning()});
  EXPECT_EQ(new_errors(c), 1u);
  written(checked({race()})).judge(c);
  EXPECT_THAT(c.states, ElementsAre(State::kUnchanged, State::kNew));
  EXPECT_EQ(new_errors(c), 0u);
}

TEST(Baseline, RefusesWhatIsNone) {
  for (const char* text : {"", "{", "[]", "{}", R"({"schema": 2, "findings": []})", R"({"schema": 1})",
                           R"({"schema": 1, "findings": [{"id": "deadlock"}]})"}) {
    try {
      Baseline(text, "known.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUser);
      EXPECT_THAT(error.what(), HasSubstr("known.json is no baseline: ")) << text;
    }
  }
}

TEST(Fingerprint, StaysWhileLinesMoveAndIsItsOwn) {
  const Checked c = checked({});
  EXPECT_EQ(fingerprint(c, race("ring.py:31")), fingerprint(c, race("ring.py:33")));
  EXPECT_NE(fingerprint(c, race()), fingerprint(c, race("other.py:31")));
  EXPECT_NE(fingerprint(c, race()), fingerprint(c, deadlock()));
  Checked other = c;
  other.kernel = "other";
  EXPECT_NE(fingerprint(c, race()), fingerprint(other, race()));
}

}  // namespace
}  // namespace millrace::report
