// SPDX-License-Identifier: Apache-2.0
// Operations on narrow vectors that the compiler of libtpu 0.0.37 takes or refuses, by chip.
#include <gtest/gtest.h>

#include "judged.h"

namespace millrace::rules {
namespace {

using Ids = std::vector<std::string>;
using Combine = Value (*)(Value, Value);

Ids of(Combine f, DType dtype, std::string_view chip) {
  const Kernel k = kernel("k", {vmem(dtype, {32, 128}), vmem(dtype, {32, 128})}, {vmem(dtype, {32, 128})},
                          [=](Ref a, Ref b, Ref o) { o.store(f(a.load(), b.load())); });
  return ids(judged(k, {{dtype, {32, 128}}, {dtype, {32, 128}}}, chip));
}

const Ids kRefused = {"target.operation"};

TEST(Operations, OnBytesAreFew) {
  for (std::string_view chip : {"v4", "v5e", "v6e", "tpu7x"}) {
    EXPECT_EQ(of([](Value a, Value b) { return a + b; }, DType::i8, chip), kRefused);
    EXPECT_EQ(of([](Value a, Value b) { return a * b; }, DType::i8, chip), kRefused);
    EXPECT_EQ(of([](Value a, Value b) { return max(a, b); }, DType::i8, chip), kRefused);
    EXPECT_EQ(of([](Value a, Value b) { return select(a < b, a, b); }, DType::i8, chip), kRefused);
    EXPECT_TRUE(of([](Value a, Value b) { return select(a == b, a, b); }, DType::i8, chip).empty());
    EXPECT_TRUE(of([](Value a, Value b) { return a & b; }, DType::i8, chip).empty());
  }
}

TEST(Operations, OnShortsCameWithTheSixthGeneration) {
  for (std::string_view chip : {"v4", "v5e"}) {
    EXPECT_TRUE(of([](Value a, Value b) { return a + b; }, DType::i16, chip).empty());
    EXPECT_EQ(of([](Value a, Value b) { return a - b; }, DType::i16, chip), kRefused);
    EXPECT_EQ(of([](Value a, Value b) { return select(a < b, a, b); }, DType::i16, chip), kRefused);
  }
  for (std::string_view chip : {"v6e", "tpu7x"}) {
    EXPECT_TRUE(of([](Value a, Value b) { return a - b; }, DType::i16, chip).empty());
    EXPECT_TRUE(of([](Value a, Value b) { return select(a < b, a, b); }, DType::i16, chip).empty());
    EXPECT_EQ(of([](Value a, Value b) { return max(a, b); }, DType::i16, chip), kRefused);
  }
}

TEST(Operations, OnWordsAndFloatsAreAllThere) {
  for (DType dtype : {DType::i32, DType::f32, DType::bf16}) {
    EXPECT_TRUE(of([](Value a, Value b) { return a * b - a; }, dtype, "v5e").empty());
    EXPECT_TRUE(of([](Value a, Value b) { return select(a < b, max(a, b), b); }, dtype, "v5e").empty());
  }
}

TEST(Operations, HalfPrecisionCannotBeLoaded) {
  const Ids found = of([](Value a, Value) { return a; }, DType::f16, "v6e");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "target.type");
}

}  // namespace
}  // namespace millrace::rules
