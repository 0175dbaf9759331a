// SPDX-License-Identifier: Apache-2.0
// Blocks of a grid's windows, step by step: each fault beside the order of blocks that is right.
#include "check/window_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "story.h"

namespace millrace::test {
namespace {

using checkers::Numbers;
using checkers::WindowRules;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A grid of one axis; the output shows blocks[i] in step i.
std::vector<Finding> output_shows(const std::vector<std::int64_t>& blocks, bool reload = false) {
  WindowRules rules;
  Story story(rules);
  story.bind(0, "out0", story.memory("out0"), true, reload);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    story.step({static_cast<std::int64_t>(i)});
    if (i == 0 || blocks[i] != blocks[i - 1]) story.enter(0, 0, {blocks[i]});
  }
  return rules.findings();
}

TEST(WindowRules, AnOutputBlockThatIsEnteredAgainIsFoundOnceByTheFirstStepThatDoes) {
  const auto found = output_shows({0, 1, 0, 1});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "revisit.output");
  EXPECT_EQ(found[0].memory, "out0");
  EXPECT_EQ(found[0].block, (Numbers{0}));
  EXPECT_EQ(found[0].grid_step, (Numbers{2}));
  EXPECT_EQ(found[0].left_after, (Numbers{0}));
  EXPECT_EQ(found[0].clause, "S5.14");
  EXPECT_THAT(found[0].message, HasSubstr("step (2,) enters block (0,) of out0 again"));
}

TEST(WindowRules, ABlockIsLeftAfterTheLastStepThatShowsIt) {
  EXPECT_EQ(output_shows({0, 0, 0, 1, 0}).at(0).left_after, (Numbers{2}));
}

TEST(WindowRules, BlocksThatStayAndBlocksThatAreReadBackMayBeEntered) {
  EXPECT_THAT(output_shows({0, 0, 1, 1, 2}), IsEmpty());
  EXPECT_THAT(output_shows({0, 1, 0, 1}, true), IsEmpty());
}

TEST(WindowRules, AnInputMayShowABlockAgain) {
  WindowRules rules;
  Story story(rules);
  story.bind(0, "in0", story.memory("in0"), false);
  for (const std::int64_t i : {0, 1, 2}) story.step({i}), story.enter(0, 0, {i % 2});
  EXPECT_THAT(rules.findings(), IsEmpty());
}

// In place: step i shows input rows from[i] and output rows to[i], `height` and 8 of them a block; inputs are fetched
// one step ahead, or, with one slot, in the step itself.
std::vector<Finding> in_place(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
                              std::int64_t height = 8, bool ahead = true, bool shared = true) {
  WindowRules rules;
  Story story(rules);
  const auto array = story.memory("out0", {64}, {"in0"});
  const auto other = shared ? array : story.memory("in0");
  story.bind(0, "in0", other, false, false, {height});
  story.bind(1, "out0", array, true, true);
  auto fetch = [&](std::size_t i) {
    const auto slot = static_cast<std::uint32_t>(ahead ? i % 2 : 0);
    story.move(0, slot, other, {from[i]}, Story::rows(from[i] * height, from[i] * height + height), false);
  };
  auto stays = [&](std::size_t i) { return i > 0 && from[i] == from[i - 1]; };
  if (ahead) fetch(0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    story.step({static_cast<std::int64_t>(i)});
    if (!stays(i)) story.enter(0, static_cast<std::uint32_t>(ahead ? i % 2 : 0), {from[i]});
    if (!ahead && !stays(i)) fetch(i);
    if (ahead && i + 1 < from.size() && !stays(i + 1)) fetch(i + 1);
    if (i + 1 == to.size() || to[i] != to[i + 1])
      story.move(1, 0, array, {to[i]}, Story::rows(to[i] * 8, to[i] * 8 + 8), true);
  }
  return rules.findings();
}

TEST(WindowRules, AnInputBlockThatAnEarlierStepHasReplacedIsAHazard) {
  for (const bool ahead : {true, false}) {
    const auto found = in_place({0, 0, 1, 2}, {0, 1, 2, 3}, 8, ahead);
    ASSERT_THAT(found, SizeIs(1)) << ahead;
    EXPECT_EQ(found[0].id, "alias.hazard");
    EXPECT_EQ(found[0].memory, "in0");
    EXPECT_EQ(found[0].output, "out0");
    EXPECT_EQ(found[0].block, (Numbers{1}));
    EXPECT_EQ(found[0].grid_step, (Numbers{2}));
    EXPECT_EQ(found[0].written_in, (Numbers{1}));
    EXPECT_EQ(found[0].clause, "S5.15");
  }
}

TEST(WindowRules, ReadingTheOwnBlockALaterOneOrAnArrayOfItsOwnIsNone) {
  for (const bool ahead : {true, false}) {
    EXPECT_THAT(in_place({0, 1, 2, 3}, {0, 1, 2, 3}, 8, ahead), IsEmpty());
    EXPECT_THAT(in_place({1, 2, 3, 3}, {0, 1, 2, 3}, 8, ahead), IsEmpty());
    EXPECT_THAT(in_place({0, 0, 1, 2}, {0, 1, 2, 3}, 8, ahead, false), IsEmpty());
  }
}

TEST(WindowRules, AnOutputBlockThatStaysHasReplacedItsBlockOnlyWhenItIsLeft) {
  EXPECT_THAT(in_place({1, 0, 2}, {0, 0, 1}), IsEmpty());
  EXPECT_EQ(in_place({1, 2, 0}, {0, 0, 1}).at(0).written_in, (Numbers{1}));
}

TEST(WindowRules, BlocksOfOtherSizesOverlapWhereTheirElementsDo) {
  EXPECT_THAT(in_place({0, 2, 1}, {0, 1, 2}, 16), SizeIs(0));  // rows 32:48, then 16:32 while 16:24 is shown
  EXPECT_EQ(in_place({3, 3, 0}, {7, 1, 2}, 16).at(0).written_in, (Numbers{1}));  // rows 0:16 hold block 1
  EXPECT_EQ(in_place({9, 9, 2}, {0, 1, 2}, 4).at(0).written_in, (Numbers{1}));   // rows 8:12 lie in block 1
  EXPECT_THAT(in_place({9, 9, 4}, {0, 1, 2}, 4), IsEmpty());
}

event::Box box(std::int64_t begin, std::int64_t end) { return Story::rows(begin, end); }

// Held against a walk over everything written, with blocks on the grid of their size and off it.
TEST(WrittenBlocks, FindTheEarliestThatOverlaps) {
  std::uint64_t seed = 7;
  auto pick = [&](std::uint64_t n) {
    return static_cast<std::int64_t>((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33) %
           static_cast<std::int64_t>(n);
  };
  for (int round = 0; round < 200; ++round) {
    checkers::WrittenBlocks written({4});
    std::vector<checkers::WrittenBlocks::Write> all;
    for (std::uint64_t i = 0; i < 12; ++i) {
      const std::int64_t number = pick(10), begin = round % 2 ? number * 4 : number * 4 + pick(3);
      all.push_back({box(begin, begin + 4), i, {static_cast<std::int64_t>(i)}});
      written.add({number}, all.back());
      const std::int64_t from = pick(40), to = from + 1 + pick(12);
      const auto* found = written.find(box(from, to));
      const auto right =
          std::find_if(all.begin(), all.end(), [&](auto& w) { return event::overlap(w.box, box(from, to)); });
      ASSERT_EQ(found != nullptr, right != all.end());
      ASSERT_TRUE(!found || found->order == right->order);
    }
  }
}

}  // namespace
}  // namespace millrace::test
