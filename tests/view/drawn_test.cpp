// SPDX-License-Identifier: Apache-2.0
// Pictures: every bar of the timeline is in them, with its words; faults stand out; nothing comes from elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "kernels.h"
#include "laid_out.h"
#include "runs.h"
#include "timing/coarse.h"
#include "view/palette.h"
#include "view/sentences.h"
#include "view/svg.h"
#include "view/text.h"

namespace millrace::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using timing::Timeline;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// Tags close in the order in which they opened; empty where they do.
std::string unbalanced(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return "a tag without end";
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.ends_with('/')) continue;
    const std::string name =
        tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" \n", 1) - (tag.starts_with('/') ? 1 : 0));
    if (!tag.starts_with('/')) {
      open.push_back(name);
    } else {
      if (open.empty() || open.back() != name) return "</" + name + ">";
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

Timeline titled(Timeline t, const std::string& title) {
  t.title = title;
  return t;
}

Timeline axpy_timeline() {
  return titled(laid_out(pipelined_axpy(2, 2), {counted(f32, {24, 384}), counted(f32, {24, 384}, 1)}).timeline, "axpy");
}

Timeline race() {
  return titled(laid_out(small_case("faults_small/slot_rewritten_under_store")).timeline, "<race & co>");
}

TEST(Svg, IsWellFormedAndNamesItselfToAScreenReader) {
  for (const Timeline& t : {axpy_timeline(), race()}) {
    const std::string svg = view::to_svg(t);
    EXPECT_EQ(unbalanced(svg), "");
    EXPECT_THAT(svg, HasSubstr("role=\"img\""));
    EXPECT_THAT(svg, HasSubstr("<title id=\"t\">"));
    EXPECT_THAT(svg, HasSubstr("<desc id=\"d\">"));
  }
  EXPECT_EQ(unbalanced("<a><b/></a>"), "");
  EXPECT_EQ(unbalanced("<a><b></a>"), "</a>");
}

TEST(Svg, HoldsTheWordsOfEveryBarAndSlot) {
  const Timeline t = axpy_timeline();
  const std::string svg = view::to_svg(t);
  for (timing::Index b = 0; b < t.bars.size(); ++b)
    EXPECT_THAT(svg, HasSubstr("<title>" + view::escaped(view::about(t, b)) + "</title>"));
  for (const timing::Tenancy& l : t.tenancies)
    EXPECT_THAT(svg, HasSubstr("<title>" + view::escaped(view::about(t, l)) + "</title>"));
}

TEST(Svg, SaysThatTimeIsModeled) {
  EXPECT_THAT(view::to_svg(axpy_timeline()),
              HasSubstr("modeled for v5e (1000 GB/s, DMA latency 0.001 us); not measured"));
}

TEST(Svg, EscapesWhatIsMarkup) {
  const std::string svg = view::to_svg(race());
  EXPECT_THAT(svg, HasSubstr("&lt;race &amp; co&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<race")));
}

TEST(Svg, MarksBothSidesOfARaceInRed) {
  const std::string svg = view::to_svg(race());
  EXPECT_EQ(count(svg, "id=\"moment-"), 2 * race().faults.size());
  EXPECT_THAT(svg, HasSubstr("race.read-write"));
  EXPECT_EQ(count(view::to_svg(axpy_timeline()), "class=\"bad\""), 0u);
}

// The numbers of findings: where they stand, by the circles that hold them.
std::vector<std::pair<double, double>> badges(const std::string& svg) {
  std::vector<std::pair<double, double>> all;
  const std::string open = "<circle class=\"badfill\" cx=\"";
  for (std::size_t at = svg.find(open); at != svg.npos; at = svg.find(open, at + 1)) {
    const std::size_t y = svg.find("cy=\"", at) + 4;
    all.emplace_back(std::stod(svg.substr(at + open.size())), std::stod(svg.substr(y)));
  }
  return all;
}

bool overlap(const std::vector<std::pair<double, double>>& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (std::hypot(all[i].first - all[k].first, all[i].second - all[k].second) < 13.9) return true;
  return false;
}

// The fault is told where it happens, with the elements that both sides touch.
TEST(Svg, TellsEachAccessOfARaceWithItsBox) {
  const std::string svg = view::to_svg(race());
  EXPECT_EQ(count(svg, ">1 DMA read, scratch0[0:8, 0:128]</text>"), 1u);
  EXPECT_EQ(count(svg, ">1 core write, scratch0[0:8, 0:128]</text>"), 1u);
  EXPECT_EQ(count(svg, ">findings</text>"), 1u);
  EXPECT_EQ(count(view::to_svg(race(), {390}), ">1 core write</text>"), 1u);
  EXPECT_THAT(view::to_svg(axpy_timeline()), Not(HasSubstr(">findings<")));
}

