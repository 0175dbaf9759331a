// SPDX-License-Identifier: Apache-2.0
// Where two orders of events give different bits, the lab names the tile, the slot and the writer: on a kernel by hand
// that waits too late, once.
#include "lab/disagreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/fixture.h"
#include "millrace/language.h"

namespace millrace::lab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kLateStep = 3;

// Doubles x tile by tile through two slots. In kLateStep the load is awaited only after its tile was used.
Kernel waits_too_late() {
  return kernel("late", {hbm(f32, {48, 128})}, {hbm(f32, {48, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 128}), dma_semaphores(2), [&](Ref buf, Semaphores arrived) {
      const auto load = [&](Index i) { return make_async_copy(x.rows(8 * i, 8), buf[i % 2], arrived[i % 2]); };
      for_range(0, 6, [&](Index i) {
        load(i).start();
        when(i != kLateStep, [&] { load(i).wait(); });
        buf[i % 2].store(2.0f * buf[i % 2].load());
        sync_copy(buf[i % 2], out.rows(8 * i, 8));
        when(i == kLateStep, [&] { load(i).wait(); });
      });
    });
  });
}

Results doubled(const Array& x, const std::string& order) {
  return run(waits_too_late(), {x}, {.schedule = order, .detect_races = true, .track_writers = true});
}

TEST(Disagreement, NamesTheFirstDifferingTileSlotAndWriter) {
  const Array x = random_pair(48, 128, f32, 5).x;
  const Results eager = doubled(x, "eager"), lazy = doubled(x, "lazy");
  const auto sentence = describe_disagreement({"eager", eager[0], eager}, {"lazy", lazy[0], lazy}, {8, 128});
  ASSERT_TRUE(sentence);
  // Tile 3 goes through slot 1, and is the fourth to be copied out.
  EXPECT_THAT(*sentence, HasSubstr("first differing tile (3, 0), element [24, 0]: eager has "));
  EXPECT_THAT(*sentence, HasSubstr("disagreement_test.cpp:"));
  EXPECT_THAT(*sentence, HasSubstr("execution 3, from slot 1 of scoped0), lazy has "));
}

TEST(Disagreement, TheRaceObserverSeesTheSameFaultInEitherOrder) {
  const Array x = random_pair(48, 128, f32, 5).x;
  for (const std::string order : {"eager", "lazy"}) {
    EXPECT_THAT(doubled(x, order).races, ::testing::Not(::testing::IsEmpty())) << order;
  }
}

TEST(Disagreement, IsSilentWhereTheBitsAreTheSame) {
  const Array x = random_pair(48, 128, f32, 5).x;
  const Results once = doubled(x, "eager"), again = doubled(x, "eager");
  EXPECT_FALSE(describe_disagreement({"once", once[0], once}, {"again", again[0], again}, {8, 128}));
}

}  // namespace
}  // namespace millrace::lab
