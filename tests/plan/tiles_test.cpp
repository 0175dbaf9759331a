// SPDX-License-Identifier: Apache-2.0
// The tile model: the lesson's table, its limits, and what must hold of every choice.
#include "plan/tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "millrace/error.h"

namespace millrace::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Extent kLesson{17, 257};

std::string refusal(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    return error.what();
  }
  return "not refused";
}

struct Expected {
  Extent block, padded;
  std::int64_t programs, padded_elements, two_slots, three_slots;
};

class LessonTable : public ::testing::TestWithParam<Expected> {};

TEST_P(LessonTable, HasTheLessonsFigures) {
  const Expected& e = GetParam();
  const TilePlan two = plan_tiles(kLesson, e.block);
  const TilePlan three = plan_tiles(kLesson, e.block, {.input_slots = 3});
  EXPECT_EQ(two.padded, e.padded);
  EXPECT_EQ(two.programs, e.programs);
  EXPECT_EQ(two.elements, 4369);
  EXPECT_EQ(two.padded_elements, e.padded_elements);
  EXPECT_EQ(two.modeled_bytes, e.two_slots);
  EXPECT_EQ(three.modeled_bytes, e.three_slots);
  EXPECT_EQ(bytes_ratio(three, two), (Ratio{4, 3}));
}

INSTANTIATE_TEST_SUITE_P(Blocks, LessonTable,
                         ::testing::Values(Expected{{8, 128}, {24, 384}, 9, 9216, 24576, 32768},
                                           Expected{{16, 128}, {32, 384}, 6, 12288, 49152, 65536},
                                           Expected{{16, 256}, {32, 512}, 4, 16384, 98304, 131072}));

TEST(Tiles, HalvesTheBytesForElementsOfTwoBytes) {
  EXPECT_EQ(plan_tiles(kLesson, {8, 128}, {.bytes_per_element = 2}).modeled_bytes, 12288);
}

TEST(Tiles, ABlockLargerThanTheMatrixIsOneProgram) {
  const TilePlan plan = plan_tiles({3, 5}, {8, 128});
  EXPECT_EQ(plan.programs, 1);
  EXPECT_EQ(plan.padded, (Extent{8, 128}));
}

TEST(Tiles, RefusesEmptyShapesAndBlocks) {
  EXPECT_THAT(refusal([] { plan_tiles({0, 5}, {8, 128}); }), HasSubstr("shape 0x5 must have at least 1 row"));
  EXPECT_THAT(refusal([] { plan_tiles({1, 5}, {8, -1}); }), HasSubstr("block 8x-1 must have at least 1 row"));
}

TEST(Tiles, RefusesCountsBelowOneByName) {
  EXPECT_THAT(refusal([] { plan_tiles(kLesson, {8, 128}, {.input_slots = 0}); }), HasSubstr("input slots"));
  EXPECT_THAT(refusal([] { plan_tiles(kLesson, {8, 128}, {.output_slots = 0}); }), HasSubstr("output slots"));
  EXPECT_THAT(refusal([] { plan_tiles(kLesson, {8, 128}, {.bytes_per_element = 0}); }), HasSubstr("bytes per element"));
}

TEST(Tiles, RefusesFiguresThatWouldOverflow) {
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_THAT(refusal([&] { plan_tiles({huge, huge}, {1, 1}); }), HasSubstr("number of programs would exceed 2^62"));
  EXPECT_THAT(refusal([&] { plan_tiles({huge, huge}, {huge, 1}); }), HasSubstr("number of elements would exceed 2^62"));
  EXPECT_THAT(refusal([&] { plan_tiles({1, 1}, {huge, huge}); }), HasSubstr("would exceed 2^62"));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(refusal([&] { plan_tiles({most, 1}, {2, 1}); }), HasSubstr("padded rows would exceed 2^62"));
  EXPECT_THAT(refusal([&] { plan_tiles({1, 1}, {1, 1}, {.input_slots = most}); }), HasSubstr("modeled bytes"));
}

TEST(Tiles, NamesWhatTheModelLeavesOut) {
  EXPECT_THAT(left_out_of_the_model(), ElementsAre("semaphores", "runtime bookkeeping", "layout padding of the target",
                                                   "registers", "compiler scratch"));
}

Extent any_extent(int most) { return {*rc::gen::inRange(1, most), *rc::gen::inRange(1, most)}; }

RC_GTEST_PROP(Tiles, ProgramsTimesBlockIsThePaddedMatrix, ()) {
  const TilePlan plan = plan_tiles(any_extent(5000), any_extent(600));
  RC_ASSERT(plan.programs * plan.block.rows * plan.block.columns == plan.padded_elements);
  RC_ASSERT(plan.padded.rows * plan.padded.columns == plan.padded_elements);
}

RC_GTEST_PROP(Tiles, PaddingIsLessThanABlockInEachDimension, ()) {
  const TilePlan plan = plan_tiles(any_extent(5000), any_extent(600));
  RC_ASSERT(plan.padded.rows >= plan.shape.rows);
  RC_ASSERT(plan.padded.rows - plan.shape.rows < plan.block.rows);
  RC_ASSERT(plan.padded.columns >= plan.shape.columns);
  RC_ASSERT(plan.padded.columns - plan.shape.columns < plan.block.columns);
}

RC_GTEST_PROP(Tiles, ABlockOfTwiceTheRowsNeverTakesMorePrograms, ()) {
  const Extent shape = any_extent(5000), block = any_extent(600);
  const TilePlan once = plan_tiles(shape, block), twice = plan_tiles(shape, {2 * block.rows, block.columns});
  RC_ASSERT(twice.programs <= once.programs);
  RC_ASSERT(twice.padded_elements >= once.padded_elements);
  RC_ASSERT(twice.modeled_bytes == 2 * once.modeled_bytes);
}

RC_GTEST_PROP(Tiles, AnotherInputSlotCostsTwoBlocks, ()) {
  const Extent shape = any_extent(5000), block = any_extent(600);
  const std::int64_t slots = *rc::gen::inRange(1, 20);
  const TilePlan less = plan_tiles(shape, block, {.input_slots = slots});
  const TilePlan more = plan_tiles(shape, block, {.input_slots = slots + 1});
  RC_ASSERT(more.modeled_bytes - less.modeled_bytes == 2 * block.rows * block.columns * 4);
}

}  // namespace
}  // namespace millrace::plan
