// SPDX-License-Identifier: Apache-2.0
// How DMAs share a path: one at a time in a queue, and queues share the rate.
#include "timing/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::timing {
namespace {

using ::testing::ElementsAre;

constexpr double kBytePerPicosecond = 1e12;

TEST(Channel, ACopyAloneTakesItsBytesOverTheRate) {
  Channel c(kBytePerPicosecond, 1);
  ASSERT_TRUE(c.add(100, 0, 7, 4096));
  EXPECT_EQ(*c.next_end(), 100 + 4096);
  EXPECT_THAT(c.end(4196).ended, ElementsAre(7));
  EXPECT_FALSE(c.next_end());
}

TEST(Channel, AQueueMovesOneAtATimeInTheOrderOfTheirComing) {
  Channel c(kBytePerPicosecond, 1);
  c.add(0, 0, 1, 1000);
  EXPECT_FALSE(c.add(10, 0, 2, 500));
  EXPECT_EQ(*c.next_end(), 1000);
  const Channel::Ended now = c.end(1000);
  EXPECT_THAT(now.ended, ElementsAre(1));
  ASSERT_EQ(now.began.size(), 1u);
  EXPECT_EQ(now.began[0].copy, 2u);
  EXPECT_EQ(now.began[0].behind, 1u);
  EXPECT_EQ(*c.next_end(), 1500);
}

TEST(Channel, TwoQueuesThatAreBusyHaveHalfTheRateEach) {
  Channel c(kBytePerPicosecond, 2);
  c.add(0, 0, 1, 1000);
  c.add(400, 1, 2, 1000);  // 600 are left of the first: both now move at half the rate
  EXPECT_EQ(*c.next_end(), 400 + 2 * 600);
  EXPECT_THAT(c.end(1600).ended, ElementsAre(1));
  EXPECT_EQ(*c.next_end(), 1600 + 400);  // the other has the path for itself again
  EXPECT_THAT(c.end(2000).ended, ElementsAre(2));
}

TEST(Channel, CopiesThatEndAtOneMomentEndTogether) {
  Channel c(kBytePerPicosecond, 2);
  c.add(0, 0, 1, 300), c.add(0, 1, 2, 300);
  EXPECT_THAT(c.end(*c.next_end()).ended, ElementsAre(1, 2));
}

TEST(Channel, ACopyOfNothingIsThroughAtOnce) {
  Channel c(kBytePerPicosecond, 1);
  c.add(5, 0, 1, 0);
  EXPECT_EQ(*c.next_end(), 5);
  EXPECT_THAT(c.end(5).ended, ElementsAre(1));
}

}  // namespace
}  // namespace millrace::timing