// What a waiter lacks is written into its bar, in fewer words where there is less room.
TEST(Svg, OfADeadlockSaysWhatEachWaiterLacksAtAnyWidth) {
  const Timeline t = laid_out(small_case("faults_small/dma_awaited_twice")).timeline;
  EXPECT_THAT(view::to_svg(t), HasSubstr(">for ever: scratch1 has 0, needs 4,096</text>"));
  for (const int width : {320, 390}) EXPECT_THAT(view::to_svg(t, {width}), HasSubstr("0 of 4,096</text>"));
}

// Colour, pattern and label: a bar whose bytes hardly move still has its slot's pattern.
TEST(Svg, ASlotsPatternIsSeenWhileItsBytesAreOnTheirWay) {
  const Timeline t = axpy_timeline();
  const std::string svg = view::to_svg(t);
  for (const char* slot : {"s-0-0", "s-0-1", "s-1-0", "s-1-1", "s-2-0"}) {
    const std::string fill = std::string("fill=\"url(#") + slot + ")\"";
    EXPECT_GT(count(svg, fill + " fill-opacity"), 0u) << slot;
    EXPECT_GT(count(svg, fill), count(svg, fill + " fill-opacity")) << slot;
  }
}

TEST(Svg, ABarIsLabelledWithItsBlockAndStepWhereThereIsRoom) {
  const std::string svg = view::to_svg(axpy_timeline(), {4000});
  EXPECT_THAT(svg, HasSubstr(">A0 (0, 2), step (0)</text>"));
  EXPECT_THAT(view::to_svg(axpy_timeline(), {700}), Not(HasSubstr(">A0 (0, 2), step (0)</text>")));
}

TEST(Svg, FindingsAtOnePlaceHaveTheirNumbersSideBySide) {
  const Timeline t = titled(laid_out(small_case("faults_small/kv_share_one_semaphore")).timeline, "many");
  ASSERT_GT(t.faults.size(), 5u);
  const auto all = badges(view::to_svg(t));
  EXPECT_GE(all.size(), t.faults.size());
  EXPECT_FALSE(overlap(all));
  EXPECT_TRUE(overlap({{10, 10}, {30, 10}, {20, 12}}));
}

TEST(Svg, OfManyFindingsTellsAFewAndCountsTheRest) {
  const Timeline t = titled(laid_out(small_case("faults_small/kv_share_one_semaphore")).timeline, "many");
  const std::string svg = view::to_svg(t);
  EXPECT_EQ(count(svg, "class=\"badtext\">4. race"), 1u);
  EXPECT_EQ(count(svg, "class=\"badtext\">5. race"), 0u);
  EXPECT_THAT(svg, HasSubstr("and " + std::to_string(t.faults.size() - 4) + " more findings"));
}

// The first content of the slot is still being sent when the second is written: both are drawn, one below the other.
TEST(Svg, TwoContentsOfASlotAtOneTimeAreBothSeen) {
  const std::string svg = view::to_svg(race());
  const auto top_of = [&](const std::string& title) {
    const std::size_t y = svg.find(" y=\"", svg.find("<title>" + title)) + 4;
    return std::stod(svg.substr(y));
  };
  EXPECT_NEAR(top_of("B0 (out0), content 1") - top_of("B0 (out0), content 0"), 18, 0.5);
}

TEST(Svg, OfAKernelWithoutAGridTellsNoStep) {
  EXPECT_THAT(view::to_svg(race()), Not(HasSubstr("step ()")));
  EXPECT_THAT(view::to_svg(axpy_timeline()), HasSubstr(", step ("));
}

TEST(Svg, ANumberStaysWithItsUnit) {
  for (const int width : {320, 500, 700, 1000}) {
    const std::string svg = view::to_svg(race(), {width});
    EXPECT_THAT(svg, Not(HasSubstr(">%")));
    EXPECT_THAT(svg, Not(HasSubstr(">us")));
  }
}

TEST(Svg, LoadsNothingAndRunsNothing) {
  const std::string svg = view::to_svg(race());
  for (const char* word : {"href", "<script", "@import", "http://", "https://"}) {
    std::string rest = svg;
    const std::string own = "xmlns=\"http://www.w3.org/2000/svg\"";
    rest.erase(rest.find(own), own.size());
    EXPECT_THAT(rest, Not(HasSubstr(word)));
  }
}

TEST(Svg, ShowsOnlyTheStretchThatIsAskedFor) {
  const Timeline t = axpy_timeline();
  const std::string all = view::to_svg(t), part = view::to_svg(t, {1000, 0, t.end / 3, true});
  EXPECT_LT(count(part, "<title>A"), count(all, "<title>A"));
  EXPECT_GT(count(part, "<title>A"), 0u);
}

