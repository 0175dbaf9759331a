// SPDX-License-Identifier: Apache-2.0
// Small random programs for several cores: starts, signals and waits. One seed is one program. Run once for the order
// checkers, and in all possible ways for the truth.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "event/event.h"

namespace millrace::test {

struct SmallProgram {
  struct Step {
    enum class Kind { kStart, kSignal, kWait } kind;
    int semaphore = 0;         // of a start: raised when the data is there
    std::int64_t amount = 32;  // bytes
    int sends = -1;            // of a remote copy: the semaphore that tells of the read
  };
  std::vector<std::vector<Step>> cores;
  int semaphores = 0;  // number s belongs to core s % cores.size()
};

// At most `steps` steps, of which at most `dmas` start something. Waits name semaphores of their own core.
inline SmallProgram small_program(std::uint64_t seed, int cores, int steps, int dmas) {
  std::mt19937_64 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  SmallProgram p;
  p.cores.resize(static_cast<std::size_t>(cores));
  p.semaphores = cores * (1 + pick(2));
  for (int i = 0; i < steps; ++i) {
    const int c = pick(cores);
    const auto own = [&] { return c + cores * pick(p.semaphores / cores); };
    SmallProgram::Step s{SmallProgram::Step::Kind::kSignal, pick(p.semaphores), 32 * (1 + pick(2)), -1};
    const int kind = pick(10);
    if (kind < 3 && dmas > 0) {
      s.kind = SmallProgram::Step::Kind::kStart;
      --dmas;
      if (pick(2))
        s.sends = own();
      else
        s.semaphore = own();
    } else if (kind >= 5) {
      s.kind = SmallProgram::Step::Kind::kWait;
      s.semaphore = own();
    }
    p.cores[static_cast<std::size_t>(c)].push_back(s);
  }
  return p;
}

// What has happened: how many steps of each core, and of each DMA which of its parts.
class State {
 public:
  // Parts of a DMA: some of its bytes are there; some of them have been sent; it has read; all is sent; it has written;
  // all bytes are there.
  enum Part : int { kSome, kSomeSent, kRead, kSent, kWrote, kAll, kParts };

  explicit State(const SmallProgram& p) : done(p.cores.size(), 0), held(static_cast<std::size_t>(p.semaphores), 0) {}

