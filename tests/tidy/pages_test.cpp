// SPDX-License-Identifier: Apache-2.0
#include "pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shell.h"

namespace millrace::tidy {
namespace {

TEST(Pages, BlocksKeepTheirLanguageWordsAndLine) {
  const auto blocks = blocks_of("text\n```console exit=1\n$ a\n```\n\n```text\nb\n```\nmore\n```cpp no-test\n```\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].language, "console");
  EXPECT_EQ(expected_exit(blocks[0]), 1);
  EXPECT_EQ(blocks[0].line, 2u);
  EXPECT_EQ(blocks[0].text, "$ a\n");
  EXPECT_TRUE(blocks[1].follows);
  EXPECT_FALSE(blocks[2].follows);
  EXPECT_TRUE(has_word(blocks[2], "no-test"));
}

TEST(Pages, ABlockThatNeverEndsIsRefused) { EXPECT_THROW(blocks_of("```cpp\nint a;\n"), std::runtime_error); }

TEST(Pages, ATranscriptIsCommandsEachWithWhatItPrints) {
  const auto steps = steps_of({"console", {}, "$ a \\\n  b\none\ntwo\n$ c\n", 10, false});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].command, "a \\\n  b");
  EXPECT_EQ(steps[0].expected, "one\ntwo\n");
  EXPECT_EQ(steps[0].line, 11u);
  EXPECT_EQ(steps[1].command, "c");
  EXPECT_EQ(steps[1].expected, "");
}

TEST(Pages, ATranscriptOpensWithACommand) {
  EXPECT_THROW(steps_of({"console", {}, "a\n", 1, false}), std::runtime_error);
}

TEST(Pages, WhatIsPrintedMustBeWhatThePageSays) {
  EXPECT_TRUE(matches("a\nb\n", "a\nb\n"));
  EXPECT_TRUE(matches("a  \nb\n\n", "a\nb\n"));
  EXPECT_FALSE(matches("a\nb\n", "a\n"));
  EXPECT_FALSE(matches("a\n", "a\nb\n"));
  EXPECT_FALSE(matches("a\n", ""));
}

TEST(Pages, DotsStandForAnyTextWithinALineAndForAnyLines) {
  EXPECT_TRUE(matches("took 0.02 s, 3 steps\n", "took ... s, ... steps\n"));
  EXPECT_FALSE(matches("took 0.02 s, 3 steps\n", "took ... s, ... stops\n"));
  EXPECT_TRUE(matches("a\nb\nc\nd\n", "a\n...\nd\n"));
  EXPECT_TRUE(matches("a\nd\n", "a\n...\nd\n"));
  EXPECT_FALSE(matches("a\nb\nc\n", "a\n...\nd\n"));
}

TEST(Shell, TellsExitCodeAndBothStreams) {
  const Scratch scratch;
  const Outcome outcome = run_shell(scratch.path(), "echo out; echo err >&2; exit 3");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.output, "out\nerr\n");
  EXPECT_EQ(run_shell(scratch.path(), "echo " + quoted("it's $HOME")).output, "it's $HOME\n");
}

}  // namespace
}  // namespace millrace::tidy
