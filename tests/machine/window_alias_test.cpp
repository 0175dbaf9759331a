// SPDX-License-Identifier: Apache-2.0
// An input aliased to an output is one array under two names: it begins with the input's data.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

using ::testing::HasSubstr;

const BlockSpec kRows{{8, 128}, [](Index i) { return block(i + 1, 0); }};
const program::Environment kAliased{{{0, 0}}, {}};

// Visits the blocks 1 and 2 of four.
Kernel doubled_in_the_middle() {
  return grid_kernel("middle", [](Ref x, Ref out) { out.store(2.0f * x.load()); },
                     {.grid = {2}, .in = {kRows}, .out = {kRows}, .out_arrays = {{f32, {32, 128}}}});
}

TEST(WindowAlias, BlocksThatNobodyVisitsKeepTheInputsData) {
  const Array x = counted(f32, {32, 128}, 1);
  for (const std::string& schedule : schedules(5)) {
    const Ran ran = run(doubled_in_the_middle(), {x}, {.schedule = schedule, .environment = kAliased});
    ASSERT_TRUE(ran.outcome.ended());
    for (std::int64_t r : {0, 7, 24, 31}) EXPECT_EQ(ran.out().at({r, 5}), x.at({r, 5})) << schedule << " row " << r;
    for (std::int64_t r : {8, 15, 16, 23})
      EXPECT_EQ(ran.out().at({r, 5}), 2 * x.at({r, 5})) << schedule << " row " << r;
  }
}

TEST(WindowAlias, WithoutAnAliasTheyArePoison) {
  const Ran ran = run(doubled_in_the_middle(), {counted(f32, {32, 128})});
  EXPECT_TRUE(is_nan(ran.out(), 0));
  EXPECT_FALSE(is_nan(ran.out(), 8 * 128));
}

TEST(WindowAlias, TheInputItselfStaysAsItWas) {
  const Array x = counted(f32, {32, 128}, 1);
  run(doubled_in_the_middle(), {x}, {.environment = kAliased});
  EXPECT_TRUE(same_bits(x, counted(f32, {32, 128}, 1)));
}

TEST(WindowAlias, BothNamesAreOneMemoryThatGoesByTheOutputs) {
  const Ran ran = run(doubled_in_the_middle(), {counted(f32, {32, 128})}, {.environment = kAliased});
  EXPECT_EQ(ran.lines_with("alloc m0 out0 "), 1u);
  EXPECT_EQ(ran.lines_with(" in0 kind"), 0u);
  EXPECT_EQ(ran.lines_with(" m0["), 6u);  // two blocks come in, two are read back on entering, two go out
}

Kernel added_to_what_is_there() {
  return grid_kernel("add", [](Ref, Ref out) { out.store(out.load() + 1.0f); },
                     {.grid = {2}, .in = {BlockSpec::in_place()}, .out = {kRows}, .out_arrays = {{f32, {32, 128}}}});
}

TEST(WindowAlias, AnOutputWindowHoldsTheArraysDataWhereItsBlockIsEntered) {
  for (const std::string& schedule : schedules(5)) {
    const Ran ran =
        run(added_to_what_is_there(), {counted(f32, {32, 128})}, {.schedule = schedule, .environment = kAliased});
    for (std::int64_t r = 0; r < 32; ++r) EXPECT_EQ(ran.out().at({r, 3}), r * 128 + 3 + (r >= 8 && r < 24)) << schedule;
  }
}

TEST(WindowAlias, WithoutAnAliasItHoldsPoisonThere) {
  EXPECT_TRUE(is_nan(run(added_to_what_is_there(), {counted(f32, {32, 128})}).out(), 8 * 128));
}

TEST(WindowAlias, WhatIsWrittenThroughTheInputIsReadThroughTheOutput) {
  const Kernel k = kernel("through", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {8, 128}), [&](Ref tile) {
      tile.store(full(f32, {8, 128}, 7.0f));
      sync_copy(tile, x.rows(8, 8));
      sync_copy(out.rows(8, 8), out.rows(0, 8));
    });
  });
  const Ran ran = run(k, {counted(f32, {16, 128})}, {.environment = kAliased});
  ASSERT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.out().flat(0), 7);
  EXPECT_EQ(ran.out().flat(16 * 128 - 1), 7);
}

TEST(WindowAlias, OperandsInFastMemoryAreStagedApart) {
  const Kernel k = kernel("staged", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref out) {
    out.store(out.load() + x.load());  // the output's window holds the array's data too
    x.store(zeros_like(x));            // and the input's is a copy
  });
  const Ran ran = run(k, {counted(f32, {8, 128})}, {.environment = kAliased});
  EXPECT_EQ(ran.out().flat(100), 200);
}

TEST(WindowAlias, PairsThatDoNotFitAreRefused) {
  const Kernel k = grid_kernel(
      "two", [](Ref x, Ref, Ref out, Ref) { out.store(x.load()); },
      {.grid = {2}, .in = {kRows, kRows}, .out = {kRows, kRows}, .out_arrays = {{f32, {32, 128}}, {f32, {40, 128}}}});
  const std::vector<Array> inputs = {counted(f32, {32, 128}), counted(f32, {32, 128})};
  auto error = [&](std::vector<program::Environment::Alias> aliases) {
    return error_of([&] { run(k, inputs, {.environment = {std::move(aliases), {}}}); });
  };
  EXPECT_EQ(error({{0, 1}}), "user: in0 and out1 cannot be aliased: they differ in shape or element type");
  EXPECT_THAT(error({{0, 0}, {1, 0}}), HasSubstr("one of them has an alias already"));
  EXPECT_THAT(error({{2, 0}}), HasSubstr("the kernel has 2 inputs and 2 outputs"));
  EXPECT_EQ(error({{1, 0}}), "no error");
}

}  // namespace
}  // namespace millrace::test
