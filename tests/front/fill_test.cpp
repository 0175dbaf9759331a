// SPDX-License-Identifier: Apache-2.0
#include "front/fill.h"

#include <gtest/gtest.h>

#include "front/files.h"

namespace millrace::front {
namespace {

TEST(Fill, IotaCountsInRowMajorOrderInEveryType) {
  for (DType type : {f32, bf16, f16, i8, i32, u8, u32}) {
    const Array a = filled("iota", 0, type, {2, 3});
    EXPECT_EQ(a.dtype(), type);
    EXPECT_EQ(a.at({1, 2}), 5);
  }
}

TEST(Fill, NormalHasMeanZeroAndDeviationOne) {
  const Array a = filled("normal:7", 0, f32, {200, 500});
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) sum += a.flat(i), squares += a.flat(i) * a.flat(i);
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
}

TEST(Fill, NormalIsTheSameForASeedAndAnotherForAnother) {
  EXPECT_TRUE(same_bits(filled("normal:7", 1, f32, {64}), filled("normal:7", 1, f32, {64})));
  EXPECT_FALSE(same_bits(filled("normal:7", 1, f32, {64}), filled("normal:8", 1, f32, {64})));
  EXPECT_FALSE(same_bits(filled("normal:7", 1, f32, {64}), filled("normal:7", 2, f32, {64})));
}

TEST(Fill, RefusesOtherWords) {
  for (const char* how : {"ones", "normal", "normal:", "normal:x", "normal:-1", ""}) {
    EXPECT_EQ(test::error_of([&] { filled(how, 0, f32, {1}); }),
              "user: --fill `" + std::string(how) + "` is none of zeros, iota, normal:SEED");
  }
}

}  // namespace
}  // namespace millrace::front
