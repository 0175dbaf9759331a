// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::mutation {
namespace {

Subject subject_of(const std::string& name) {
  return read_subject(std::string(MILLRACE_SOURCE_DIR) + "/tests/" + name);
}

Judged judged(Fate fate) { return {"k", {"drop wait", "k.py:1"}, fate, {}, {}}; }

TEST(Mutation, CountsWhatIsNoEquivalent) {
  EXPECT_EQ(killed_percent({}), 100);
  EXPECT_EQ(killed_percent({judged(Fate::kFinding), judged(Fate::kEquivalent)}), 100);
  EXPECT_EQ(killed_percent({judged(Fate::kFinding), judged(Fate::kSurvived)}), 50);
  EXPECT_EQ(
      killed_percent({judged(Fate::kOutput), judged(Fate::kRefused), judged(Fate::kEndless), judged(Fate::kMissed)}),
      75);
}

TEST(Mutation, NamesWhatLives) {
  const std::string text = report({judged(Fate::kSurvived), judged(Fate::kFinding)});
  EXPECT_THAT(text, testing::HasSubstr("survived: k: drop wait at k.py:1\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("finding: k")));
}

TEST(Mutation, SaysHowASurvivorDiffers) {
  EXPECT_EQ(difference_of("a\nb\nc\n", "a\nc\nc\nd\n"),
            "\"b\" became \"c\"; 1 events only in the original, 2 only in the edited run");
  EXPECT_EQ(difference_of("a\n", "a\nb\n"),
            "\"the end\" became \"b\"; 0 events only in the original, 1 only in the edited run");
  EXPECT_THAT(report({{"k", {"wrong slot", "k.py:2"}, Fate::kSurvived, {}, "x"}}), testing::EndsWith("k.py:2: x\n"));
}

TEST(Mutation, FindsWhatEachKindOfEditBreaks) {
  const std::vector<Judged> all = judge(subject_of("data/kernels/double_buffer_by_hand"));
  const auto fates_of = [&](const std::string& kind) {
    std::vector<Fate> fates;
    for (const Judged& j : all)
      if (j.edit.kind == kind) fates.push_back(j.fate);
    return fates;
  };
  EXPECT_THAT(fates_of("drop start"), testing::Not(testing::IsEmpty()));
  EXPECT_THAT(fates_of("drop start"), testing::Each(Fate::kFinding));  // the wait for it is a deadlock
  EXPECT_THAT(fates_of("double wait"), testing::Each(Fate::kFinding));
  EXPECT_THAT(fates_of("drop wait"), testing::Contains(Fate::kFinding));
  EXPECT_THAT(fates_of("wrong slot"), testing::Contains(Fate::kFinding));
  EXPECT_THAT(fates_of("wrong slot"), testing::Contains(Fate::kEquivalent));  // of a wait, which only counts bytes
  for (const Judged& j : all) EXPECT_NE(j.fate, Fate::kMissed) << j.edit.kind << " at " << j.edit.place;
}

TEST(Mutation, TellsAnEditWithoutEffect) {
  Subject subject = subject_of("data/kernels/double_buffer_by_hand");
  const Observed once = observe(subject, subject.module, "canonical", 1'000'000);
  const Observed again =
      observe(subject, edited(subject.module, edits_of(subject.module).size()), "canonical", 1'000'000);
  EXPECT_EQ(once.events, again.events);
  EXPECT_TRUE(same_bits(once.outputs, again.outputs));
  EXPECT_FALSE(once.outputs.empty());
}

TEST(Mutation, SeesARunWithoutEnd) {
  const Subject subject = subject_of("data/kernels/while_vector");
  EXPECT_TRUE(observe(subject, subject.module, "canonical", 3).endless);
  EXPECT_FALSE(observe(subject, subject.module, "canonical", 1'000'000).endless);
}

}  // namespace
}  // namespace millrace::mutation
