// SPDX-License-Identifier: Apache-2.0
// A kernel in modeled time, as a user of the language asks for it.
#include "millrace/modeled_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "millrace/language.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Blocks of 8 rows, doubled; one wait too few where the last store is not awaited.
Kernel doubled(bool awaits_loads = true) {
  return kernel("doubled", {hbm(f32, {64, 256})}, {hbm(f32, {64, 256})}, [=](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 256}), dma_semaphores(2), [&](Ref buffer, Semaphores arrived) {
      auto load = [&](Index i) { return make_async_copy(x.rows(8 * i, 8), buffer[i % 2], arrived[i % 2]); };
      load(0).start();
      for_range(0, 8, [&](Index i) {
        when(i + 1 < 8, [&] { load(i + 1).start(); });
        if (awaits_loads) load(i).wait();
        Value tile = buffer[i % 2].load();
        buffer[i % 2].store(2.0f * tile);
        sync_copy(buffer[i % 2], out.rows(8 * i, 8));
      });
    });
  });
}

Array rows() { return Array::linspace(-1, 1, 64 * 256).reshaped({64, 256}); }

TEST(ModeledTime, SaysHowLongAKernelTakesAndWhatBoundsIt) {
  const ModeledTime m = modeled_time(doubled(), {rows()});
  EXPECT_GT(m.seconds(), 8 * 0.6e-6);  // at least eight stores, one after the other
  EXPECT_LT(m.seconds(), 16 * 0.7e-6);
  EXPECT_GT(m.overlap(), 0);
  EXPECT_GT(m.step_seconds(), 0);
  EXPECT_GT(m.step_theory(), 0);
  EXPECT_THAT(m.bounded_by(), HasSubstr("latency"));
}

TEST(ModeledTime, TakesOtherFiguresThanTheChips) {
  const double usual = modeled_time(doubled(), {rows()}).seconds();
  EXPECT_LT(modeled_time(doubled(), {rows()}, {.figures = {{"dma-latency", 0}}}).seconds(), usual);
  const ModeledTime slow = modeled_time(doubled(), {rows()}, {.figures = {{"bandwidth", 0.1}, {"dma-latency", 0}}});
  EXPECT_THAT(slow.bounded_by(), HasSubstr("transfer"));
  EXPECT_NEAR(slow.seconds(), 2.0 * 64 * 256 * 4 / 0.1e9, 0.2 * 64 * 256 * 4 / 0.1e9);
  EXPECT_THROW(modeled_time(doubled(), {rows()}, {.figures = {{"speed", 1}}}), Error);
}

TEST(ModeledTime, IsDrawnAndWrittenDown) {
  const ModeledTime m = modeled_time(doubled(), {rows()}, {.title = "mine"});
  EXPECT_THAT(m.svg(), StartsWith("<svg "));
  EXPECT_THAT(m.text(), StartsWith("mine: modeled for v5e"));
  EXPECT_EQ(nlohmann::json::parse(m.json())["execution"], "modeled");
  EXPECT_FALSE(m.perfetto().empty());
  const std::string both = svg_of({m, modeled_time(doubled(), {rows()}, {.title = "theirs"})}, "side by side");
  for (const char* word : {"side by side", "mine", "theirs"}) EXPECT_THAT(both, HasSubstr(word));
}

TEST(ModeledTime, ShowsAFaultOfTheKernel) {
  EXPECT_THAT(modeled_time(doubled(false), {rows()}).text(), HasSubstr("error race.read-write"));
  EXPECT_THAT(modeled_time(doubled(), {rows()}).text(), Not(HasSubstr("error ")));
}

}  // namespace
}  // namespace millrace
