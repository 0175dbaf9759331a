// SPDX-License-Identifier: Apache-2.0
// Pipelines that look ahead, and pipelines whose grid only the kernel knows: which copies they make, and when.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay.h"
#include "traced.h"

namespace millrace::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void add_one(Ref x, Ref out) { out.store(1 + x.load()); }

// One axis; input block and output block by the step. `count` makes the number of steps unknown while tracing.
std::vector<std::string> happenings(Index (*in)(Index), Buffered buffered, std::int64_t steps, bool unknown = false) {
  auto body = [=](Ref x, Ref y) {
    BlockSpec from{{8, 128}, [in](Index i) { return block(in(i), 0); }, buffered};
    BlockSpec to{{8, 128}, [](Index i) { return block(i, 0); }, Buffered{1}};
    auto pipeline = [&](Index n) { emit_pipeline(add_one, {.grid = {n}, .in = {from}, .out = {to}})(x, y); };
    // A loop's counter is a number that tracing does not know.
    unknown ? for_range(steps, steps + 1, [&](Index n) { pipeline(n); }) : pipeline(steps);
  };
  MemorySpec array = hbm(f32, {64, 128});
  std::vector<std::string> in_only;
  for (const Happening& h : replay(*module_of(kernel("k", {array}, {array}, body), {{f32, {64, 128}}}))) {
    bool output = h.to.memory == "a1";
    if (h.kind == Happening::kLoad) in_only.push_back(fmt::format("use {}", h.from.begin[0]));
    if (h.kind == Happening::kStart && !output) {
      in_only.push_back(fmt::format("start {} in {}", h.from.begin[0] / 8, h.to.begin[0]));
    }
    if (h.kind == Happening::kWait && !output) in_only.push_back(fmt::format("wait {}", h.from.begin[0] / 8));
  }
  return in_only;
}

Index thirds(Index i) { return i / 3; }
Index itself(Index i) { return i; }

TEST(Lookahead, TheNextDifferentBlockIsStartedManyStepsAhead) {
  EXPECT_THAT(happenings(thirds, {2, true}, 7),
              ElementsAre("start 0 in 0", "start 1 in 1", "wait 0", "use 0", "use 0", "use 0",  //
                          "start 2 in 0", "wait 1", "use 1", "use 1", "use 1", "wait 2", "use 0"));
  EXPECT_THAT(happenings(thirds, {2, false}, 7),  // without it, one step ahead
              ElementsAre("start 0 in 0", "wait 0", "use 0", "use 0", "start 1 in 1", "use 0",  //
                          "wait 1", "use 1", "use 1", "start 2 in 0", "use 1", "wait 2", "use 0"));
}

TEST(Lookahead, FillsAllWindowsBeforeTheLoop) {
  EXPECT_THAT(happenings(thirds, {4, true}, 6), ElementsAre("start 0 in 0", "start 1 in 1", "wait 0", "use 0", "use 0",
                                                            "use 0", "wait 1", "use 1", "use 1", "use 1"));
  EXPECT_THAT(happenings(itself, {3, true}, 4),
              ElementsAre("start 0 in 0", "start 1 in 1", "start 2 in 2", "wait 0", "use 0", "start 3 in 0", "wait 1",
                          "use 1", "wait 2", "use 2", "wait 3", "use 0"));
}

TEST(Lookahead, IsForBufferedInputsOfPipelines) {
  auto refused = [](Buffered in, Buffered out) {
    auto body = [=](Ref x, Ref y) {
      auto rows = [](Buffered b) { return BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }, b}; };
      emit_pipeline(add_one, {.grid = {2}, .in = {rows(in)}, .out = {rows(out)}})(x, y);
    };
    Kernel k = kernel("k", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, body);
    return refusal_of([&] { dsl::trace(k, {{f32, {16, 128}}}); });
  };
  EXPECT_THAT(refused({1, true}, {2}), HasSubstr("asks for lookahead with 1 buffer; it needs at least 2"));
  EXPECT_THAT(refused({2, true}, {2, true}), HasSubstr("asks for lookahead, which only inputs have"));
  BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }, Buffered{2, true}};
  EXPECT_THAT(refusal_of([&] { grid_kernel("k", add_one, {.grid = {2}, .in = {rows}, .out = {rows}}); }),
              HasSubstr("a block spec asks for lookahead, which only inputs of emit_pipeline have"));
}

TEST(DynamicGrid, MakesTheCopiesOfAKnownGrid) {
  for (Buffered b : {Buffered{1}, Buffered{2}, Buffered{3}, Buffered{5}, Buffered{3, true}}) {
    for (std::int64_t steps : {1, 2, 3, 6}) {
      EXPECT_EQ(happenings(thirds, b, steps, true), happenings(thirds, b, steps)) << b.count << " " << steps;
      EXPECT_EQ(happenings(itself, b, steps, true), happenings(itself, b, steps)) << b.count << " " << steps;
    }
  }
}

TEST(DynamicGrid, WithoutStepsNothingHappens) {
  EXPECT_THAT(happenings(itself, {3}, 0, true), IsEmpty());
  EXPECT_THAT(happenings(itself, {3}, -1, true), IsEmpty());
}

TEST(DynamicGrid, AKnownAxisIsNotNegative) {
  EXPECT_THAT(refusal_of([] { happenings(itself, {2}, -1); }),
              HasSubstr("emit_pipeline: the grid has an axis of -1 steps; take 0 or more"));
}

}  // namespace
}  // namespace millrace::test
