// SPDX-License-Identifier: Apache-2.0
#include "sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "explore/recorder.h"

namespace millrace::test {

using Kind = Act::Kind;

std::uint64_t Touch::elements() const {
  std::uint64_t all = bits;
  for (int e = begin; bits == 0 && e < end; e += stride) all |= std::uint64_t{1} << e;
  return all;
}

Act read(Touch t) { return {Kind::kRead, t, {}, 0, 0, -1}; }
Act write(Touch t) { return {Kind::kWrite, t, {}, 0, 0, -1}; }
Act start(Touch source, Touch target, int semaphore, std::int64_t amount, int sends) {
  return {Kind::kStart, source, target, semaphore, amount, sends};
}
Act signal(int semaphore, std::int64_t amount) { return {Kind::kSignal, {}, {}, semaphore, amount, -1}; }
Act wait(int semaphore, std::int64_t amount) { return {Kind::kWait, {}, {}, semaphore, amount, -1}; }

namespace {

constexpr event::MemoryId kSemaphores = 100;

event::Box box_of(const Touch& t) {
  event::Box b{1, {}};
  b.ranges[0] = {t.begin, t.end, t.stride};
  return b;
}

event::MemoryId memory_of(const Touch& t) { return static_cast<event::MemoryId>(t.memory); }
event::Semaphore semaphore_of(int s) { return {kSemaphores + static_cast<event::MemoryId>(s), 0}; }

void tell(explore::Recorder& to, const event::Agent& who, const Act& act, event::DmaId& dmas) {
  using event::AccessKind;
  switch (act.kind) {
    case Kind::kRead:
    case Kind::kWrite: {
      const auto kind = act.kind == Kind::kRead ? AccessKind::kRead : AccessKind::kWrite;
      return to.on(event::Access{who, memory_of(act.touch), box_of(act.touch), kind, 0});
    }
    case Kind::kStart: {
      event::DmaIssued e{dmas++,
                         who,
                         {memory_of(act.touch), box_of(act.touch)},
                         {memory_of(act.target), box_of(act.target)},
                         semaphore_of(act.semaphore),
                         act.amount,
                         {},
                         0};
      if (act.sends >= 0) e.sends = semaphore_of(act.sends);
      return to.on(e);
    }
    case Kind::kSignal: return to.on(event::Signalled{who, semaphore_of(act.semaphore), act.amount, 0});
    case Kind::kWait: return to.on(event::Waited{who, semaphore_of(act.semaphore), act.amount, 0});
  }
}

}  // namespace

explore::Skeleton skeleton_of(const Sketch& sketch) {
  explore::Recorder recorder;
  const event::Place place{"sketch:1", "sketch:1"};
  recorder.on(event::RunBegan{{&place, 1}});
  for (std::size_t s = 0; s < sketch.bytes.size(); ++s)
    recorder.on(event::RegionAllocated{semaphore_of(static_cast<int>(s)).memory,
                                       "semaphore",
                                       event::MemoryKind::kSemaphore,
                                       DType::i32,
                                       sketch.bytes[s],
                                       {},
                                       0});
  event::DmaId dmas = 0;
  for (std::size_t c = 0; c < sketch.cores.size(); ++c)
    for (const Act& act : sketch.cores[c]) tell(recorder, {0, static_cast<int>(c), {}}, act, dmas);
  recorder.on(event::KernelEnded{});
  return recorder.take();
}

namespace {

// What the four numbers of an act mean.
Act act_of(const std::uint8_t* n, int core, const std::vector<Act>& before, int semaphores, bool several,
           std::ptrdiff_t most) {
  const auto touch = [&](std::uint8_t x) {
    const int begin = x % 4, width = 1 + x / 4 % (4 - begin), stride = 1 + x / 64 % 2;
    // Memory 0 is everybody's; the others are the core's own.
    return Touch{x / 32 % 2 ? 1 + core : 0, begin, begin + width, stride};
  };
  const int own = several ? core * semaphores : 0;
  const int semaphore = own + n[3] % semaphores;
  // No more than three DMAs: each multiplies the interleavings by about ten.
  const bool starts_no_more =
      std::count_if(before.begin(), before.end(), [](const Act& a) { return a.kind == Kind::kStart; }) >= most;
  const int kind = n[0] % 8;
  switch (starts_no_more && kind >= 2 && kind <= 4 ? kind - 2 : kind) {
    case 0: return read(touch(n[1]));
    case 1: return write(touch(n[1]));
    case 2:
    case 3:
    case 4: return start(touch(n[1]), touch(n[2]), semaphore, 32 * (1 + n[3] / 8 % 3));
    case 5:
      return signal(n[2] % 4 == 3 ? (own + semaphores) % (several ? 2 * semaphores : semaphores) : semaphore,
                    n[2] % 2 ? 1 : 32);
    default: break;
  }
  // A wait, mostly for what one of the starts before brings.
  std::vector<Act> starts;
  std::copy_if(before.begin(), before.end(), std::back_inserter(starts),
               [](const Act& a) { return a.kind == Kind::kStart; });
  if (starts.empty()) return read(touch(n[1]));
  if (n[1] % 16 == 15) return wait(semaphore, n[1] / 8 % 2 ? 32 * (1 + n[2] % 3) : 1);
  const auto waits = std::count_if(before.begin(), before.end(), [](const Act& a) { return a.kind == Kind::kWait; });
  const Act& meant = starts[(n[1] % 4 == 0 ? n[2] : static_cast<std::size_t>(waits)) % starts.size()];
  return wait(meant.semaphore, meant.amount);
}

}  // namespace

Sketch sketch_of(const Genome& genome, bool contended) {
  Sketch sketch;
  const bool several = genome.size() > 1 && !contended;
  sketch.bytes = {true, true};
  if (several) sketch.bytes = {true, true, true, true};
  for (std::size_t c = 0; c < genome.size(); ++c) {
    std::vector<Act> acts;
    for (std::size_t i = 0; i + 4 <= genome[c].size(); i += 4)
      acts.push_back(act_of(&genome[c][i], static_cast<int>(c), acts, 2, several, genome.size() > 1 ? 2 : 3));
    sketch.cores.push_back(std::move(acts));
  }
  // Amounts all alike, so that each wait may be met by anything.
  if (contended)
    for (auto& acts : sketch.cores)
      for (Act& act : acts) {
        act.amount = act.amount == 0 ? 0 : 32, act.semaphore = act.amount == 0 ? 0 : act.semaphore / 2;
        if (act.kind == Kind::kStart && act.touch.begin % 2) act = signal(act.semaphore, 32);
      }
  // A core's copies to another raise a semaphore of the other's, and one of its own when they have read.
  if (several)
    for (std::size_t c = 0; c < genome.size(); ++c)
      for (std::size_t i = 0; i < sketch.cores[c].size(); ++i) {
        Act& act = sketch.cores[c][i];
        if (act.kind != Kind::kStart || genome[c][4 * i + 2] % 3 != 0) continue;
        act.sends = act.semaphore;
        act.semaphore = (act.semaphore + 2) % 4;
      }
  return sketch;
}

Genome random_genome(std::uint64_t seed, int cores, int acts) {
  std::mt19937_64 random(seed);
  Genome genome(static_cast<std::size_t>(cores));
  for (auto& core : genome) {
    const std::size_t count = 2 + random() % static_cast<std::uint64_t>(acts - 1);
    for (std::size_t i = 0; i < 4 * count; ++i) core.push_back(static_cast<std::uint8_t>(random()));
  }
  return genome;
}

std::string to_string(const Sketch& sketch) {
  const auto touch = [](const Touch& t) { return fmt::format("m{}[{}:{}:{}]", t.memory, t.begin, t.end, t.stride); };
  std::string text;
  for (std::size_t c = 0; c < sketch.cores.size(); ++c) {
    text += fmt::format("core {}:\n", c);
    for (const Act& a : sketch.cores[c]) {
      if (a.kind == Kind::kRead) text += fmt::format("  read {}\n", touch(a.touch));
      if (a.kind == Kind::kWrite) text += fmt::format("  write {}\n", touch(a.touch));
      if (a.kind == Kind::kStart)
        text += fmt::format("  start {} -> {} on {} bytes {} sends {}\n", touch(a.touch), touch(a.target), a.semaphore,
                            a.amount, a.sends);
      if (a.kind == Kind::kSignal) text += fmt::format("  signal {} by {}\n", a.semaphore, a.amount);
      if (a.kind == Kind::kWait) text += fmt::format("  wait {} for {}\n", a.semaphore, a.amount);
    }
  }
  return text;
}

}  // namespace millrace::test
