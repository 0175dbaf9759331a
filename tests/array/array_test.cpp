// SPDX-License-Identifier: Apache-2.0
// How arrays are made and read.
#include "millrace/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "refusal.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;
using testing::refusal;

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

TEST(Shapes, CountTheirElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({17, 257}), 4'369);
  EXPECT_EQ(element_count({3, 0, 5}), 0);
  EXPECT_EQ(element_count({kHuge}), kHuge);
}

TEST(Shapes, ReadAsPythonTuples) {
  EXPECT_EQ(to_string(Shape{}), "()");
  EXPECT_EQ(to_string(Shape{5}), "(5,)");
  EXPECT_EQ(to_string(Shape{17, 257}), "(17, 257)");
}

TEST(Shapes, AreRefusedWhereTheyAreNegativeTooLargeOrTooDeep) {
  EXPECT_EQ(refusal([] { element_count({2, -3}); }), "shape (2, -3): dimension 1 is -3; dimensions are 0 or more");
  EXPECT_EQ(refusal([] { element_count({kHuge, 2}); }), "shape (4611686018427387904, 2) has more than 2^62 elements");
  EXPECT_THAT(refusal([] { element_count({0, kHuge, kHuge}); }), HasSubstr("more than 2^62 elements"));
  EXPECT_EQ(refusal([] { element_count(Shape(33, 1)); }), "a shape of 33 dimensions; arrays have at most 32");
  EXPECT_EQ(element_count(Shape(32, 1)), 1);
}

TEST(Arrays, AreZeroWhenNew) {
  const Array array(bf16, {2, 3});
  EXPECT_EQ(array.dtype(), bf16);
  EXPECT_EQ(array.shape(), (Shape{2, 3}));
  EXPECT_EQ(array.size(), 6);
  EXPECT_EQ(array.bytes(), 12u);
  for (const BFloat16 x : array.as<BFloat16>()) EXPECT_EQ(x.bits, 0u);
  EXPECT_EQ(Array().shape(), Shape{0});
  EXPECT_EQ(Array().size(), 0);
}

TEST(Arrays, RefuseShapesThatNoMemoryCanHold) {
  EXPECT_THAT(refusal([] { Array(f32, {kHuge}); }), HasSubstr("no memory for an array of 4611686018427387904 f32"));
  EXPECT_THAT(refusal([] { Array(f32, {-1}); }), HasSubstr("dimension 0 is -1"));
}

TEST(Arrays, AreFilledWithTheValueAsTheirTypeHasIt) {
  EXPECT_EQ(Array::full(f32, {2}, 0.25).flat(1), 0.25);
  EXPECT_EQ(Array::full(u8, {2}, 300).flat(0), 255);
  EXPECT_EQ(Array::full(i32, {}, -2.75).flat(0), -2);
  EXPECT_EQ(Array::full(i1, {}, 0.5).flat(0), 1);
  EXPECT_EQ(Array::full(bf16, {}, 1.0078125).as<BFloat16>()[0].bits, 0x3f81u);
}

TEST(Arrays, TakeTheValuesGivenInRowMajorOrder) {
  const std::vector<float> floats = {1, 2, 3, 4, 5, 6};
  const Array array = Array::from(floats, {2, 3});
  EXPECT_EQ(array.dtype(), f32);
  EXPECT_EQ(array.at({1, 0}), 4);
  EXPECT_EQ(array.at({0, 2}), 3);
  const std::vector<std::int32_t> integers = {-7};
  EXPECT_EQ(Array::from(integers, {}).at({}), -7);
  EXPECT_EQ(refusal([&] { Array::from(floats, {2, 2}); }), "shape (2, 2) has 4 elements, but 6 values were given");
}

TEST(Arrays, RefuseIndicesOutside) {
  const Array array(i8, {2, 3});
  EXPECT_EQ(refusal([&] { array.at({2, 0}); }), "index (2, 0) is outside an array of shape (2, 3)");
  EXPECT_EQ(refusal([&] { array.at({0, -1}); }), "index (0, -1) is outside an array of shape (2, 3)");
  EXPECT_EQ(refusal([&] { array.at({0}); }), "index (0,) is outside an array of shape (2, 3)");
  EXPECT_EQ(refusal([&] { array.flat(6); }), "element 6 is outside an array of 6 elements");
  EXPECT_EQ(refusal([&] { array.flat(-1); }), "element -1 is outside an array of 6 elements");
}

TEST(Linspace, RunsFromTheFirstPointToTheLastExactly) {
  const Array points = Array::linspace(-1, 1, 17 * 257);
  EXPECT_EQ(points.dtype(), f32);
  EXPECT_EQ(points.shape(), Shape{4'369});
  EXPECT_EQ(points.flat(0), -1);
  EXPECT_EQ(points.flat(2'184), 0);
  EXPECT_EQ(points.flat(4'368), 1);
  EXPECT_EQ(Array::linspace(0.1, 0.7, 8).as<float>()[7], 0.7f);
}

TEST(Linspace, HasTheBitsThatNumpyHas) {
  // numpy.linspace(-1, 1, 17 * 257).astype('float32'), its bits at these places and a sum over all of them.
  const Array points = Array::linspace(-1, 1, 17 * 257);
  const auto bits = [&](std::int64_t i) { return std::bit_cast<std::uint32_t>(static_cast<float>(points.flat(i))); };
  EXPECT_EQ(bits(1), 3'212'829'182u);
  EXPECT_EQ(bits(2), 3'212'821'500u);
  EXPECT_EQ(bits(100), 3'212'068'676u);
  EXPECT_EQ(bits(2'185), 972'033'793u);
  EXPECT_EQ(bits(4'367), 1'065'345'534u);
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < points.size(); ++i) sum = sum * 31 + bits(i);
  EXPECT_EQ(sum, 992765816u);
}

TEST(Linspace, OfOnePointIsTheFirstAndOfNoneIsEmpty) {
  EXPECT_EQ(Array::linspace(3, 5, 1).flat(0), 3);
  EXPECT_EQ(Array::linspace(3, 5, 1).size(), 1);
  EXPECT_EQ(Array::linspace(3, 5, 0).size(), 0);
  EXPECT_THAT(refusal([] { Array::linspace(3, 5, -1); }), HasSubstr("dimension 0 is -1"));
}

TEST(SameBits, TellsTypesShapesAndSignsOfZeroApartAndNaNsNot) {
  const Array zeros(f32, {2});
  EXPECT_TRUE(same_bits(zeros, Array(f32, {2})));
  EXPECT_FALSE(same_bits(zeros, Array(i32, {2})));
  EXPECT_FALSE(same_bits(zeros, Array(f32, {1, 2})));
  EXPECT_FALSE(same_bits(zeros, Array::full(f32, {2}, -0.0)));
  EXPECT_TRUE(same_bits(Array::full(f32, {2}, NAN), Array::full(f32, {2}, NAN)));
}

}  // namespace
}  // namespace millrace
