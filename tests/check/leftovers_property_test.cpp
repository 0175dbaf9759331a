// SPDX-License-Identifier: Apache-2.0
// Leftovers against all executions: random programs of one core, small enough to try every way in which the bytes of
// their DMAs can arrive. A DMA is left over exactly where some execution ends without it being complete.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "check/leftovers.h"
#include "story.h"

namespace millrace::test {
namespace {

struct Act {
  enum Kind { kStart, kWait, kSignal, kScopeEnds } kind;
  int semaphore = 0;
  std::int64_t amount = 0;
};
using Program = std::vector<Act>;

// What can be outstanding at the end of the program, or where the scope ends, over all executions.
struct Truth {
  std::set<int> left, outlive;           // DMAs by number
  std::vector<std::int64_t> held{0, 0};  // by semaphore, when all has arrived
  bool deadlock = false;
};

// Tries everything: each DMA has raised its semaphore by nothing, by all but its last granule, or by all. An amount in
// between meets no wait that the larger one would not.
class Executions {
 public:
  Executions(const Program& program, bool whole) : program_(program), whole_(whole) {}

  Truth run() {
    go(0, {0, 0}, {});
    for (const Act& a : program_) {
      if (a.kind == Act::kStart || a.kind == Act::kSignal) truth_.held[a.semaphore] += a.amount;
      if (a.kind == Act::kWait) truth_.held[a.semaphore] -= a.amount;
    }
    return truth_;
  }

 private:
  struct Dma {
    int semaphore;
    std::int64_t bytes, raised;
    friend auto operator<=>(const Dma&, const Dma&) = default;
  };
  using State = std::pair<std::vector<std::int64_t>, std::vector<Dma>>;

  void go(std::size_t pc, std::vector<std::int64_t> counts, std::vector<Dma> dmas) {
    if (!seen_.insert({pc, State{counts, dmas}}).second) return;
    bool moved = false;
    for (std::size_t d = 0; d < dmas.size(); ++d) {
      const Dma dma = dmas[d];
      for (const std::int64_t to : {whole_ ? std::int64_t{0} : dma.bytes - event::kDmaGranule, dma.bytes}) {
        if (to <= dma.raised) continue;
        auto next_counts = counts;
        auto next_dmas = dmas;
        next_counts[dma.semaphore] += to - dma.raised;
        next_dmas[d].raised = to;
        go(pc, next_counts, next_dmas);
        moved = true;
      }
    }
    if (pc == program_.size()) return note(dmas, truth_.left);
    const Act& act = program_[pc];
    if (act.kind == Act::kScopeEnds) note(dmas, truth_.outlive);
    if (act.kind == Act::kStart) dmas.push_back({act.semaphore, act.amount, 0});
    if (act.kind == Act::kSignal) counts[act.semaphore] += act.amount;
    if (act.kind == Act::kWait) {
      if (counts[act.semaphore] < act.amount) {
        truth_.deadlock |= !moved;
        return;
      }
      counts[act.semaphore] -= act.amount;
    }
    go(pc + 1, std::move(counts), std::move(dmas));
  }

  static void note(const std::vector<Dma>& dmas, std::set<int>& into) {
    for (std::size_t d = 0; d < dmas.size(); ++d)
      if (dmas[d].raised < dmas[d].bytes) into.insert(static_cast<int>(d));
  }

  const Program& program_;
  const bool whole_;
  Truth truth_;
  std::set<std::pair<std::size_t, State>> seen_;
};

Program random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto pick = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
  Program program;
  int starts = 0;
  const int length = 3 + pick(6), scope_end = pick(length);
  for (int i = 0; i < length; ++i) {
    const int semaphore = pick(4) == 0, what = pick(9);
    if (i == scope_end) program.push_back({Act::kScopeEnds});
    if (what < 4 && starts < 4)
      program.push_back({Act::kStart, semaphore, 32 * (1 + pick(3))}), ++starts;
    else if (what < 8)
      program.push_back({Act::kWait, semaphore, pick(5) ? 32 * (1 + pick(4)) : 1 + pick(96)});
    else
      program.push_back({Act::kSignal, semaphore, 16 * (1 + pick(4))});
  }
  return program;
}

// The lines that findings name: DMA d starts at line d.
struct Found {
  std::set<int> left, outlive;
  std::vector<std::int64_t> count{0, 0};
};

Found found_in(const Program& program, bool whole) {
  checkers::Leftovers observer;
  Story story(observer);
  const auto in = story.memory("in0"), buffer = story.memory("scoped0"), sems = story.semaphores("scratch0", true, {2});
  event::PlaceId dma = 0;
  for (const Act& a : program) {
    const event::Semaphore s{sems, static_cast<std::uint32_t>(a.semaphore)};
    if (a.kind == Act::kScopeEnds) story.free(buffer);
    if (a.kind == Act::kStart) story.start(in, buffer, s, a.amount, dma++, whole ? a.amount : event::kDmaGranule);
    if (a.kind == Act::kWait) story.wait(s, a.amount);
    if (a.kind == Act::kSignal) story.signal(s, a.amount, 39);
  }
  story.end();
  Found found;
  for (const Finding& f : observer.findings()) {
    if (f.id == "leftover.semaphore") found.count[f.semaphore == "scratch0[1]"] = *f.count;
    if (f.id == "leftover.dma") found.left.insert(std::stoi(f.first->at.substr(5)));
    if (f.id == "scope.use-after") found.outlive.insert(std::stoi(f.first->at.substr(5)));
  }
  return found;
}

void expect_agreement(bool whole) {
  int judged = 0, left = 0, outlived = 0, counts = 0;
  for (std::uint64_t seed = 0; seed < 12000; ++seed) {
    const Program program = random_program(seed);
    const Truth truth = Executions(program, whole).run();
    if (truth.deadlock) continue;  // nothing is left where the kernel does not end
    const Found found = found_in(program, whole);
    ASSERT_EQ(found.left, truth.left) << "seed " << seed;
    ASSERT_EQ(found.outlive, truth.outlive) << "seed " << seed;
    for (int s = 0; s < 2; ++s) {
      bool outstanding = false;
      int dma = 0;
      for (const Act& a : program)
        if (a.kind == Act::kStart) outstanding |= truth.left.contains(dma++) && a.semaphore == s;
      ASSERT_EQ(found.count[s], outstanding ? 0 : truth.held[s]) << "seed " << seed;
      counts += found.count[s] > 0;
    }
    ++judged, left += !truth.left.empty(), outlived += !truth.outlive.empty();
  }
  EXPECT_GT(judged, 1000);
  EXPECT_GT(left, 300);
  EXPECT_GT(outlived, 300);
  EXPECT_GT(counts, 50);
}

TEST(LeftoversOnRandomPrograms, AreThoseOfSomeExecutionWhereBytesCountAsTheyArrive) { expect_agreement(false); }

TEST(LeftoversOnRandomPrograms, AreThoseOfSomeExecutionWhereADmaSignalsOnce) { expect_agreement(true); }

}  // namespace
}  // namespace millrace::test