  struct Dma {
    int core, step;
    unsigned parts = 0;
    friend auto operator<=>(const Dma&, const Dma&) = default;
    bool has(Part part) const { return (parts >> part & 1u) != 0; }
  };
  std::vector<std::size_t> done;
  std::vector<std::int64_t> held;
  std::vector<Dma> dmas;  // sorted by who started them
  friend auto operator<=>(const State&, const State&) = default;
};

// One thing that can happen next: a step of a core, or a part of a DMA.
struct Move {
  int core = -1;
  std::size_t dma = 0;
  State::Part part = State::kSome;
};

inline std::vector<Move> moves_of(const SmallProgram& p, const State& s) {
  std::vector<Move> moves;
  for (std::size_t c = 0; c < p.cores.size(); ++c) {
    if (s.done[c] == p.cores[c].size()) continue;
    const SmallProgram::Step& step = p.cores[c][s.done[c]];
    if (step.kind != SmallProgram::Step::Kind::kWait || s.held[static_cast<std::size_t>(step.semaphore)] >= step.amount)
      moves.push_back({static_cast<int>(c)});
  }
  for (std::size_t d = 0; d < s.dmas.size(); ++d) {
    const State::Dma& dma = s.dmas[d];
    const bool remote = p.cores[static_cast<std::size_t>(dma.core)][static_cast<std::size_t>(dma.step)].sends >= 0;
    const auto add = [&](State::Part part, bool may) {
      if (may && !dma.has(part)) moves.push_back({-1, d, part});
    };
    add(State::kSome, !dma.has(State::kAll));
    add(State::kSomeSent, remote && !dma.has(State::kSent));
    add(State::kRead, true);
    add(State::kSent, remote && dma.has(State::kRead));
    add(State::kWrote, dma.has(State::kRead));
    add(State::kAll, dma.has(State::kWrote));
  }
  return moves;
}

inline State after(const SmallProgram& p, State s, const Move& m) {
  const auto step_of = [&](int core, std::size_t step) -> const SmallProgram::Step& {
    return p.cores[static_cast<std::size_t>(core)][step];
  };
  const auto raise = [&](int semaphore, std::int64_t by) { s.held[static_cast<std::size_t>(semaphore)] += by; };
  if (m.core >= 0) {
    const std::size_t number = s.done[static_cast<std::size_t>(m.core)]++;
    const SmallProgram::Step& step = step_of(m.core, number);
    if (step.kind == SmallProgram::Step::Kind::kSignal) raise(step.semaphore, step.amount);
    if (step.kind == SmallProgram::Step::Kind::kWait) raise(step.semaphore, -step.amount);
    if (step.kind == SmallProgram::Step::Kind::kStart) {
      s.dmas.push_back({m.core, static_cast<int>(number)});
      std::sort(s.dmas.begin(), s.dmas.end());
    }
    return s;
  }
  State::Dma& dma = s.dmas[m.dma];
  const SmallProgram::Step& step = step_of(dma.core, static_cast<std::size_t>(dma.step));
  const std::int64_t some = step.amount - event::kDmaGranule;
  dma.parts |= 1u << m.part;
  if (m.part == State::kSome) raise(step.semaphore, some);
  if (m.part == State::kSomeSent) raise(step.sends, some);
  if (m.part == State::kSent) {
    raise(step.sends, dma.has(State::kSomeSent) ? event::kDmaGranule : step.amount);
    dma.parts |= 1u << State::kSomeSent;
  }
  if (m.part == State::kAll) {
    raise(step.semaphore, dma.has(State::kSome) ? event::kDmaGranule : step.amount);
    dma.parts |= 1u << State::kSome;
  }
  return s;
}

// A step of a core (part < 0), or the read or write of the DMA that the step starts.
struct Happening {
  int core, step, part;
  friend auto operator<=>(const Happening&, const Happening&) = default;
};
using Happenings = std::set<Happening>;

inline Happenings happened(const State& s) {
  Happenings all;
  for (std::size_t c = 0; c < s.done.size(); ++c)
    for (std::size_t i = 0; i < s.done[c]; ++i) all.insert({static_cast<int>(c), static_cast<int>(i), -1});
  for (const State::Dma& d : s.dmas)
    for (int part : {State::kRead, State::kWrote})
      if (d.has(static_cast<State::Part>(part))) all.insert({d.core, d.step, part});
  return all;
}

// For each thing that can happen, all that has happened whenever it has: found by going through all states. Empty where
// there are more states than `most`.
inline std::map<Happening, Happenings> always_before(const SmallProgram& p, std::size_t most) {
  std::map<Happening, Happenings> result;
  std::set<State> seen = {State(p)};
  std::vector<State> open = {State(p)};
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    const Happenings now = happened(s);
    for (const Happening& h : now) {
      const auto [known, fresh] = result.try_emplace(h, now);
      if (!fresh) std::erase_if(known->second, [&](const Happening& other) { return !now.contains(other); });
    }
    for (const Move& m : moves_of(p, s)) {
      State next = after(p, s, m);
      if (seen.insert(next).second) open.push_back(std::move(next));
    }
    if (seen.size() > most) return {};
  }
  return result;
}

// One run of the program, its moves picked by `seed`, as the order checkers hear it.
template <class Tell>
State run_once(const SmallProgram& p, std::uint64_t seed, const Tell& tell) {
  std::mt19937_64 random(seed);
  State s(p);
  std::map<std::pair<int, int>, event::DmaId> ids;
  const auto owner = [&](int semaphore) { return event::Semaphore{100, static_cast<std::uint32_t>(semaphore)}; };
  for (std::vector<Move> moves = moves_of(p, s); !moves.empty(); moves = moves_of(p, s)) {
    const Move m = moves[random() % moves.size()];
    if (m.core >= 0) {
      const std::size_t number = s.done[static_cast<std::size_t>(m.core)];
      const SmallProgram::Step& step = p.cores[static_cast<std::size_t>(m.core)][number];
      const event::Agent who{0, m.core, {}};
      if (step.kind == SmallProgram::Step::Kind::kSignal)
        tell(event::Signalled{who, owner(step.semaphore), step.amount, 0});
      if (step.kind == SmallProgram::Step::Kind::kWait) tell(event::Waited{who, owner(step.semaphore), step.amount, 0});
      if (step.kind == SmallProgram::Step::Kind::kStart) {
        event::DmaIssued e{};
        e.dma = ids.size(), e.by = who, e.raises = owner(step.semaphore), e.bytes = step.amount;
        if (step.sends >= 0) e.sends = owner(step.sends);
        ids[{m.core, static_cast<int>(number)}] = e.dma;
        tell(e);
      }
    }
    s = after(p, std::move(s), m);
  }
  return s;
}

}  // namespace millrace::test
