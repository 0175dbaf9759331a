// SPDX-License-Identifier: Apache-2.0
// Reshaping, padding and cropping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "millrace/array.h"
#include "refusal.h"

namespace millrace {
namespace {

using ::testing::ElementsAre;
using testing::refusal;

Array counting(const Shape& shape) {
  Array array(i32, shape);
  std::iota(array.as<std::int32_t>().begin(), array.as<std::int32_t>().end(), 1);
  return array;
}

std::vector<std::int32_t> values(const Array& array) {
  return {array.as<std::int32_t>().begin(), array.as<std::int32_t>().end()};
}

TEST(Reshaped, KeepsTheElementsInOrder) {
  const Array array = counting({2, 3}).reshaped({3, 2});
  EXPECT_EQ(array.shape(), (Shape{3, 2}));
  EXPECT_THAT(values(array), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(counting({1, 1}).reshaped({}).shape(), Shape{});
  EXPECT_EQ(refusal([] {
              counting({2, 3}).reshaped({4});
            }),
            "shape (2, 3) has 6 elements and cannot become (4,), which has 4");
}

TEST(Padded, PutsZerosAtTheHighEnds) {
  EXPECT_THAT(values(counting({2, 2}).padded({3, 4})), ElementsAre(1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(values(counting({2, 1, 2}).padded({2, 2, 2})), ElementsAre(1, 2, 0, 0, 3, 4, 0, 0));
  EXPECT_THAT(values(counting({0, 2}).padded({1, 3})), ElementsAre(0, 0, 0));
  EXPECT_THAT(values(counting({}).padded({})), ElementsAre(1));
}

TEST(Cropped, KeepsTheLowEnds) {
  EXPECT_THAT(values(counting({3, 4}).cropped({2, 3})), ElementsAre(1, 2, 3, 5, 6, 7));
  EXPECT_THAT(values(counting({2, 2, 2}).cropped({2, 1, 2})), ElementsAre(1, 2, 5, 6));
  EXPECT_EQ(counting({3, 4}).cropped({3, 0}).size(), 0);
}

TEST(Cropped, UndoesPadded) {
  const Array array = Array::linspace(-1, 1, 17 * 257).reshaped({17, 257});
  const Array padded = array.padded({24, 384});
  EXPECT_EQ(padded.size(), 9'216);
  EXPECT_EQ(padded.at({16, 256}), 1);
  EXPECT_EQ(padded.at({16, 257}), 0);
  EXPECT_EQ(padded.at({17, 0}), 0);
  EXPECT_TRUE(same_bits(padded.cropped({17, 257}), array));
}

TEST(PaddedAndCropped, RefuseTheOtherDirectionAndOtherRanks) {
  EXPECT_EQ(refusal([] { counting({2, 3}).padded({2, 2}); }), "shape (2, 3) cannot be padded to shape (2, 2)");
  EXPECT_EQ(refusal([] { counting({2, 3}).cropped({3, 3}); }), "shape (2, 3) cannot be cropped to shape (3, 3)");
  EXPECT_EQ(refusal([] { counting({6}).padded({6, 1}); }), "shape (6,) cannot be padded to shape (6, 1)");
  EXPECT_EQ(refusal([] { counting({6}).cropped({}); }), "shape (6,) cannot be cropped to shape ()");
}

}  // namespace
}  // namespace millrace
