// SPDX-License-Identifier: Apache-2.0
// The picture of the tile table: it shows the table's own figures and says that they are modeled.
#include "plan/bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace millrace::plan {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(Bars, DrawABarForEachFigureAndWriteItDown) {
  const std::string svg = to_svg(tile_table({17, 257}, {{8, 128}, {16, 128}, {16, 256}}, {2, 3}, "f32", 4));
  EXPECT_EQ(count(svg, "<rect class=\"b"), 3u + 6 + 2);  // programs, bytes of two slot counts, and their key
  for (const char* figure :
       {">9<", ">6<", ">4<", ">24<", ">32<", ">64<", ">96<", ">128<", ">9216 elements<", ">+111 % padding<"}) {
    EXPECT_THAT(svg, HasSubstr(figure));
  }
  EXPECT_THAT(svg, HasSubstr("modeled from the configuration, nothing was run or measured"));
  EXPECT_THAT(svg, HasSubstr("Left out of the bytes: semaphores, runtime bookkeeping"));
}

TEST(Bars, TheLargestFigureOfAPanelIsTheTallestBar) {
  const std::string svg = to_svg(tile_table({16, 128}, {{8, 128}, {16, 128}}, {2}, "f32", 4));
  EXPECT_EQ(count(svg, "height=\"180.0\""), 2u);  // 2 programs, and the bytes of 16x128
  EXPECT_EQ(count(svg, "height=\"90.0\""), 2u);   // the other block has half of each
}

TEST(Bars, LoadNothingFromElsewhere) {
  const std::string svg = to_svg(tile_table({17, 257}, {{8, 128}}, {2}, "f32", 4));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace millrace::plan
