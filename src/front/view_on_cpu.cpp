// SPDX-License-Identifier: Apache-2.0
#include "front/view_on_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "front/view_kernel.h"
#include "millrace/error.h"
#include "target/cpu/device.h"
#include "target/cpu/runner.h"
#include "timing/stretches.h"

namespace millrace::front {

namespace {

using cpu::Span;
using timing::Bar;
using timing::common;
using timing::joined;
using timing::LaneKind;
using timing::length;
using timing::Stretch;
using timing::Time;
using timing::Timeline;

constexpr Time kPicoseconds = 1000;  // a nanosecond

LaneKind lane_kind(Span::Kind kind) {
  switch (kind) {
    case Span::Kind::kCopyIn: return LaneKind::kLoad;
    case Span::Kind::kCopyOut: return LaneKind::kStore;
    case Span::Kind::kBody: return LaneKind::kCompute;
    case Span::Kind::kWait: return LaneKind::kWait;
  }
  return LaneKind::kWait;
}

// From top to bottom: what comes in, the work, what goes out, waiting.
int rank_of(LaneKind kind) {
  return kind == LaneKind::kLoad ? 0 : kind == LaneKind::kCompute ? 1 : kind == LaneKind::kStore ? 2 : 3;
}

std::vector<std::int64_t> point_of(std::int64_t step, const std::vector<std::int64_t>& grid) {
  std::vector<std::int64_t> point(grid.size());
  for (std::size_t d = grid.size(); d-- > 0; step /= grid[d]) point[d] = step % grid[d];
  return point;
}

void add_overlap(Timeline& t) {
  std::vector<Stretch> moves, computes, waits;
  for (const Bar& b : t.bars) {
    const LaneKind kind = t.lanes[b.lane].kind;
    (kind == LaneKind::kCompute ? computes : kind == LaneKind::kWait ? waits : moves).emplace_back(b.begin, b.end);
  }
  moves = joined(std::move(moves)), computes = joined(std::move(computes));
  waits = joined(std::move(waits));
  t.moving = length(moves), t.computing = length(computes), t.waiting = length(waits);
  t.overlapped = common(moves, computes);
  const Time shorter = std::min(t.moving, t.computing);
  t.overlap = shorter > 0 ? static_cast<double>(t.overlapped) / static_cast<double>(shorter) : 0;
}

}  // namespace

Timeline timeline_of(const cpu::Plan& plan, const std::vector<Span>& spans) {
  const program::Program& p = plan.program;
  Timeline t;
  t.execution = "measured", t.schedule = "measured", t.places = p.places;
  std::map<std::tuple<int, std::uint32_t>, timing::Index> lanes;
  const auto key = [](const Span& s) {
    const LaneKind kind = lane_kind(s.kind);
    return std::tuple{rank_of(kind), rank_of(kind) % 2 == 0 ? s.window : 0};
  };
  std::int64_t steps = 0;
  for (const Span& s : spans) {
    lanes[key(s)];
    if (s.kind == Span::Kind::kBody) steps = std::max(steps, s.step + 1);
  }
  timing::Index number = 0;
  for (auto& [k, lane] : lanes) lane = number++;
  t.lanes.resize(lanes.size());
  for (const Span& s : spans) {
    const LaneKind kind = lane_kind(s.kind);
    const bool copies = kind == LaneKind::kLoad || kind == LaneKind::kStore;
    t.lanes[lanes[key(s)]] = {kind, 0, 0, copies ? p.windows[s.window].name : ""};
  }
  for (std::int64_t s = 0; s < steps; ++s) t.steps.push_back(point_of(s, p.grid));
  for (const Span& s : spans) {
    Bar b;
    b.lane = lanes[key(s)];
    b.begin = b.moves = s.begin * kPicoseconds, b.end = s.end * kPicoseconds;
    b.step = s.step < steps ? static_cast<timing::Index>(s.step) : timing::kNone, b.bytes = s.bytes;
    b.busy = b.end - b.begin;
    if (s.kind != Span::Kind::kBody) b.label = fmt::format("{}{}", timing::letter_of(s.window), s.slot);
    if (s.kind == Span::Kind::kWait) b.semaphore = p.windows[s.window].name;
    t.end = std::max(t.end, b.end);
    t.bars.push_back(std::move(b));
  }
  std::ranges::stable_sort(t.bars, {}, [](const Bar& b) { return std::tuple{b.lane, b.begin, b.end}; });
  add_overlap(t);
  return t;
}

Timeline view_on_cpu(const KernelRequest& request) {
  constexpr int kRuns = 5;  // the first ones find cold caches, and pages that nobody has touched
  KernelRequest plain = request;
  plain.target = "simulator";
  const LoadedKernel loaded = load_kernel(plain);
  const api::Executable& e = *loaded.executable;
  if (e.program.windows.empty())
    throw Error(ErrorCode::kUnsupported,
                "a measured timeline is of a kernel with windows; the CPU does a kernel's own DMAs when they are "
                "started, so that nothing overlaps");
  cpu::Runner runner(e.program, e.inputs, e.outputs, {.threads = 1, .movement = Movement::kCopies});
  std::vector<Array> outputs;
  for (int i = 0; i < kRuns; ++i) runner.run(loaded.inputs, outputs);
  Timeline t = timeline_of(runner.plan(), runner.take_spans());
  t.title = title_of(plain, loaded), t.device = cpu::device_name();
  return t;
}

}  // namespace millrace::front
