// SPDX-License-Identifier: Apache-2.0
#include "bench/exploring.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>

#include "explore/explore.h"
#include "explore/recorder.h"
#include "millrace/error.h"

namespace millrace::bench {

namespace {

constexpr std::int64_t kBytes = 4096;
constexpr event::MemoryId kIn = 0, kOut = 1, kSlots = 2, kSemaphores = 100;
constexpr std::uint64_t kMostClasses = 10'000;  // of one model

// The events of one core, told by hand: no data, no machine.
class Told {
 public:
  Told() {
    recorder_.on(event::RunBegan{{&place_, 1}});
    recorder_.on(
        event::RegionAllocated{kSemaphores, "semaphores", event::MemoryKind::kSemaphore, DType::i32, true, {}, 0});
  }
  void start(event::MemoryId from, event::MemoryId to, int block, int semaphore) {
    recorder_.on(
        event::DmaIssued{dmas_++, {}, {from, box(from, block)}, {to, box(to, block)}, named(semaphore), kBytes, {}, 0});
  }
  void wait(int semaphore) { recorder_.on(event::Waited{{}, named(semaphore), kBytes, 0}); }
  void read(event::MemoryId memory) {
    recorder_.on(event::Access{{}, memory, box(memory, 0), event::AccessKind::kRead, 0});
  }
  void write(event::MemoryId memory) {
    recorder_.on(event::Access{{}, memory, box(memory, 0), event::AccessKind::kWrite, 0});
  }
  explore::Skeleton done() {
    recorder_.on(event::KernelEnded{});
    return recorder_.take();
  }

 private:
  // Of an array its block, of a slot all.
  static event::Box box(event::MemoryId memory, int block) {
    event::Box b{1, {}};
    b.ranges[0] = memory < kSlots ? Range{block, block + 1, 1} : Range{0, 1, 1};
    return b;
  }
  static event::Semaphore named(int semaphore) { return {kSemaphores, static_cast<std::uint32_t>(semaphore)}; }

  const event::Place place_{"model:1", "model:1"};
  explore::Recorder recorder_;
  event::DmaId dmas_ = 0;
};

// Blocks in and out through so many slots, loads so many steps ahead. The wait for the load of one step may be missing,
// or all loads may share one semaphore, so that no wait knows whose bytes it was.
struct Pipeline {
  int steps, buffers, without_wait = -1;
  bool one_semaphore = false;
};

explore::Skeleton told(const Pipeline& p) {
  Told t;
  const auto slot = [&](int i) { return kSlots + static_cast<event::MemoryId>(i % p.buffers); };
  const auto out_slot = [&](int i) { return slot(i) + static_cast<event::MemoryId>(p.buffers); };
  const auto on = [&](int i) { return p.one_semaphore ? 0 : i % p.buffers; };
  const auto load = [&](int i) {
    if (i < p.steps) t.start(kIn, slot(i), i, on(i));
  };
  for (int i = 0; i + 1 < p.buffers; ++i) load(i);
  for (int i = 0; i < p.steps; ++i) {
    load(i + p.buffers - 1);
    if (i != p.without_wait) t.wait(on(i));
    if (i >= p.buffers) t.wait(p.buffers + i % p.buffers);
    t.read(slot(i)), t.write(out_slot(i));
    t.start(out_slot(i), kOut, i, p.buffers + i % p.buffers);
  }
  for (int i = std::max(0, p.steps - p.buffers); i < p.steps; ++i) t.wait(p.buffers + i % p.buffers);
  return t.done();
}

// Loads into one slot that the core reads meanwhile: any order of all.
explore::Skeleton crowded(int loads) {
  Told t;
  for (int i = 0; i < loads; ++i) t.start(kIn, kSlots, i, i);
  t.read(kSlots);
  for (int i = 0; i < loads; ++i) t.wait(i);
  return t.done();
}

std::uint64_t classes(const explore::Skeleton& s, bool all) {
  explore::Options options;
  options.max_classes = kMostClasses;
  const explore::Result r = explore::explore(s, options);
  if (all && (!r.complete || r.classes != 1))
    throw Error(ErrorCode::kInternal, fmt::format("the pipeline has {} classes in place of 1", r.classes));
  return r.met;
}

}  // namespace

std::vector<Pairing> exploring() {
  const explore::Skeleton correct = told({10, 4});
  Pairing one;
  one.name = "explore/pipeline", one.unit = "pipeline", one.aim_us = 10'000;
  one.candidate = "all classes of a correct pipeline of 10 steps and 4 buffers: 1";
  measure(one, {[&] { benchmark::DoNotOptimize(classes(correct, true)); }, {}, {}, 100}, 3, 15);

  const std::vector<explore::Skeleton> racy = {told({4, 2, -1, true}), told({6, 2, 2}), crowded(6), told({3, 1, 1})};
  std::uint64_t met = 0;
  for (const explore::Skeleton& s : racy) met += classes(s, false);
  Pairing many;
  many.name = "explore/classes", many.unit = "class", many.aim_us = 10;
  many.candidate = fmt::format("the classes of {} small racy pipelines, {} in all", racy.size(), met);
  many.candidate_work = static_cast<double>(met);
  measure(many,
          {[&] {
             for (const explore::Skeleton& s : racy) benchmark::DoNotOptimize(classes(s, false));
           },
           {},
           {}},
          1, 9);
  return {one, many};
}

}  // namespace millrace::bench
