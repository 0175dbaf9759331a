// SPDX-License-Identifier: Apache-2.0
// The critical path: from the end of the run back to its beginning, each thing from what it had to wait for. Its parts
// add up to the whole time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "timing/build.h"

namespace millrace::timing {

namespace {

class Path {
 public:
  Path(const Trace& trace, const Times& times, Timeline& t, const BarOf& of)
      : trace_(trace), times_(times), t_(t), of_(of) {}

  void walk() {
    begin();
    while (at_copy_ != kNone || core_ != kNone) at_copy_ != kNone ? through_copy() : through_action();
    for (const auto& [key, time] : parts_) t_.path.push_back({key.first, key.second, time});
    std::ranges::stable_sort(t_.path, [](const PathPart& a, const PathPart& b) { return a.time > b.time; });
    name_bound();
  }

 private:
  // What ends last: a copy that nobody awaited, or a core.
  void begin() {
    for (Index c = 0; c < times_.copies.size(); ++c)
      if (times_.copies[c].end == times_.end) at_copy_ = c;
    for (Index c = 0; c < trace_.cores.size(); ++c) {
      const auto& actions = times_.cores[c];
      if (actions.empty() || actions.back().end != times_.end) continue;
      at_copy_ = kNone, core_ = c, action_ = actions.size();
      return;
    }
  }

  void add(const char* what, Index lane, Time time) {
    if (time > 0) parts_[{what, lane}] += time;
  }

  void to_core(Index core, std::size_t behind) { at_copy_ = kNone, core_ = core, action_ = behind; }

  void through_copy() {
    const Index copy = at_copy_;
    const CopyTimes& c = times_.copies[copy];
    const Index lane = t_.bars[of_.copy[copy]].lane;
    t_.bars[of_.copy[copy]].critical = true;
    add("transfer", lane, c.end - c.begin);
    if (c.behind != kNone) {
      at_copy_ = c.behind;
      return;
    }
    add("latency", lane, c.begin - c.start);
    to_core(trace_.copies[copy].core, std::size_t{trace_.copies[copy].action} + 1);
  }

  void through_action() {
    if (action_ == 0) {
      core_ = kNone;
      return;
    }
    --action_;
    const Action& a = trace_.cores[core_].actions[action_];
    const ActionTimes& time = times_.cores[core_][action_];
    if (a.act == Act::kCompute) {
      const Index bar = of_.compute[a.index];
      if (bar == kNone) return;
      t_.bars[bar].critical = true;
      add("compute", t_.bars[bar].lane, time.end - time.begin);
    } else if (a.act != Act::kWait || time.blocked == time.begin) {
      add("control", kNone, time.end - time.begin);
    } else {
      add("control", kNone, time.end - time.blocked);
      t_.bars[of_.wait[a.index]].critical = true;
      if (time.by_copy != kNone) {
        at_copy_ = time.by_copy, core_ = kNone;
      } else if (time.by_core != kNone) {
        add("signal", kNone, time.blocked - times_.cores[time.by_core][time.by_action].end);
        to_core(time.by_core, std::size_t{time.by_action} + 1);
      }
    }
  }

  std::string group(const PathPart& p) const {
    if (p.what != "latency" && p.what != "transfer") return p.what;
    switch (t_.lanes[p.lane].kind) {
      case LaneKind::kLoad: return p.what + " of loads";
      case LaneKind::kStore: return p.what + " of stores";
      case LaneKind::kSend: return p.what + " of sends";
      default: return p.what + " of local copies";
    }
  }

  void name_bound() {
    std::map<std::string, Time> groups;
    for (const PathPart& p : t_.path) groups[group(p)] += p.time;
    Time most = -1;
    for (const auto& [name, time] : groups)
      if (time > most) most = time, t_.bounded_by = name;
  }

  const Trace& trace_;
  const Times& times_;
  Timeline& t_;
  const BarOf& of_;
  Index at_copy_ = kNone, core_ = kNone;
  std::size_t action_ = 0;  // one behind the action that is next
  std::map<std::pair<std::string, Index>, Time> parts_;
};

}  // namespace

void add_path(const Trace& trace, const Times& times, Timeline& t, const BarOf& of) {
  Path(trace, times, t, of).walk();
}

}  // namespace millrace::timing
