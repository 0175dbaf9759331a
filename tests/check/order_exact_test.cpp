// SPDX-License-Identifier: Apache-2.0
// The order of several cores (S4.5) against all executions: on small random programs, one thing comes before another
// exactly where no execution has the second without the first. And: the order in use agrees with the plain one on
// larger programs, whatever run of them was watched.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/plain_order.h"
#include "check/vector_order.h"
#include "small_programs.h"

namespace millrace::checkers {
namespace {

using test::Happening;
using test::SmallProgram;

// A run's order as its checker has it, asked by step: PlainOrder and VectorOrder under one face.
struct Plain {
  PlainOrder must{Proof::kMust}, meant{Proof::kMeant};
  std::map<std::pair<int, int>, event::DmaId> dmas;
  using Stamp = PlainOrder::Stamp;

  void begin(int) {}
  void operator()(const event::DmaIssued& e) { must.issued(e), meant.issued(e); }
  void operator()(const event::Signalled& e) { must.signalled(e), meant.signalled(e); }
  void operator()(const event::Waited& e) { must.waited(e), meant.waited(e); }
  void end() {}
  Stamp core(int c, int time) const { return {{0, c, {}}, static_cast<std::uint32_t>(time)}; }
  Stamp dma(int c, event::DmaId d, event::AccessKind kind) const { return must.now({0, c, d}, kind); }
  bool before(Proof p, const Stamp& a, const Stamp& b) const { return (p == Proof::kMust ? must : meant).before(a, b); }
};

struct Vector {
  VectorOrder order;
  using Stamp = VectorOrder::Stamp;

  void begin(int cores) { order.begin(1, cores); }
  void operator()(const event::DmaIssued& e) { order.issued(e); }
  void operator()(const event::Signalled& e) { order.signalled(e); }
  void operator()(const event::Waited& e) { order.waited(e); }
  void end() { order.settle(); }
  Stamp core(int c, int time) const {
    return order.at(static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(time));
  }
  Stamp dma(int c, event::DmaId d, event::AccessKind kind) const { return order.now({0, c, d}, kind); }
  bool before(Proof p, const Stamp& a, const Stamp& b) const { return order.before(p, a, b); }
};

// All answers of a checker about one run, as text: a line for each pair of moments.
template <class Checker>
class Watched {
 public:
  Watched(const SmallProgram& p, std::uint64_t seed) : program_(p), state_(p) {
    checker_.begin(static_cast<int>(p.cores.size()));
    std::map<int, int> steps;
    const auto tell = [&](const auto& e) {
      if constexpr (requires { e.dma; }) started_[{e.by.core, steps[e.by.core]++}] = e.dma;
      if constexpr (requires { e.who; }) ++steps[e.who.core];
      checker_(e);
    };
    state_ = test::run_once(p, seed, tell);
    checker_.end();
  }

  // Moments: an access of a core before its step `step`, or the read (2) or write (4) of the DMA of that step.
  std::vector<Happening> moments() const {
    std::vector<Happening> all;
    for (std::size_t c = 0; c < program_.cores.size(); ++c)
      for (std::size_t i = 0; i <= state_.done[c]; ++i) all.push_back({static_cast<int>(c), static_cast<int>(i), -1});
    for (const auto& [step, dma] : started_)
      for (int part : {test::State::kRead, test::State::kWrote}) all.push_back({step.first, step.second, part});
    return all;
  }
  bool before(Proof p, const Happening& a, const Happening& b) const { return checker_.before(p, at(a), at(b)); }

 private:
  typename Checker::Stamp at(const Happening& h) const {
    if (h.part < 0) return checker_.core(h.core, h.step + 1);
    const auto kind = h.part == test::State::kRead ? event::AccessKind::kRead : event::AccessKind::kWrite;
    return checker_.dma(h.core, started_.at({h.core, h.step}), kind);
  }

  const SmallProgram& program_;
  test::State state_;
  Checker checker_;
  std::map<std::pair<int, int>, event::DmaId> started_;
};

bool same_dma(const Happening& a, const Happening& b) {
  return a.part >= 0 && b.part >= 0 && a.core == b.core && a.step == b.step;
}

// By all executions: an access before a step has been made wherever the step has; what comes before an access is what
// comes before the step behind which it stands.
bool truly_before(const std::map<Happening, test::Happenings>& truth, const Happening& a, const Happening& b) {
  if (a.part < 0 && b.part < 0 && a.core == b.core) return a.step <= b.step;
  Happening behind = b;
  if (b.part < 0) {
    if (b.step == 0) return false;
    behind.step = b.step - 1;
  } else {
    behind.part = -1;  // the start
  }
  const auto found = truth.find(behind);
  return found != truth.end() && found->second.contains(a);
}

TEST(Order, IsThatOfAllExecutions) {
  std::size_t compared = 0, across = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const int cores = 2 + static_cast<int>(seed % 2);
    const SmallProgram p =
        test::small_program(seed, cores, 6 + static_cast<int>(seed % 5), 1 + static_cast<int>(seed % 2));
    const auto truth = test::always_before(p, 20'000);
    if (truth.empty()) continue;
    const Watched<Plain> plain(p, seed);
    const Watched<Vector> vector(p, seed);
    for (const Happening& a : plain.moments()) {
      for (const Happening& b : plain.moments()) {
        if (same_dma(a, b)) continue;
        const bool right = truly_before(truth, a, b);
        ASSERT_EQ(plain.before(Proof::kMust, a, b), right)
            << "seed " << seed << ": " << a.core << "." << a.step << "." << a.part << " and " << b.core << "." << b.step
            << "." << b.part;
        ASSERT_EQ(vector.before(Proof::kMust, a, b), right)
            << "seed " << seed << ": " << a.core << "." << a.step << "." << a.part << " and " << b.core << "." << b.step
            << "." << b.part;
        ++compared;
        across += right && a.core != b.core;
      }
    }
  }
  EXPECT_GT(compared, 50'000u);
  EXPECT_GT(across, 1'000u);
}

TEST(Order, InUseAgreesWithThePlainOneWhateverRunWasWatched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const SmallProgram p = test::small_program(seed + 10'000, 2 + static_cast<int>(seed % 3), 40, 8);
    const Watched<Plain> plain(p, seed);
    const Watched<Vector> vector(p, seed), other(p, seed + 1);
    for (const Happening& a : plain.moments()) {
      for (const Happening& b : plain.moments()) {
        for (Proof proof : {Proof::kMust, Proof::kMeant}) {
          ASSERT_EQ(vector.before(proof, a, b), plain.before(proof, a, b))
              << "seed " << seed << (proof == Proof::kMust ? " must " : " meant ") << a.core << "." << a.step << "."
              << a.part << " and " << b.core << "." << b.step << "." << b.part;
          ASSERT_EQ(other.before(proof, a, b), plain.before(proof, a, b)) << "another run, seed " << seed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace millrace::checkers
