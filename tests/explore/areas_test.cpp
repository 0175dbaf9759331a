// SPDX-License-Identifier: Apache-2.0
#include "explore/areas.h"

#include <gtest/gtest.h>

namespace millrace::explore {
namespace {

event::Box rows(std::int64_t begin, std::int64_t end) {
  event::Box box;
  box.rank = 2;
  box.ranges[0] = {begin, end, 1}, box.ranges[1] = {0, 128, 1};
  return box;
}

TEST(Areas, AnAreaMeetsItselfUnlessItIsEmpty) {
  Areas areas;
  const AreaId some = areas.add(1, rows(0, 8)), none = areas.add(1, rows(0, 0));
  EXPECT_TRUE(areas.overlap(some, some));
  EXPECT_FALSE(areas.overlap(none, none));  // a copy of no elements
  EXPECT_FALSE(areas.overlap(some, none));
  const AreaId all_none = areas.add(1, rows(0, 0), {rows(8, 8)}), part = areas.add(1, rows(0, 0), {rows(8, 9)});
  EXPECT_FALSE(areas.overlap(all_none, all_none));
  EXPECT_TRUE(areas.overlap(part, part));
}

TEST(Areas, TheSameBoxOfTheSameMemoryIsOneArea) {
  Areas areas;
  EXPECT_EQ(areas.add(1, rows(0, 8)), areas.add(1, rows(0, 8)));
  EXPECT_NE(areas.add(1, rows(0, 8)), areas.add(2, rows(0, 8)));
  EXPECT_EQ(areas.size(), 2u);
}

}  // namespace
}  // namespace millrace::explore
