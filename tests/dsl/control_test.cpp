// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay.h"
#include "traced.h"

namespace millrace::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Control, ALoopWithoutCarriedValuesIsAnI32Loop) {
  std::string text =
      text_of([](Ref x, Ref out) { for_range(0, 8, [&](Index i) { out.rows(i, 1).store(x.rows(i, 1).load()); }); });
  EXPECT_THAT(text, HasSubstr("\"scf.for\""));
  EXPECT_THAT(text, HasSubstr("(i32, i32, i32) -> ()"));
}

TEST(Control, CarriedValuesComeOutOfTheLoop) {
  std::string text = text_of([](Ref x, Ref out) {
    auto [total, turns] = for_range(0, 8, carry(zeros(f32, {1, 128}), 0), [&](Index i, Value sum, Index n) {
      return carry(sum + x.rows(i, 1).load(), n + 1);
    });
    out.store(broadcast(total, {8, 128}) * cast(turns, f32));
  });
  EXPECT_THAT(text, HasSubstr("(i32, i32, i32, vector<1x128xf32>, i32) -> (vector<1x128xf32>, i32)"));
}

TEST(Control, AWhileLoopTestsBeforeEachTurn) {
  std::string text = text_of([](Ref x, Ref out) {
    auto [v] = while_loop(
        carry(x.load()), [](Value v) { return max(v) >= 1; }, [](Value v) { return carry(v * 0.5f); });
    out.store(v);
  });
  EXPECT_THAT(text, HasSubstr("\"scf.while\""));
  EXPECT_THAT(text, HasSubstr("\"scf.condition\""));
}

TEST(Control, BothSidesOfABranchGiveResults) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    auto [y] = cond(
        sum(v) > 0, [&] { return carry(v + 1); }, [&] { return carry(-v); });
    out.store(y);
  });
  EXPECT_THAT(text, HasSubstr("\"scf.if\""));
  EXPECT_THAT(text, HasSubstr("(i1) -> vector<8x128xf32>"));
}

TEST(Control, ABranchWithoutAnElseStillHasBothRegions) {
  auto m = module_of(kernel("k", {smem(i32, {1})}, {smem(i32, {1})},
                            [](Ref x, Ref out) { when(Index(x.load(0)) > 3, [&] { out.store(1, 0); }); }),
                     {{i32, {1}}});
  for (const auto& op : m->kernel()->body.ops) {
    if (op.name != "scf.if") continue;
    EXPECT_EQ(op.regions.size(), 2u);
  }
  EXPECT_EQ(count(*m, "scf.if"), 1u);
  EXPECT_EQ(count(*m, "scf.yield"), 2u);
}

TEST(Control, WhatIsKnownWhileTracingIsDecidedWhileTracing) {
  std::string text = text_of([](Ref x, Ref out) {
    when(
        true, [&] { out.store(x.load()); }, [&] { out.store(0); });
    when(Index(3) == 4, [&] { out.store(exp(x.load())); });
  });
  EXPECT_THAT(text, Not(HasSubstr("scf.if")));
  EXPECT_THAT(text, Not(HasSubstr("math.exp")));
}

TEST(Control, ViewsOfViewsAddUp) {
  auto body = [](Ref x, Ref out) {
    Ref part = x[1].rows(8, 16).slice({4, 128}, {8, 128});
    sync_copy(part, out);
  };
  Kernel k = kernel("k", {hbm(f32, {2, 32, 256})}, {hbm(f32, {8, 128})}, body);
  EXPECT_THAT(replay_text(*module_of(k, {{f32, {2, 32, 256}}})),
              ElementsAre("start a0[1, 12+8, 128+128] -> a1[0+8, 0+128] on s0[]",
                          "wait a0[1, 12+8, 128+128] -> a1[0+8, 0+128] on s0[]"));
}

TEST(Control, SemaphoresCountByHand) {
  auto body = [](Ref x, Ref out) {
    scoped(semaphores(2), semaphore(), [&](Semaphores many, Semaphore one) {
      signal(many[1], 3);
      wait(many[1], 3);
      signal(one);
      out.store(semaphore_read(one) + Index(x.load(0)), 0);
      wait(one);
    });
  };
  auto m = module_of(kernel("k", {smem(i32, {1})}, {smem(i32, {1})}, body), {{i32, {1}}});
  EXPECT_THAT(operations_of(*m), testing::IsSupersetOf({"tpu.sem_signal", "tpu.sem_wait", "tpu.sem_read"}));
}

}  // namespace
}  // namespace millrace::test
