// SPDX-License-Identifier: Apache-2.0
// What can be counted at each moment, and how much of moving lies under computing.
#include <algorithm>

#include "timing/build.h"
#include "timing/stretches.h"

namespace millrace::timing {

namespace {

using Change = std::pair<Time, std::int64_t>;

Counter counter(std::string name, std::string unit, const CoreTrace& core, std::vector<Change> changes) {
  std::ranges::stable_sort(changes, {}, &Change::first);
  Counter c{std::move(name), std::move(unit), core.device, core.core, {}, 0};
  std::int64_t value = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    value += changes[i].second;
    if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
    if (c.points.empty() || c.points.back().value != value) c.points.push_back({changes[i].first, value});
    c.most = std::max(c.most, value);
  }
  return c;
}

}  // namespace

void add_counters(const Trace& trace, const Times& times, Timeline& t) {
  for (std::size_t c = 0; c < trace.cores.size(); ++c) {
    const CoreTrace& core = trace.cores[c];
    std::vector<Change> bytes, flying;
    for (std::size_t i = 0; i < core.actions.size(); ++i)
      if (core.actions[i].act == Act::kMemory) bytes.emplace_back(times.cores[c][i].begin, core.actions[i].bytes);
    for (std::size_t i = 0; i < trace.copies.size(); ++i) {
      if (trace.copies[i].core != c) continue;
      flying.emplace_back(times.copies[i].start, 1), flying.emplace_back(times.copies[i].end, -1);
    }
    if (!bytes.empty()) t.counters.push_back(counter("VMEM", "bytes", core, std::move(bytes)));
    if (!flying.empty()) t.counters.push_back(counter("DMAs in flight", "DMAs", core, std::move(flying)));
  }
}

void add_overlap(const Trace& trace, const Times& times, Timeline& t) {
  Time shorter = 0;
  std::vector<std::vector<Stretch>> moving(trace.cores.size());
  for (std::size_t i = 0; i < trace.copies.size(); ++i)
    moving[trace.copies[i].core].emplace_back(times.copies[i].start, times.copies[i].end);
  for (std::size_t c = 0; c < trace.cores.size(); ++c) {
    std::vector<Stretch> computing;
    const auto& actions = trace.cores[c].actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const ActionTimes& a = times.cores[c][i];
      if (actions[i].act == Act::kCompute) computing.emplace_back(a.begin, a.end);
      if (actions[i].act == Act::kWait) t.waiting += a.blocked - a.begin;
      if (actions[i].act == Act::kStuck) t.waiting += times.end - a.begin;
    }
    const std::vector<Stretch> moves = joined(std::move(moving[c])), computes = joined(std::move(computing));
    t.moving += length(moves), t.computing += length(computes);
    t.overlapped += common(moves, computes);
    shorter += std::min(length(moves), length(computes));
  }
  t.overlap = shorter > 0 ? static_cast<double>(t.overlapped) / static_cast<double>(shorter) : 0;
}

}  // namespace millrace::timing
