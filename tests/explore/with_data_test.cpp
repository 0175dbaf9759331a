// SPDX-License-Identifier: Apache-2.0
// Kernels whose control depends on a race: what the explorer says that there is, against what very many random
// schedules meet.
#include "explore/with_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "explore/recorder.h"
#include "explore/spelling.h"
#include "runs.h"

namespace millrace::test {
namespace {

using explore::Skeleton;
using explore::Step;
using explore::WithData;

// When each step of a run happened; cores are numbered as the recorder numbers them.
class Clock final : public event::Observer {
 public:
  void on(const event::Access& e) override { when_[{Step::Kind::kCore, core(e.who), op(e.who)}] = now_++; }
  void on(const event::DmaIssued& e) override {
    op(e.by);
    dmas_[e.dma] = {core(e.by), static_cast<std::uint32_t>(dmas_.size())};
  }
  void on(const event::Signalled& e) override { op(e.who); }
  void on(const event::Waited& e) override { op(e.who); }
  void on(const event::DmaRead& e) override { end(Step::Kind::kDmaRead, e.dma); }
  void on(const event::DmaWrote& e) override { end(Step::Kind::kDmaWrite, e.dma); }
  std::map<Step, std::size_t> when_;

 private:
  std::uint32_t core(const event::Agent& who) {
    return cores_.try_emplace({who.device, who.core}, static_cast<std::uint32_t>(cores_.size())).first->second;
  }
  std::uint32_t op(const event::Agent& who) { return ops_[core(who)]++; }
  void end(Step::Kind kind, event::DmaId dma) { when_[{kind, dmas_[dma].first, dmas_[dma].second}] = now_++; }

  std::map<std::pair<int, int>, std::uint32_t> cores_;
  std::map<std::uint32_t, std::uint32_t> ops_;
  std::map<event::DmaId, std::pair<std::uint32_t, std::uint32_t>> dmas_;
  std::size_t now_ = 0;
};

// A name that is the same in all runs: of a DMA by its number among those of its core.
std::string name_of(const Skeleton& s, const Step& x) {
  const explore::Core& core = s.cores[x.core];
  std::uint32_t number = x.index;
  if (x.kind != Step::Kind::kCore) {
    number = 0;
    for (std::uint32_t d = 0; d < x.index; ++d) number += s.dmas[d].core == x.core ? 1 : 0;
  }
  return fmt::format("{}.{}.{}.{}", core.device, core.core, static_cast<int>(x.kind), number);
}

struct Lab {
  Kernel kernel;
  std::vector<Array> inputs;
  int cores = 1;

  How how(const std::string& schedule, std::vector<event::Observer*> observers) const {
    How h{schedule, std::move(observers)};
    h.environment.cores = cores;
    return h;
  }
  explore::Recorded record(const std::string& schedule) const {
    explore::Recorder recorder;
    explore::Recorded r;
    r.stopped = error_of([&] { run(kernel, inputs, how(schedule, {&recorder})); });
    if (r.stopped == "no error") r.stopped.clear();
    r.skeleton = recorder.take();
    return r;
  }
  WithData explore(const explore::Facts& facts, std::uint64_t max_runs = 2000) const {
    return explore_with_data(
        record("canonical").skeleton, facts, [&](auto& s) { return record(s); }, {}, max_runs);
  }

  // The classes that random schedules meet: what the run did, and in which order its conflicting accesses came.
  struct Met {
    std::set<std::string> complete, deadlocked;
    std::set<explore::Spelled> ways;
  };
  Met met(int schedules) const {
    Met m;
    explore::Spelling spelling;
    std::map<explore::Spelled, std::size_t> numbers;
    for (int seed = 1; seed <= schedules; ++seed) {
      explore::Recorder recorder;
      Clock clock;
      run(kernel, inputs, how(fmt::format("random:{}", seed), {&recorder, &clock}));
      const Skeleton s = recorder.take();
      const auto way = spelling.of(s);
      std::string key = fmt::format("{}: ", numbers.try_emplace(way, numbers.size()).first->second);
      std::map<std::string, Step> steps;
      for (const auto& [step, when] : clock.when_) steps.emplace(name_of(s, step), step);
      for (const auto& [a, x] : steps)
        for (const auto& [b, y] : steps)
          if (a < b && conflict(s, x, y)) key += clock.when_.at(x) < clock.when_.at(y) ? '<' : '>';
      bool blocked = false;
      for (const explore::Core& c : s.cores) blocked |= c.blocked;
      (blocked ? m.deadlocked : m.complete).insert(key);
      m.ways.insert(way);
    }
    return m;
  }

