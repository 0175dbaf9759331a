// SPDX-License-Identifier: Apache-2.0
// The picture of the tile table: it shows the table's own figures and says that they are modeled.
#include "plan/bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

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
       {">9<", ">6<", ">4<", ">24<", ">32<", ">64<", ">96<", ">128<", ">9,216 elements<", ">+111 % padding<"}) {
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

struct Words {
  double left, right, y;
  std::string text;
};

// Texts with where they stand, by the width that their letters take in a usual sans serif.
std::vector<Words> words_of(const std::string& svg) {
  std::vector<Words> all;
  for (std::size_t at = svg.find("<text "); at != svg.npos; at = svg.find("<text ", at + 1)) {
    const std::size_t begin = svg.find('>', at) + 1, end = svg.find('<', begin);
    const std::string tag = svg.substr(at, begin - at), text = svg.substr(begin, end - begin);
    const double x = std::stod(tag.substr(tag.find("x=") + 3)), y = std::stod(tag.substr(tag.find("y=") + 3));
    const double width = (tag.find("font-size=\"11\"") != tag.npos ? 6.2 : 6.8) * static_cast<double>(text.size());
    const double left = tag.find("middle") != tag.npos ? x - width / 2 : x;
    all.push_back({left, left + width, y, text});
  }
  return all;
}

std::string clash_in(const std::string& svg) {
  const std::vector<Words> all = words_of(svg);
  const double width = std::stod(svg.substr(svg.find("width=") + 7));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].left < 0 || all[i].right > width) return all[i].text + " leaves the picture";
    for (std::size_t k = 0; k < i; ++k)
      if (std::abs(all[i].y - all[k].y) < 9 && all[i].left < all[k].right && all[k].left < all[i].right)
        return all[k].text + " lies on " + all[i].text;
  }
  return "";
}

TEST(Bars, NoTwoTextsLieOnEachOtherAtAnyWidth) {
  const std::vector<Extent> few = {{8, 128}, {16, 128}, {16, 256}};
  std::vector<Extent> many = few;
  many.insert(many.end(), {{32, 256}, {64, 512}, {128, 128}, {256, 256}});
  for (const std::vector<Extent>& blocks : {std::vector<Extent>{{8, 128}}, few, many})
    for (const std::vector<std::int64_t>& slots : {std::vector<std::int64_t>{2}, {2, 3}, {1, 2, 3, 4}})
      for (const int width : {0, 390, 700, 1400})
        for (const Extent shape : {Extent{17, 257}, Extent{1000, 777}, Extent{40000, 9000}})
          EXPECT_EQ(clash_in(to_svg(tile_table(shape, blocks, slots, "f32", 4), width)), "")
              << to_string(shape) << " " << blocks.size() << " " << slots.size() << " " << width;
  EXPECT_EQ(clash_in("<svg width=\"100\"><text x=\"10\" y=\"10\">aaaa</text><text x=\"20\" y=\"12\">b</text>"),
            "aaaa lies on b");
  EXPECT_EQ(clash_in("<svg width=\"30\"><text x=\"10\" y=\"10\">aaaa</text>"), "aaaa leaves the picture");
}

TEST(Bars, OnAPhoneThePanelsStandOneBelowTheOther) {
  const TileTable table = tile_table({17, 257}, {{8, 128}, {16, 128}, {16, 256}}, {2, 3}, "f32", 4);
  const std::string narrow = to_svg(table, kNarrow), wide = to_svg(table);
  EXPECT_THAT(narrow, HasSubstr("width=\"390\""));
  const auto height = [](const std::string& svg) { return std::stod(svg.substr(svg.find("height=") + 8)); };
  EXPECT_GT(height(narrow), 1.5 * height(wide));
  EXPECT_EQ(count(narrow, "<rect class=\"b"), count(wide, "<rect class=\"b"));
}

TEST(Bars, InCharactersTheLargestIsTheLongest) {
  const std::string text = to_bar_text(tile_table({16, 128}, {{8, 128}, {16, 128}}, {2, 3}, "f32", 4));
  EXPECT_THAT(text, HasSubstr("  8x128           2 " + std::string(40, '#') + " 2,048 elements, +0 % padding\n"));
  EXPECT_THAT(text, HasSubstr("  16x128          1 " + std::string(20, '#') + " "));
  EXPECT_THAT(text, HasSubstr("                 64 " + std::string(40, '=') + " 3 input slots\n"));
}

TEST(Bars, LoadNothingFromElsewhere) {
  const std::string svg = to_svg(tile_table({17, 257}, {{8, 128}}, {2}, "f32", 4));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace millrace::plan
