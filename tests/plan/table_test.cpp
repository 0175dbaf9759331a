// SPDX-License-Identifier: Apache-2.0
// Extents as they are written, and the table as text and JSON.
#include "plan/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "millrace/error.h"

namespace millrace::plan {
namespace {

using ::testing::HasSubstr;

TEST(Extent, ReadsRowsAndColumns) {
  EXPECT_EQ(parse_extent("17x257", "--shape"), (Extent{17, 257}));
  EXPECT_EQ(to_string(Extent{17, 257}), "17x257");
}

class NotAnExtent : public ::testing::TestWithParam<const char*> {};

TEST_P(NotAnExtent, IsRefusedWithItsText) {
  try {
    parse_extent(GetParam(), "--block");
    FAIL() << "accepted " << GetParam();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_THAT(error.what(), HasSubstr(std::string("--block `") + GetParam() + "`"));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, NotAnExtent,
                         ::testing::Values("", "8", "x", "8x", "x128", "0x128", "8x0", "-8x128", "8x128x1", "8X128",
                                           "8.0x128", " 8x128", "8x128 ", "99999999999999999999x1"));

TileTable lesson() { return tile_table({17, 257}, {{8, 128}, {16, 256}}, {2, 3}, "f32", 4); }

TEST(TileTable, TellsEachBlockOnALineAndWhatIsLeftOut) {
  const std::string text = to_text(lesson());
  EXPECT_THAT(text, HasSubstr("4369 elements; modeled from the configuration, nothing was run"));
  EXPECT_THAT(text, ::testing::ContainsRegex("8x128 +9 +24x384 +9216 +24576 +32768 +4/3\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("16x256 +4 +32x512 +16384 +98304 +131072 +4/3\n"));
  EXPECT_THAT(text, HasSubstr(" ratio\n"));
  EXPECT_THAT(text, HasSubstr("left out of the model: semaphores, runtime bookkeeping"));
}

TEST(TileTable, HasNoRatioForOneSlotCount) {
  const TileTable table = tile_table({17, 257}, {{8, 128}}, {2}, "f32", 4);
  EXPECT_THAT(to_text(table), ::testing::Not(HasSubstr(" ratio\n")));
  EXPECT_FALSE(to_json(table)["tiles"][0].contains("ratio"));
}

TEST(TileTable, ExportsEveryFigureAsModeled) {
  const auto json = to_json(lesson());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["execution"], "modeled");
  EXPECT_EQ(json["tiles"][1].dump(),
            R"({"block":[16,256],"padded_shape":[32,512],"programs":4,"padded_elements":16384,)"
            R"("modeled_bytes":[{"input_slots":2,"bytes":98304},{"input_slots":3,"bytes":131072}],"ratio":"4/3"})");
  EXPECT_EQ(json["left_out"].size(), 5u);
}

TEST(TileTable, NeedsABlockAndASlotCount) {
  EXPECT_THROW(tile_table({17, 257}, {}, {2}, "f32", 4), Error);
  EXPECT_THROW(tile_table({17, 257}, {{8, 128}}, {}, "f32", 4), Error);
}

}  // namespace
}  // namespace millrace::plan
