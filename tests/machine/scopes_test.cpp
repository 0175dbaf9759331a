// SPDX-License-Identifier: Apache-2.0
// Scopes are told to all who listen to a run but those to whom they are nothing; all else is told to both.
#include <gtest/gtest.h>

#include "event/scopeless.h"
#include "runs.h"

namespace millrace::test {
namespace {

template <class Base>
class Heard final : public Base {
 public:
  using Base::on;
  void on(const event::ScopeBegan&) override { ++began; }
  void on(const event::ScopeEnded&) override { ++ended; }
  void on(const event::Access&) override { ++accesses; }
  int began = 0, ended = 0, accesses = 0;
};

TEST(Scopes, AreToldToAllButThoseToWhomTheyAreNothing) {
  const Shape array{32, 128};
  const Kernel k = kernel("twice", {hbm(f32, array)}, {hbm(f32, array)}, [=](Ref x, Ref out) {
    const BlockSpec tile{{8, 128}, [](Index i) { return block(i, 0); }};
    const auto twice = [](Ref a, Ref b) { b.store(2.0f * a.load()); };
    emit_pipeline(twice, {.grid = {4}, .in = {tile}, .out = {tile}})(x, out);
  });
  Heard<event::Observer> all;
  Heard<event::Scopeless> scopeless;
  run(k, {counted(f32, array)}, {.observers = {&scopeless, &all}});
  EXPECT_GE(all.began, 4 * 3);  // each step copies in, computes and copies out, at the least
  EXPECT_EQ(all.began, all.ended);
  EXPECT_EQ(scopeless.began + scopeless.ended, 0);
  EXPECT_EQ(all.accesses, 8);
  EXPECT_EQ(scopeless.accesses, 8);
}

}  // namespace
}  // namespace millrace::test
