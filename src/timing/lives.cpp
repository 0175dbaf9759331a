// SPDX-License-Identifier: Apache-2.0
// The lives of slots: from what fills one to the moment at which it may be filled again.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "timing/build.h"

namespace millrace::timing {

namespace {

// When each wait was through, and each compute began and ended.
struct Spans {
  std::vector<std::pair<Time, Time>> computes, waits;

  Spans(const Trace& trace, const Times& times) : computes(trace.computes.size()), waits(trace.waits.size()) {
    for (std::size_t c = 0; c < trace.cores.size(); ++c)
      for (std::size_t i = 0; i < trace.cores[c].actions.size(); ++i) {
        const Action& a = trace.cores[c].actions[i];
        const ActionTimes& t = times.cores[c][i];
        if (a.act == Act::kCompute) computes[a.index] = {t.begin, t.end};
        if (a.act == Act::kWait) waits[a.index] = {t.begin, t.end};
      }
  }
};

Tenancy tenancy_of(const Life& l, Index row, const Times& times, const Spans& spans, const BarOf& of) {
  Tenancy t{row, l.slot, l.version};
  t.block = l.block;
  if (l.fetched_by != kNone) {
    t.begin = times.copies[l.fetched_by].start, t.filled = times.copies[l.fetched_by].end;
    t.opened_by = of.copy[l.fetched_by];
  } else if (l.made_by != kNone) {
    t.begin = spans.computes[l.made_by].first, t.filled = spans.computes[l.made_by].second;
    t.opened_by = of.compute[l.made_by];
  }
  t.last_use = t.filled, t.last_by = t.opened_by;
  if (l.last_use != kNone && spans.computes[l.last_use].second >= t.last_use)
    t.last_use = spans.computes[l.last_use].second, t.last_by = of.compute[l.last_use];
  t.reusable = t.last_use;
  if (l.stored_by == kNone) return t;
  const CopyTimes& store = times.copies[l.stored_by];
  if (store.end >= t.last_use) t.last_use = store.end, t.last_by = of.copy[l.stored_by];
  t.reusable = store.met == kNone ? -1 : std::max(t.last_use, spans.waits[store.met].second);
  return t;
}

}  // namespace

void add_lives(const Trace& trace, const Times& times, Timeline& t, BarOf& of) {
  std::vector<Index> row(trace.buffers.size(), kNone);
  std::vector<Index> order(trace.buffers.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index b) {
    const Buffer& x = trace.buffers[b];
    return std::tuple(x.device, x.core, x.letter);
  });
  for (const Index b : order) {
    const Buffer& buffer = trace.buffers[b];
    if (buffer.letter == kNone) continue;
    row[b] = static_cast<Index>(t.rows.size());
    t.rows.push_back({letter_of(buffer.letter), buffer.name, buffer.operand, buffer.device, buffer.core, buffer.slots});
  }
  const Spans spans(trace, times);
  std::vector<std::pair<Index, Tenancy>> all;
  for (Index l = 0; l < trace.lives.size(); ++l)
    if (row[trace.lives[l].buffer] != kNone)
      all.emplace_back(l, tenancy_of(trace.lives[l], row[trace.lives[l].buffer], times, spans, of));
  std::ranges::stable_sort(all, {},
                           [](const auto& x) { return std::tuple(x.second.row, x.second.slot, x.second.begin); });
  of.life.assign(trace.lives.size(), kNone);
  for (auto& [life, tenancy] : all) {
    of.life[life] = static_cast<Index>(t.tenancies.size());
    t.tenancies.push_back(tenancy);
  }
  for (Bar& b : t.bars) {
    for (Index& l : b.lives) l = of.life[l];
    std::erase(b.lives, kNone);
  }
}

}  // namespace millrace::timing
