// SPDX-License-Identifier: Apache-2.0
// Findings at the moments where they happen. What a finding says of its places is looked up in the trace; what is not
// found there has no moment, and stays a finding all the same.
#include <fmt/format.h>

#include <algorithm>

#include "timing/build.h"

namespace millrace::timing {

namespace {

std::string box_text(const std::vector<Range>& ranges) {
  event::Box box;
  box.rank = static_cast<int>(std::min<std::size_t>(ranges.size(), event::kMaxRank));
  for (int d = 0; d < box.rank; ++d) box.ranges[static_cast<std::size_t>(d)] = ranges[static_cast<std::size_t>(d)];
  return box.rank == 0 ? "" : event::to_string(box);
}

class Finder {
 public:
  Finder(const Trace& trace, const Times& times, const Timeline& t, const BarOf& of)
      : trace_(trace), times_(times), t_(t), of_(of) {}

  void add_side(const Finding& f, const Side& side, Fault& fault) const {
    Moment m;
    m.what = side.access, m.at = side.at;
    const bool dma = side.access.starts_with("DMA"), window = side.access.starts_with("pipeline");
    if (window)
      at_bar(copy_in_step(f, side), m);
    else if (dma)
      at_bar(of_copy(nth(trace_.starts, side, {""})), m);
    else
      at_bar(of_compute(nth(trace_.accesses, side, names(f))), m);
    if (m.bar == kNone && !last_moment(side.device, side.core, m)) return;
    fault.moments.push_back(std::move(m));
  }

  void add_waiter(const Waiter& w, Fault& fault) const {
    Moment m;
    m.what = fmt::format("waits for {}: has {}, needs {}", w.semaphore, w.has, w.needs), m.at = w.at;
    for (Index b = 0; b < t_.bars.size(); ++b) {
      const Bar& bar = t_.bars[b];
      const Lane& lane = t_.lanes[bar.lane];
      if (!bar.never || lane.device != w.device || lane.core != w.core) continue;
      at_bar(b, m);
      fault.moments.push_back(std::move(m));
      return;
    }
  }

  // A place without a side: the last time that a core was there.
  void add_place(const Finding& f, Fault& fault) const {
    Moment m;
    m.what = f.id, m.at = f.at;
    for (Index b = 0; b < t_.bars.size(); ++b)
      if (trace_.places[t_.bars[b].at].at == f.at && (m.bar == kNone || t_.bars[b].end >= m.end)) at_bar(b, m);
    if (m.bar != kNone) fault.moments.push_back(std::move(m));
  }

 private:
  std::vector<std::string> names(const Finding& f) const {
    std::vector<std::string> all = {f.memory};
    all.insert(all.end(), f.same_memory.begin(), f.same_memory.end());
    if (const auto also = trace_.also.find(f.memory); also != trace_.also.end())
      all.insert(all.end(), also->second.begin(), also->second.end());
    return all;
  }

  Index core_of(int device, int core) const { return static_cast<Index>(device * trace_.cores_of_device + core); }

  Index nth(const std::map<PlaceOfCore, std::vector<Index>>& lists, const Side& side,
            const std::vector<std::string>& memories) const {
    for (event::PlaceId place = 0; place < trace_.places.size(); ++place) {
      if (trace_.places[place].at != side.at) continue;
      for (const std::string& memory : memories) {
        const auto found = lists.find({core_of(side.device, side.core), place, memory});
        if (found != lists.end() && side.nth < found->second.size()) return found->second[side.nth];
      }
    }
    return kNone;
  }

  Index of_copy(Index copy) const { return copy == kNone ? kNone : of_.copy[copy]; }
  Index of_compute(Index compute) const { return compute == kNone ? kNone : of_.compute[compute]; }

  Index copy_in_step(const Finding& f, const Side& side) const {
    const bool write = side.access.ends_with("write");
    for (Index c = 0; c < trace_.copies.size(); ++c) {
      const Copy& copy = trace_.copies[c];
      if (!copy.window || copy.core != core_of(side.device, side.core)) continue;
      const Index step = step_of(copy);
      if (copy.operand == f.memory && write == (copy.direction == Direction::kStore) && step != kNone &&
          trace_.steps[step] == side.grid_step)
        return of_.copy[c];
    }
    return kNone;
  }

  // Whose block it moves: into one of several slots that of the step which comes next.
  Index step_of(const Copy& copy) const {
    const bool load = copy.direction != Direction::kStore && !copy.into.empty();
    if (!load || trace_.buffers[trace_.lives[copy.into.front()].buffer].slots == 1) return copy.step;
    const std::vector<Action>& actions = trace_.cores[copy.core].actions;
    for (std::size_t a = copy.action; a < actions.size(); ++a)
      if (actions[a].act == Act::kGridStep) return actions[a].index;
    return copy.step;
  }

  void at_bar(Index bar, Moment& m) const {
    if (bar == kNone) return;
    m.bar = bar, m.begin = t_.bars[bar].begin, m.end = t_.bars[bar].end;
  }

  // What stopped the core, or has no bar of its own.
  bool last_moment(int device, int core, Moment& m) const {
    const Index c = core_of(device, core);
    if (c >= times_.cores.size() || times_.cores[c].empty()) return false;
    m.begin = m.end = times_.cores[c].back().end;
    return true;
  }

  const Trace& trace_;
  const Times& times_;
  const Timeline& t_;
  const BarOf& of_;
};

}  // namespace

void add_faults(const Trace& trace, const Times& times, const std::vector<Finding>& findings, Timeline& t,
                const BarOf& of) {
  const Finder finder(trace, times, t, of);
  for (const Finding& f : findings) {
    Fault fault{f.id, f.message, f.memory, box_text(f.box), f.schedules, {}, f.severity == Severity::kError};
    if (f.first) finder.add_side(f, *f.first, fault);
    if (f.second) finder.add_side(f, *f.second, fault);
    for (const Waiter& w : f.waiters) finder.add_waiter(w, fault);
    if (fault.moments.empty() && !f.at.empty()) finder.add_place(f, fault);
    t.faults.push_back(std::move(fault));
  }
}

}  // namespace millrace::timing
