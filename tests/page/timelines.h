// SPDX-License-Identifier: Apache-2.0
// Timelines that no run has made.
#pragma once

#include "array/splitmix.h"
#include "timing/timeline.h"

namespace millrace::view::test {

// `bars` bars on each of three lanes (a load, computing, waiting) and as many contents of two slots.
inline timing::Timeline made_up(timing::Index bars, std::uint64_t seed) {
  using timing::Index, timing::LaneKind, timing::Time;
  timing::Timeline t;
  t.title = "made up", t.chip = "v5e", t.schedule = "canonical", t.bounded_by = "compute";
  t.parameters = {{"bandwidth", 820, "GB/s", "published", "HBM"}, {"dma-latency", 0.6, "us", "derived", "start"}};
  t.lanes = {{LaneKind::kLoad, 0, 0, "in0"}, {LaneKind::kCompute, 0, 0, ""}, {LaneKind::kWait, 0, 0, ""}};
  t.rows = {{"A", "in0", "in0", 0, 0, 2}};
  t.places = {{"k.py:1", "k.py:1"}, {"k.py:2", "k.py:2"}};
  for (Index lane = 0; lane < 3; ++lane) {
    Time at = 0;
    for (Index i = 0; i < bars; ++i) {
      timing::Bar b;
      b.lane = lane, b.begin = at;
      b.end = b.begin + static_cast<Time>(next_splitmix(seed) % 1'000'000), b.moves = b.begin + (b.end - b.begin) / 2;
      b.at = static_cast<event::PlaceId>(i % 2);
      if (lane == 0)
        b.label = i % 2 ? "A1" : "A0", b.bytes = 4096, b.lives = {i}, b.block = static_cast<Index>(t.blocks.size());
      if (lane == 0) t.blocks.push_back({{static_cast<std::int64_t>(i)}, false});
      if (lane == 1) b.step = static_cast<Index>(t.steps.size()), t.steps.push_back({static_cast<std::int64_t>(i), 3});
      if (lane == 2) b.semaphore = "scratch1", b.amount = 4096, b.proves = {i}, b.leaves_open = i % 3;
      b.critical = i % 5 == 0;
      at = b.end + static_cast<Time>(next_splitmix(seed) % 1000);
      t.end = std::max(t.end, b.end);
      t.bars.push_back(std::move(b));
    }
  }
  for (Index slot = 0; slot < 2; ++slot)
    for (Index i = slot; i < bars; i += 2) {
      timing::Tenancy l;
      l.slot = slot, l.version = i / 2, l.begin = t.bars[i].begin, l.filled = t.bars[i].end;
      l.last_use = l.filled + 10, l.reusable = i + 2 < bars ? l.filled + 20 : -1;
      l.block = i, l.opened_by = i, l.last_by = bars + i;
      t.tenancies.push_back(l);
    }
  // Contents are told by row, slot and time; bars name them by their place there.
  for (Index i = 0; i < bars; ++i) t.bars[i].lives = {i % 2 == 0 ? i / 2 : (bars + 1) / 2 + i / 2};
  for (Index i = 0; i < bars; ++i) t.arrows.push_back({i, 2 * bars + i});
  timing::Counter c{"DMAs in flight", "DMAs", 0, 0, {}, 1};
  for (Index i = 0; i < bars; ++i) c.points.push_back({t.bars[i].begin, 1}), c.points.push_back({t.bars[i].end, 0});
  t.counters.push_back(std::move(c));
  return t;
}

}  // namespace millrace::view::test
