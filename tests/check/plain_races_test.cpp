// SPDX-License-Identifier: Apache-2.0
// Races in kernels of a few lines, each beside the twin that differs by one line.
#include "check/plain_races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Finding> races(const Kernel& kernel, const std::vector<Array>& inputs,
                           const std::string& schedule = "canonical") {
  checkers::PlainRaces observer;
  run(kernel, inputs, {schedule, {&observer}});
  return observer.findings();
}

// A body that sees x and out in HBM, (16, 128) each, and two slots of (8, 128) with a semaphore each.
Kernel two_slots(const std::function<void(Ref, Ref, Ref, Semaphores)>& body) {
  return kernel("two_slots", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [body](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 128}), dma_semaphores(2), [&](Ref buf, Semaphores sem) { body(x, out, buf, sem); });
  });
}

const std::vector<Array>& x() {
  static const std::vector<Array> inputs = {counted(f32, {16, 128})};
  return inputs;
}

TEST(PlainRaces, AReadBeforeTheWaitRacesAndAfterItDoesNot) {
  auto body = [](bool early) {
    return two_slots([early](Ref in, Ref, Ref buf, Semaphores sem) {
      auto load = make_async_copy(in.rows(0, 8), buf[0], sem[0]);
      load.start();
      if (early) buf[1].store(buf[0].load());
      load.wait();
      if (!early) buf[1].store(buf[0].load());
    });
  };
  EXPECT_THAT(races(body(false), x()), IsEmpty());
  const auto found = races(body(true), x());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "race.read-write");
  EXPECT_EQ(found[0].memory, "scoped0");
  EXPECT_EQ(found[0].first->access, "DMA write");
  EXPECT_EQ(found[0].second->access, "core read");
  EXPECT_EQ(found[0].schedules, "all");
  EXPECT_EQ(found[0].box, (std::vector<Range>{{0, 1}, {0, 8}, {0, 128}}));
  EXPECT_THAT(found[0].message, HasSubstr("are in no order"));
  EXPECT_EQ(found[0].clause, "S4.2");
}

TEST(PlainRaces, AReadOfTheOtherSlotIsNoRace) {
  EXPECT_THAT(races(two_slots([](Ref in, Ref, Ref buf, Semaphores sem) {
                      auto load = make_async_copy(in.rows(0, 8), buf[0], sem[0]);
                      load.start();
                      buf[1].store(zeros_like(buf[1]));
                      load.wait();
                    }),
                    x()),
              IsEmpty());
}

TEST(PlainRaces, TwoReadersOfOneBoxDoNotRace) {
  EXPECT_THAT(races(two_slots([](Ref in, Ref, Ref buf, Semaphores sem) {
                      auto a = make_async_copy(in.rows(0, 8), buf[0], sem[0]);
                      auto b = make_async_copy(in.rows(0, 8), buf[1], sem[1]);
                      a.start(), b.start(), a.wait(), b.wait();
                    }),
                    x()),
              IsEmpty());
}

TEST(PlainRaces, ALoadWhoseValueNobodyUsesIsNoAccess) {
  EXPECT_THAT(races(two_slots([](Ref in, Ref, Ref buf, Semaphores sem) {
                      auto load = make_async_copy(in.rows(0, 8), buf[0], sem[0]);
                      load.start();
                      buf[0].load();
                      load.wait();
                    }),
                    x()),
              IsEmpty());
}

TEST(PlainRaces, NthCountsTheExecutionsOfAPlaceOnAMemoryAcrossItsScopes) {
  auto body = [](Ref in, Ref out) {
    for_range(0, 4, [&](Index i) {
      scoped(vmem(f32, {8, 128}), dma_semaphore(), [&](Ref buf, Semaphore sem) {
        auto load = make_async_copy(in.rows(0, 8), buf, sem);
        buf.store(zeros_like(buf));
        when(i < 2, [&] { load.start(), load.wait(); });
        when(i >= 2, [&] { load.start(); });
        sync_copy(buf, out.rows(0, 8));
        when(i >= 2, [&] { load.wait(); });
      });
    });
  };
  const auto found = races(kernel("scopes", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, body), x());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].first->nth, 0u);   // the other start has two executions of its own
  EXPECT_EQ(found[0].second->nth, 2u);  // the copy out, in the third turn
}

TEST(PlainRaces, TheFindingsDoNotDependOnTheScheduleThatWasWatched) {
  const Kernel faulty = two_slots([](Ref in, Ref out, Ref buf, Semaphores sem) {
    auto a = make_async_copy(in.rows(0, 8), buf[0], sem[0]);
    auto b = make_async_copy(in.rows(8, 8), buf[1], sem[0]);
    a.start();
    b.start();
    a.wait();
    const Value first = buf[0].load();
    const Value second = buf[1].load();
    buf[0].store(first + second);
    b.wait();
    sync_copy(buf[0], out.rows(0, 8));
  });
  std::vector<std::string> canonical;
  for (const Finding& f : races(faulty, x())) canonical.push_back(f.message + f.schedules);
  ASSERT_THAT(canonical, SizeIs(3));  // both loads, and the store against the first DMA
  for (const std::string& schedule : schedules(20)) {
    std::vector<std::string> now;
    for (const Finding& f : races(faulty, x(), schedule)) now.push_back(f.message + f.schedules);
    EXPECT_EQ(now, canonical) << schedule;
  }
}

TEST(PlainRaces, ARaceThatVanishesWereEachWaitMetAsMeantIsOneOfSomeSchedulesWhateverRanFirst) {
  const Kernel faulty = two_slots([](Ref in, Ref, Ref buf, Semaphores sem) {
    auto a = make_async_copy(in.rows(0, 8), buf[0], sem[0]);
    auto b = make_async_copy(in.rows(8, 8), buf[1], sem[0]);
    a.start();
    b.start();
    a.wait();
    const Value early = buf[1].load();  // b may still be on its way: canonical runs it only at the next wait
    buf[1].store(early + 1.0f);
    b.wait();
  });
  for (const std::string& schedule : schedules(10)) {
    const auto found = races(faulty, x(), schedule);
    ASSERT_THAT(found, SizeIs(2)) << schedule;
    for (const Finding& f : found) EXPECT_EQ(f.schedules, "some") << schedule << ": " << f.message;
  }
}

TEST(PlainRaces, ADmaWhoseEndsOverlapRacesWithItself) {
  auto shift = [](std::int64_t to) {
    return kernel("shift", {hbm(f32, {32, 128})}, {hbm(f32, {32, 128})}, [to](Ref in, Ref out) {
      sync_copy(in, out);
      sync_copy(out.rows(0, 16), out.rows(to, 16));
    });
  };
  const auto found = races(shift(8), {counted(f32, {32, 128})});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].first->access, "DMA read");
  EXPECT_EQ(found[0].second->access, "DMA write");
  EXPECT_EQ(found[0].box, (std::vector<Range>{{8, 16}, {0, 128}}));
  EXPECT_THAT(races(shift(16), {counted(f32, {32, 128})}), IsEmpty());
}

TEST(PlainRaces, TheWindowsOfAGridKernelDoNotRaceWithItsBody) {
  const BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  EXPECT_THAT(races(grid_kernel("twice", [](Ref in, Ref out) { out.store(2.0f * in.load()); },
                                {.grid = {4}, .in = {rows}, .out = {rows}}),
                    {counted(f32, {32, 128})}, "random:7"),
              IsEmpty());
}

}  // namespace
}  // namespace millrace::test
