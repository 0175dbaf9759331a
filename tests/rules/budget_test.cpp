// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "judged.h"

namespace millrace::rules {
namespace {

using Ids = std::vector<std::string>;

Kernel through_scratch(std::int64_t rows) {
  return kernel("k", {hbm(DType::f32, {rows, 128})}, {hbm(DType::f32, {rows, 128})}, [=](Ref x, Ref o) {
    scoped(vmem(DType::f32, {rows, 128}), [&](Ref b) { sync_copy(x, b), sync_copy(b, o); });
  });
}

constexpr std::int64_t kRowsOfAMiB = 2048;  // of 128 f32

TEST(Budget, ScratchBeyondTheLimitIsNamedWithBoth) {
  const Shape fits = {16 * kRowsOfAMiB, 128}, more = {16 * kRowsOfAMiB + 8, 128};
  EXPECT_TRUE(judged(through_scratch(fits[0]), {{DType::f32, fits}}).empty());
  const auto found = judged(through_scratch(more[0]), {{DType::f32, more}});
  ASSERT_EQ(ids(found), Ids{"target.vmem"});
  EXPECT_NE(found[0].message.find("16781312 bytes of VMEM; v5e gives it 16777216; scoped0 takes 16781312"),
            std::string::npos)
      << found[0].message;
  EXPECT_EQ(found[0].memory, "scoped0");
}

TEST(Budget, TheLimitIsTheChipsOrTheKernelsOwn) {
  const Shape shape = {20 * kRowsOfAMiB, 128};
  EXPECT_EQ(ids(judged(through_scratch(shape[0]), {{DType::f32, shape}}, "v5e")), Ids{"target.vmem"});
  EXPECT_TRUE(judged(through_scratch(shape[0]), {{DType::f32, shape}}, "v6e").empty());
  EXPECT_TRUE(judged(through_scratch(shape[0]), {{DType::f32, shape}}, "v5e", std::int64_t{20} << 20).empty());
}

TEST(Budget, ScopesBesideEachOtherShareTheirBytes) {
  const std::int64_t rows = 9 * kRowsOfAMiB;
  const auto two = [&](bool nested) {
    return judged(kernel("k", {hbm(DType::f32, {rows, 128})}, {hbm(DType::f32, {rows, 128})},
                         [=](Ref x, Ref o) {
                           scoped(vmem(DType::f32, {rows, 128}), [&](Ref a) {
                             sync_copy(x, a), sync_copy(a, o);
                             if (nested) scoped(vmem(DType::f32, {rows, 128}), [&](Ref b) { sync_copy(a, b); });
                           });
                           if (!nested)
                             scoped(vmem(DType::f32, {rows, 128}), [&](Ref b) { sync_copy(x, b), sync_copy(b, o); });
                         }),
                  {{DType::f32, {rows, 128}}});
  };
  EXPECT_TRUE(two(false).empty());
  EXPECT_EQ(ids(two(true)), Ids{"target.vmem"});
}

TEST(Budget, WindowsCountTwice) {
  const BlockSpec block{{5 * kRowsOfAMiB, 128}, [](Index i) { return millrace::block(i, 0); }};
  const Kernel k =
      grid_kernel("k", [](Ref x, Ref o) { o.store(x.load()); }, {.grid = {2}, .in = {block}, .out = {block}});
  EXPECT_EQ(ids(judged(k, {{DType::f32, {10 * kRowsOfAMiB, 128}}})), Ids{"target.vmem"});
}

TEST(Budget, SemaphoresTakeFourBytesEach) {
  const auto many = [](int n) {
    return judged(kernel("k", {hbm(DType::f32, {8, 128})}, {hbm(DType::f32, {8, 128})},
                         [=](Ref x, Ref o) {
                           scoped(dma_semaphores(n), [&](Semaphores s) {
                             auto c = make_async_copy(x, o, s[0]);
                             c.start(), c.wait();
                           });
                         }),
                  {{DType::f32, {8, 128}}});
  };
  EXPECT_TRUE(many(512).empty());
  EXPECT_EQ(ids(many(513)), Ids{"target.semaphore-memory"});
}

}  // namespace
}  // namespace millrace::rules
