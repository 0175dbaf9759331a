// SPDX-License-Identifier: Apache-2.0
// Lanes and bars: a lane for each direction and operand of a core's DMAs, one for what it computes, one for its waits.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "timing/build.h"
#include "timing/lane_kinds.h"

namespace millrace::timing {

namespace {

class Lanes {
 public:
  Lanes(const Trace& trace, const Times& times, Timeline& t, BarOf& of)
      : trace_(trace), times_(times), t_(t), of_(of) {}

  void make() {
    make_lanes();
    of_.copy.assign(trace_.copies.size(), kNone);
    of_.compute.assign(trace_.computes.size(), kNone);
    of_.wait.assign(trace_.waits.size(), kNone);
    for (Index c = 0; c < trace_.copies.size(); ++c) add_copy(c);
    for (Index core = 0; core < trace_.cores.size(); ++core)
      for (std::size_t i = 0; i < trace_.cores[core].actions.size(); ++i) add_action(core, i);
    sort();
  }

 private:
  void make_lanes() {
    std::vector<std::pair<std::tuple<Index, int, Index>, Lane>> lanes;  // core, kind, first copy
    std::set<std::tuple<Index, LaneKind, std::string>> seen;
    for (Index c = 0; c < trace_.cores.size(); ++c) {
      const CoreTrace& core = trace_.cores[c];
      const auto has = [&](Act a, Act b) {
        return std::ranges::any_of(core.actions, [&](const Action& x) { return x.act == a || x.act == b; });
      };
      if (has(Act::kCompute, Act::kCompute))
        lanes.push_back({{c, rank_of(LaneKind::kCompute), 0}, {LaneKind::kCompute, core.device, core.core, ""}});
      if (has(Act::kWait, Act::kStuck))
        lanes.push_back({{c, rank_of(LaneKind::kWait), 0}, {LaneKind::kWait, core.device, core.core, ""}});
    }
    for (Index i = 0; i < trace_.copies.size(); ++i) {
      const Copy& copy = trace_.copies[i];
      const LaneKind kind = lane_of(copy.direction);
      if (!seen.insert({copy.core, kind, copy.operand}).second) continue;
      const CoreTrace& core = trace_.cores[copy.core];
      lanes.push_back({{copy.core, rank_of(kind), i}, {kind, core.device, core.core, copy.operand}});
    }
    std::ranges::sort(lanes, {}, [](const auto& l) { return l.first; });
    for (auto& [key, lane] : lanes) {
      numbers_[{std::get<0>(key), lane.kind, lane.operand}] = static_cast<Index>(t_.lanes.size());
      t_.lanes.push_back(std::move(lane));
    }
  }

  std::string label(Index life) const {
    const Life& l = trace_.lives[life];
    const Buffer& b = trace_.buffers[l.buffer];
    return b.letter == kNone ? "" : fmt::format("{}{}", letter_of(b.letter), l.slot);
  }

  std::string labels(const std::vector<Index>& lives) const {
    std::string text;
    std::string last;
    for (const Index l : lives) {
      const std::string one = label(l);
      if (one.empty() || one == last) continue;
      text += (text.empty() ? "" : " ") + one;
      last = one;
    }
    return text;
  }

  Bar& add(Index core, LaneKind kind, const std::string& operand, Time begin, Time end) {
    Bar& b = t_.bars.emplace_back();
    b.lane = numbers_.at({core, kind, operand});
    b.begin = b.moves = begin, b.end = end, b.busy = end - begin;
    return b;
  }

  void add_copy(Index i) {
    const Copy& c = trace_.copies[i];
    const CopyTimes& time = times_.copies[i];
    of_.copy[i] = static_cast<Index>(t_.bars.size());
    Bar& b = add(c.core, lane_of(c.direction), c.operand, time.start, time.end);
    b.moves = time.begin;
    b.block = c.block, b.step = c.step, b.at = c.at, b.bytes = c.bytes;
    b.lives = c.direction == Direction::kStore ? c.from : c.into;
    const std::string from = labels(c.from), into = labels(c.into);
    b.label = from.empty() || into.empty() ? from + into : from + ">" + into;
  }

  void add_action(Index core, std::size_t i) {
    const Action& a = trace_.cores[core].actions[i];
    const ActionTimes& time = times_.cores[core][i];
    if (a.act == Act::kCompute) {
      const Compute& c = trace_.computes[a.index];
      if (time.end == time.begin) return;
      of_.compute[a.index] = static_cast<Index>(t_.bars.size());
      Bar& b = add(core, LaneKind::kCompute, "", time.begin, time.end);
      b.at = a.at, b.step = c.step;
      b.lives = c.reads;
      b.lives.insert(b.lives.end(), c.writes.begin(), c.writes.end());
      const std::string reads = labels(c.reads), writes = labels(c.writes);
      b.label = writes.empty() ? reads : reads + ">" + writes;
    }
    if (a.act != Act::kWait && a.act != Act::kStuck) return;
    const Wait& w = trace_.waits[a.index];
    of_.wait[a.index] = static_cast<Index>(t_.bars.size());
    Bar& b = add(core, LaneKind::kWait, "", time.begin, a.act == Act::kStuck ? times_.end : time.blocked);
    b.at = a.at, b.never = a.act == Act::kStuck;
    b.semaphore = trace_.semaphores[w.semaphore], b.amount = w.amount, b.has = w.has;
    b.proves = w.proved, b.leaves_open = w.open;
  }

  void sort() {
    std::vector<Index> order(t_.bars.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return std::tuple(t_.bars[i].lane, t_.bars[i].begin); });
    std::vector<Index> now(order.size());
    std::vector<Bar> sorted;
    sorted.reserve(order.size());
    for (const Index i : order) now[i] = static_cast<Index>(sorted.size()), sorted.push_back(std::move(t_.bars[i]));
    t_.bars = std::move(sorted);
    for (std::vector<Index>* list : {&of_.copy, &of_.compute, &of_.wait})
      for (Index& i : *list)
        if (i != kNone) i = now[i];
    for (Bar& b : t_.bars)
      for (Index& copy : b.proves) copy = of_.copy[copy];
  }

  const Trace& trace_;
  const Times& times_;
  Timeline& t_;
  BarOf& of_;
  std::map<std::tuple<Index, LaneKind, std::string>, Index> numbers_;
};

}  // namespace

void add_bars(const Trace& trace, const Times& times, Timeline& t, BarOf& of) {
  Lanes(trace, times, t, of).make();
  for (Index c = 0; c < trace.copies.size(); ++c)
    if (times.copies[c].met != kNone) t.arrows.push_back({of.copy[c], of.wait[times.copies[c].met]});
}

}  // namespace millrace::timing
