// SPDX-License-Identifier: Apache-2.0
// Boxes are exact sets of elements, strides included: held against sets of elements that are listed one by one.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <iterator>
#include <set>

#include "event/element_name.h"
#include "event/event.h"

namespace millrace::event {
namespace {

using Elements = std::set<std::vector<std::int64_t>>;

Elements elements_of(const Box& box) {
  Elements all = {{}};
  for (const Range& r : box.span()) {
    Elements longer;
    for (std::vector<std::int64_t> at : all) {
      at.push_back(0);
      for (std::int64_t i = r.begin; i < r.end; i += r.stride) at.back() = i, longer.insert(at);
    }
    all = std::move(longer);
  }
  return all;
}

Elements common(const Elements& a, const Elements& b) {
  Elements both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

Box some_box(int rank) {
  Box box;
  box.rank = rank;
  for (int d = 0; d < rank; ++d) {
    const int begin = *rc::gen::inRange(0, 12), length = *rc::gen::inRange(0, 20), stride = *rc::gen::inRange(1, 7);
    box.ranges[static_cast<std::size_t>(d)] = {begin, begin + length, stride};
  }
  return box;
}

Box box_of(std::vector<Range> ranges) {
  Box box;
  box.rank = static_cast<int>(ranges.size());
  std::copy(ranges.begin(), ranges.end(), box.ranges.begin());
  return box;
}

RC_GTEST_PROP(Box, TwoBoxesMeetExactlyWhereTheyShareAnElement, ()) {
  const int rank = *rc::gen::inRange(0, 4);
  const Box a = some_box(rank), b = some_box(rank);
  const Elements both = common(elements_of(a), elements_of(b));
  RC_CLASSIFY(!both.empty(), "sharing");
  RC_ASSERT(overlap(a, b) == !both.empty());
  RC_ASSERT(overlap(b, a) == !both.empty());
  const auto box = intersection(a, b);
  RC_ASSERT(box.has_value() == !both.empty());
  if (box) RC_ASSERT(elements_of(*box) == both);
}

RC_GTEST_PROP(Box, AnIntersectionIsTheSameFromBothSidesAndEndsAtItsLastElement, ()) {
  const Box a = some_box(2), b = some_box(2);
  const auto one = intersection(a, b), other = intersection(b, a);
  RC_PRE(one.has_value());
  RC_ASSERT(*one == *other);
  for (const Range& r : one->span()) RC_ASSERT((r.end - 1 - r.begin) % r.stride == 0);
}

TEST(Box, EvenAndOddRowsDoNotMeetThoughTheirRangesDo) {
  EXPECT_FALSE(overlap(box_of({{0, 7, 2}, {0, 128}}), box_of({{1, 8, 2}, {0, 128}})));
  EXPECT_TRUE(overlap(box_of({{0, 7, 2}, {0, 128}}), box_of({{1, 8, 3}, {0, 128}})));  // row 4
}

TEST(Box, TheOneElementOfAScalarMemoryMeetsItself) {
  EXPECT_TRUE(overlap(Box{}, Box{}));
  EXPECT_EQ(intersection(Box{}, Box{})->rank, 0);
}

TEST(Box, DimensionsBeyondTheRankDoNotCountInAComparison) {
  Box a = box_of({{0, 8}}), b = box_of({{0, 8}});
  a.ranges[1] = {1, 2};
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a == box_of({{0, 8}, {0, 8}}));
}

TEST(Box, ReadsAsPythonWritesASlice) {
  EXPECT_EQ(to_string(box_of({{1, 2}, {0, 8}, {0, 127, 2}})), "[1, 0:8, 0:127:2]");
  EXPECT_EQ(to_string(Box{}), "[]");
}

TEST(Box, OneElementHasNoStride) {
  EXPECT_EQ(intersection(box_of({{1, 16, 2}}), box_of({{3, 4}})), box_of({{3, 4}}));
  EXPECT_EQ(intersection(box_of({{1, 16, 2}}), box_of({{3, 6}})), box_of({{3, 6, 2}}));
}

TEST(ElementName, GivesAnIndexForEachDimension) {
  EXPECT_EQ(element_name("scratch0", {}, 0), "scratch0");
  EXPECT_EQ(element_name("scratch0", {4}, 2), "scratch0[2]");
  EXPECT_EQ(element_name("scratch0", {2, 3}, 4), "scratch0[1, 1]");
}

}  // namespace
}  // namespace millrace::event