  void expect_all_found(const explore::Facts& facts, std::size_t least_ways, int schedules = 3000) const {
    const Met there = met(schedules);
    const WithData found = explore(facts);
    EXPECT_TRUE(found.result.complete) << found.result.stopped;
    EXPECT_EQ(found.result.classes, there.complete.size());
    EXPECT_EQ(found.result.classes_deadlocked, there.deadlocked.size());
    explore::Spelling spelling;
    std::set<explore::Spelled> ways = {spelling.of(record("canonical").skeleton)};
    for (const explore::OtherWay& other : found.others) {
      EXPECT_TRUE(ways.insert(spelling.of(other.skeleton)).second) << "found twice";
      const explore::Recorded again = record(other.schedule);  // its schedule can be followed, and shows it
      EXPECT_EQ(again.stopped, "") << other.schedule;
      EXPECT_EQ(spelling.of(again.skeleton), spelling.of(other.skeleton)) << other.schedule;
    }
    EXPECT_EQ(ways.size(), there.ways.size());
    EXPECT_GE(ways.size(), least_ways);
  }
};

// x is (4, 8), of which row r holds r + 7 everywhere.
std::vector<Array> numbers() {
  Array x(i32, {4, 8});
  for (std::int64_t e = 0; e < 32; ++e) x.as<std::int32_t>()[static_cast<std::size_t>(e)] = static_cast<int>(e / 8 + 7);
  return {x};
}

// A body that sees x and out in HBM, four rows each, flags in SMEM that begin as 0, a semaphore a flag, a plain one.
Lab flagged(const std::function<void(Ref, Ref, Ref, Semaphores, Semaphore)>& body) {
  return {kernel("flagged", {hbm(i32, {4, 8})}, {hbm(i32, {4, 8})},
                 [body](Ref x, Ref out) {
                   scoped(smem(i32, {4, 8}), dma_semaphores(4), semaphore(),
                          [&](Ref f, Semaphores arrived, Semaphore s) {
                            for (int r = 0; r < 4; ++r) f.store(0, r, 0);
                            body(x, out, f, arrived, s);
                          });
                 }),
          numbers()};
}

const explore::Facts kFlags{{"scoped0"}};

TEST(WithData, ADeadlockOfOneOrderOfARaceIsFound) {
  const Lab lab = flagged([](Ref x, Ref, Ref f, Semaphores arrived, Semaphore never) {
    auto load = make_async_copy(x[0], f[0], arrived[0]);
    load.start();
    const Index early = Index(f.load(0, 0));
    load.wait();
    when(early == 7, [&] { wait(never); });
  });
  lab.expect_all_found(kFlags, 2, 200);
  const WithData found = lab.explore(kFlags);
  EXPECT_EQ(found.result.classes, 1u);
  EXPECT_EQ(found.result.classes_deadlocked, 1u);
  EXPECT_EQ(found.runs, 2u + 1u + 1u);  // both orders; one more to stop where it turns off; the other way's own two
}

TEST(WithData, WithoutARaceThereIsOneWay) {
  const Lab lab = flagged([](Ref x, Ref, Ref f, Semaphores arrived, Semaphore never) {
    auto load = make_async_copy(x[0], f[0], arrived[0]);
    load.start(), load.wait();
    when(Index(f.load(0, 0)) != 7, [&] { wait(never); });
  });
  lab.expect_all_found(kFlags, 1, 50);
  EXPECT_EQ(lab.explore(kFlags).runs, 0u);
}

// What is raced for in the second race depends on the first; the loop's bound on the second.
TEST(WithData, WaysBehindOtherWaysAreFound) {
  const Lab lab = flagged([](Ref x, Ref out, Ref f, Semaphores arrived, Semaphore) {
    auto a = make_async_copy(x[0], f[0], arrived[0]);
    a.start();
    const Index first = Index(f.load(0, 0));
    a.wait();
    when(first == 7, [&] {
      auto b = make_async_copy(x[1], f[1], arrived[1]);
      b.start();
      const Index second = Index(f.load(1, 0));
      b.wait();
      for_range(0, second - 6, [&](Index i) { sync_copy(f[1], out[i]); });
    });
    when(first == 0, [&] { sync_copy(f[0], out[3]); });
  });
  lab.expect_all_found(kFlags, 3, 500);
}

TEST(WithData, AnAddressThatARaceDecidesIsAnotherWay) {
  const Lab lab = flagged([](Ref x, Ref out, Ref f, Semaphores arrived, Semaphore) {
    auto a = make_async_copy(x[0], f[0], arrived[0]);
    auto b = make_async_copy(x[1], f[1], arrived[1]);
    a.start(), b.start();
    const Index row = Index(f.load(0, 0)) - Index(f.load(1, 0)) + 2;  // 2, 9 or -6 out of bounds, 1
    a.wait(), b.wait();
    when(row > 0, [&] { when(row < 4, [&] { sync_copy(f[0], out[row]); }); });
  });
  lab.expect_all_found(kFlags, 3, 500);
}

// Races whose values get to no flag are counted, not run.
TEST(WithData, OnlyRacesThatMatterToControlAreRun) {
  const Lab lab{kernel("aside", {hbm(i32, {4, 8})}, {hbm(i32, {4, 8})},
                       [](Ref x, Ref out) {
                         scoped(smem(i32, {8}), vmem(i32, {4, 8}), dma_semaphores(5),
                                [&](Ref f, Ref buf, Semaphores arrived) {
                                  sync_copy(x[1], f);
                                  std::vector<AsyncCopy> copies;
                                  for (int r = 0; r < 4; ++r)
                                    copies.push_back(make_async_copy(x[r], buf[r], arrived[r]));
                                  for (const AsyncCopy& c : copies) c.start();
                                  for (int r = 0; r < 4; ++r) buf[r].store(r);
                                  for (const AsyncCopy& c : copies) c.wait();
                                  auto flag = make_async_copy(x[0], f, arrived[4]);
                                  flag.start();
                                  const Index early = Index(f.load(0));
                                  flag.wait();
                                  when(early == 7, [&] { sync_copy(buf, out); });
                                });
                       }),
                numbers()};
  const WithData found = lab.explore(kFlags);
  EXPECT_EQ(found.result.classes, 32u);
  EXPECT_LE(found.runs, 6u);
  lab.expect_all_found(kFlags, 2, 3000);
}

TEST(WithData, SaysWhereItStopped) {
  const Lab lab = flagged([](Ref x, Ref out, Ref f, Semaphores arrived, Semaphore) {
    for (int r = 0; r < 4; ++r) {
      auto load = make_async_copy(x[r], f[r], arrived[r]);
      load.start();
      const Index early = Index(f.load(r, 0));
      load.wait();
      when(early == 0, [&] { sync_copy(f[r], out[r]); });
    }
  });
  EXPECT_EQ(lab.explore(kFlags).others.size(), 15u);
  const WithData some = lab.explore(kFlags, 10);
  EXPECT_FALSE(some.result.complete);
  EXPECT_EQ(some.result.stopped, "stopped after 10 runs");
  EXPECT_EQ(some.runs, 10u);
  EXPECT_LT(some.result.classes, 16u);
}

// Two cores that leave each other numbers in HBM. Each is to do what it does next by what it finds there.
Lab mailboxes(bool both) {
  return {grid_kernel("mailboxes",
                      [both](Ref x, Ref out, Ref f, Semaphore arrived) {
                        const auto copy = [&](const Ref& from, const Ref& to) {
                          auto c = make_async_copy(from, to, arrived);
                          c.start(), c.wait();
                        };
                        const auto answer = [&](int from, int row, int to) {
                          copy(out[from], f);
                          when(Index(f.load(0)) == row + 7, [&] { copy(x[3], out[to]); });
                        };
                        when(
                            program_id(0) == 0,
                            [&] {
                              copy(x[0], out[0]);
                              if (both) answer(1, 1, 2);
                            },
                            [&] {
                              copy(x[1], out[1]);
                              answer(0, 0, both ? 2 : 3);
                            });
                      },
                      {.grid = {2},
                       .semantics = {Dimension::kParallel},
                       .in = {BlockSpec::in_place()},
                       .out = {BlockSpec::in_place()},
                       .scratch = {smem(i32, {8}), dma_semaphore()},
                       .out_arrays = {{i32, {4, 8}}}}),
          numbers(), 2};
}

TEST(WithData, ACoreThatReadsWhatAnotherWritesGoesBothWays) {
  mailboxes(false).expect_all_found({{"scratch0"}}, 2, 500);
}

// Neither found the other's number; one did; both did, and then they race for the same row.
TEST(WithData, TwoCoresThatDecideByEachOthersWritesGoEveryWay) {
  mailboxes(true).expect_all_found({{"scratch0"}}, 3, 4000);
}

}  // namespace
}  // namespace millrace::test