TEST(Svg, PutsSeveralTimelinesOverOneAxis) {
  const Timeline t = axpy_timeline();
  const std::string both = view::to_svg({t, titled(t, "another")}, "side by side");
  EXPECT_EQ(unbalanced(both), "");
  EXPECT_THAT(both, HasSubstr("another"));
  EXPECT_EQ(count(both, "<svg"), 1u);
}

TEST(Palette, TellsSlotsApartWithoutColour) {
  EXPECT_NE(view::class_of(0, 0), view::class_of(0, 1));
  EXPECT_NE(view::class_of(0, 0), view::class_of(1, 0));
  EXPECT_EQ(view::number_of("C"), 2u);
  EXPECT_EQ(view::number_of("AA"), 26u);
}

// Relative luminance and contrast as WCAG 2 defines them.
double luminance(const std::string& hex) {
  double sum = 0;
  for (const auto& [at, weight] : {std::pair(1, 0.2126), std::pair(3, 0.7152), std::pair(5, 0.0722)}) {
    const double c = std::stoi(hex.substr(static_cast<std::size_t>(at), 2), nullptr, 16) / 255.0;
    sum += weight * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Palette, HasContrastEnough) {
  for (const bool dark : {false, true})
    for (std::uint32_t c = 0; c < view::kColours; ++c) {
      const view::Colour colour = view::colour_of(c, dark);
      EXPECT_GE(contrast(colour.line, dark ? "#16181c" : "#ffffff"), 3.0) << c << dark;
      EXPECT_GE(contrast(colour.line, colour.tint), 3.0) << c << dark;
      EXPECT_GE(contrast(dark ? "#e8e8e8" : "#1c1c1c", colour.tint), 4.5) << c << dark;
    }
  EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 0.01);
}

TEST(Text, DrawsALaneALine) {
  const std::string text = view::to_text(axpy_timeline());
  for (const char* line : {"load in0 ", "load in1 ", "compute ", "store out0 ", "wait ", "A0 in0 ", "C1 out0 "})
    EXPECT_THAT(text, HasSubstr(std::string("\n") + line)) << text;
  EXPECT_THAT(text, HasSubstr("|A0"));
  EXPECT_THAT(text, HasSubstr("not measured"));
  EXPECT_THAT(text, HasSubstr("Bounded by: "));
}

TEST(Text, KeepsToItsColumns) {
  for (const int columns : {60, 100, 160}) {
    std::istringstream lines(view::to_text(axpy_timeline(), {columns}));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && !line.starts_with("DMAs:")) EXPECT_LE(line.size(), columns + 12u) << line;
  }
}

TEST(Text, TellsAFaultAndItsMoments) {
  const std::string text = view::to_text(race());
  EXPECT_THAT(text, HasSubstr("error race.read-write: "));
  EXPECT_THAT(text, HasSubstr("   DMA read at "));
}

// A core that waits for ever from the very beginning is seen to, and so is what it lacks.
TEST(Text, DrawsFaultsWhereTheyHappen) {
  const std::string hang = view::to_text(laid_out(small_case("two_cores/each_core_waits_for_the_other")).timeline);
  EXPECT_THAT(hang, HasSubstr("\ncore 0: wait  ! for ever: scratch2 has 0, needs 1 !!!"));
  EXPECT_THAT(hang, HasSubstr("\nfindings      ! 1 waits for scratch2: has 0, needs 1 !!!"));
  EXPECT_THAT(hang, HasSubstr("It hangs: 2 cores wait for ever from 0 on."));
  const std::string text = view::to_text(race());
  EXPECT_THAT(text, HasSubstr("! 1 DMA read "));
  EXPECT_THAT(text, HasSubstr("! 1 core write, scratch0[0:8, 0:128]"));
  EXPECT_THAT(view::to_text(axpy_timeline()), Not(HasSubstr("\nfindings")));
}

TEST(Text, OfALongRunIsItsBeginning) {
  const Timeline t = titled(laid_out(double_buffer(200), {rows_of(200)}).timeline, "long");
  EXPECT_THAT(view::to_text(t), HasSubstr("--from and --to"));
}

TEST(Sentences, GiveTimesInReadableUnits) {
  EXPECT_EQ(view::time_text(0), "0");
  EXPECT_EQ(view::time_text(999), "999 ps");
  EXPECT_EQ(view::time_text(12'500), "12.5 ns");
  EXPECT_EQ(view::time_text(1'250'000), "1.25 us");
  EXPECT_EQ(view::time_text(3'400'000'000), "3.4 ms");
  EXPECT_EQ(view::grouped(1234567), "1,234,567");
  EXPECT_EQ(view::grouped(-4096), "-4,096");
  EXPECT_EQ(view::grouped(12), "12");
}

}  // namespace
}  // namespace millrace::test
