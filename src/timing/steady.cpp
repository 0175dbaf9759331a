// SPDX-License-Identifier: Apache-2.0
// The middle of a run, in steps; and what a step must take at least, by formulas of its own beside the simulated clock:
// docs/timing.md, "A step in theory".
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "timing/build.h"

namespace millrace::timing {

namespace {

struct Steps {
  std::string what;
  std::vector<Time> begins;
  Time end = 0;  // of the last one, where it is known
};

// The core that does most; of several the first.
Index busiest(const Trace& trace) {
  Index best = 0;
  for (Index c = 0; c < trace.cores.size(); ++c)
    if (trace.cores[c].actions.size() > trace.cores[best].actions.size()) best = c;
  return best;
}

Steps steps_at(const Trace& trace, const Times& times, Index core, Act act) {
  Steps s{act == Act::kGridStep ? "grid steps" : "pipeline steps", {}};
  const auto& actions = trace.cores[core].actions;
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (actions[i].act == act) s.begins.push_back(times.cores[core][i].begin);
  return s;
}

// The place at which the core computes most often; of several the first.
Steps steps_of_loop(const Trace& trace, const Times& times, Index core) {
  std::map<event::PlaceId, std::vector<Time>> places;
  const auto& actions = trace.cores[core].actions;
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (actions[i].act == Act::kCompute) places[actions[i].at].push_back(times.cores[core][i].begin);
  const std::vector<Time>* most = nullptr;
  event::PlaceId at = 0;
  for (const auto& [place, begins] : places)
    if (!most || begins.size() > most->size() || (begins.size() == most->size() && begins[0] < (*most)[0]))
      most = &begins, at = place;
  return most ? Steps{"turns at " + trace.places[at].at, *most} : Steps{};
}

Steps steps_of(const Trace& trace, const Times& times, Index core) {
  Steps s = steps_at(trace, times, core, Act::kGridStep);
  if (s.begins.size() < 2) s = steps_at(trace, times, core, Act::kPipelineStep);
  if (s.begins.size() < 2) s = steps_of_loop(trace, times, core);
  return s;
}

// What one operand moves in the middle of the run.
struct Moved {
  std::uint64_t copies = 0;
  double bytes = 0;
  std::uint32_t slots = 1;
  std::string letter;
};

class Theory {
 public:
  Theory(const Trace& trace, const Times& times, const Costs& costs, Timeline& t, Index core)
      : trace_(trace), times_(times), costs_(costs), s_(t.steady), core_(core) {}

  // False where the middle is too short to be held against formulas: not every slot need go round in it.
  bool fill() {
    collect();
    for (const auto& [key, m] : moved_)
      if (s_.middle < m.slots) return false;
    const double n = static_cast<double>(s_.middle), control = picoseconds_of_core() / n;
    double bytes = 0;
    for (const auto& [key, m] : moved_)
      if (key.first != Direction::kLocal && key.first != Direction::kSend)
        bytes += m.bytes * (key.first == Direction::kHbm ? 2 : 1);
    add("bytes between HBM and the core / bandwidth", bytes / costs_.hbm * 1e12 / n);
    add("compute + control", control);
    double in_turn = control;
    bool single = !moved_.empty();
    for (const auto& [key, m] : moved_) {
      const double turns = static_cast<double>(m.copies) / n;
      const double each =
          static_cast<double>(costs_.latency) + m.bytes / static_cast<double>(m.copies) / rate(key.first) * 1e12;
      in_turn += turns * each;
      single &= m.slots == 1;
      add(fmt::format("slots of {}: (latency + transfer + compute) / {}", m.letter, m.slots),
          (turns * each + control) / m.slots);
    }
    if (single) add("one after the other: each copy's latency + transfer, and compute", in_turn);
    for (const Term& term : s_.terms)
      if (term.time > s_.theory) s_.theory = term.time, s_.bounded_by = term.what;
    return true;
  }

 private:
  void add(std::string what, double picoseconds) {
    s_.terms.push_back({std::move(what), static_cast<Time>(picoseconds + 0.5)});
  }

  double rate(Direction d) const {
    return d == Direction::kLocal ? costs_.local : d == Direction::kSend ? costs_.link : costs_.hbm;
  }

  void collect() {
    for (Index i = 0; i < trace_.copies.size(); ++i) {
      const Copy& c = trace_.copies[i];
      const Time start = times_.copies[i].start;
      if (c.core != core_ || start < s_.from || start >= s_.to) continue;
      const std::vector<Index>& lives = c.direction == Direction::kStore ? c.from : c.into;
      if (lives.empty()) continue;
      const Life& life = trace_.lives[lives[0]];
      const Buffer& buffer = trace_.buffers[life.buffer];
      Moved& m = moved_[{c.direction, life.buffer}];
      ++m.copies, m.bytes += static_cast<double>(c.bytes);
      m.slots = buffer.slots, m.letter = buffer.letter == kNone ? buffer.name : letter_of(buffer.letter);
    }
  }

  double picoseconds_of_core() const {
    Time sum = 0;
    const auto& actions = trace_.cores[core_].actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const ActionTimes& a = times_.cores[core_][i];
      if (a.begin < s_.from || a.begin >= s_.to) continue;
      sum += a.end - (actions[i].act == Act::kWait || actions[i].act == Act::kStuck ? a.blocked : a.begin);
    }
    return static_cast<double>(sum);
  }

  const Trace& trace_;
  const Times& times_;
  const Costs& costs_;
  Steady& s_;
  Index core_;
  std::map<std::pair<Direction, Index>, Moved> moved_;
};

}  // namespace

void add_steady(const Trace& trace, const Times& times, const Costs& costs, Timeline& t) {
  const Index core = busiest(trace);
  const Steps steps = steps_of(trace, times, core);
  const std::size_t n = steps.begins.size();
  if (n < 3) return;
  // Without the first and the last quarter, in which the pipeline fills and runs empty.
  const std::size_t first = std::max<std::size_t>(n / 4, 1), last = n - 1 - (n >= 8 ? n / 4 : 0);
  if (last <= first) return;
  Steady& s = t.steady;
  s.steps = steps.what, s.count = n, s.middle = last - first;
  s.from = steps.begins[first], s.to = steps.begins[last];
  s.simulated = (s.to - s.from) / static_cast<Time>(s.middle);
  if (!Theory(trace, times, costs, t, core).fill()) s = {};
}

}  // namespace millrace::timing
