// SPDX-License-Identifier: Apache-2.0
#include "front/view_on_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "front/report_kernel.h"
#include "target/cpu/device.h"
#include "target/cpu/runner.h"
#include "timing/lane_kinds.h"
#include "timing/recorder.h"
#include "timing/stretches.h"

namespace millrace::front {

namespace {

using cpu::Span;
using timing::Bar;
using timing::common;
using timing::joined;
using timing::LaneKind;
using timing::length;
using timing::rank_of;
using timing::Stretch;
using timing::Time;
using timing::Timeline;

constexpr Time kPicoseconds = 1000;  // a nanosecond

// What a span is called: its lane's kind and operand, and the label of its bar.
class Names {
 public:
  explicit Names(const program::Program& p) : p_(p) {
    for (std::uint32_t s = 0; s < p.memories.size(); ++s) {
      const program::MemorySlot& slot = p.memories[s];
      const bool buffer = slot.kind != event::MemoryKind::kHbm && slot.kind != event::MemoryKind::kSemaphore;
      if (slot.binding == program::MemorySlot::Binding::kWindow || !buffer) continue;
      letters_.emplace(s, static_cast<timing::Index>(p.windows.size() + letters_.size()));
    }
  }

  LaneKind kind(const Span& s) const {
    switch (s.kind) {
      case Span::Kind::kCopyIn: return LaneKind::kLoad;
      case Span::Kind::kCopyOut: return LaneKind::kStore;
      case Span::Kind::kBody: return LaneKind::kCompute;
      case Span::Kind::kWait:
      case Span::Kind::kOwnWait: return LaneKind::kWait;
      case Span::Kind::kDma: break;
    }
    const program::Dma& dma = p_.dmas[s.of];
    return timing::lane_of(timing::direction_of(p_.memories[dma.source.memory].kind,
                                                p_.memories[dma.target.memory].kind, dma.device != program::kNoSlot));
  }

  std::string operand(const Span& s) const {
    if (s.kind == Span::Kind::kCopyIn || s.kind == Span::Kind::kCopyOut) return p_.windows[s.of].name;
    if (s.kind != Span::Kind::kDma) return "";
    const program::Dma& dma = p_.dmas[s.of];
    return p_.memories[(kind(s) == LaneKind::kStore ? dma.target : dma.source).memory].name;
  }

  std::string label(const Span& s) const {
    if (s.kind == Span::Kind::kBody || s.kind == Span::Kind::kOwnWait) return "";
    timing::Index letter = s.of;
    if (s.kind == Span::Kind::kDma) {
      const program::Dma& dma = p_.dmas[s.of];
      auto buffer = letters_.find(dma.target.memory);
      if (buffer == letters_.end()) buffer = letters_.find(dma.source.memory);
      if (buffer == letters_.end()) return "";
      letter = buffer->second;
    }
    return fmt::format("{}{}", timing::letter_of(letter), s.slot);
  }

  std::string semaphore(const Span& s) const {
    if (s.kind == Span::Kind::kOwnWait) return p_.memories[s.of].name;
    return s.kind == Span::Kind::kWait ? p_.windows[s.of].name : "";
  }

 private:
  const program::Program& p_;
  std::map<std::uint32_t, timing::Index> letters_;  // by memory slot; the windows come before
};

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
  const Names names(p);
  Timeline t;
  t.execution = "measured", t.schedule = "measured", t.places = p.places;
  t.devices = p.devices, t.cores = p.cores;
  std::map<std::tuple<int, int, std::string>, timing::Index> lanes;
  const auto key = [&](const Span& s) { return std::tuple{s.core, rank_of(names.kind(s)), names.operand(s)}; };
  std::int64_t steps = 0;
  for (const Span& s : spans) {
    lanes[key(s)];
    if (s.kind == Span::Kind::kBody) steps = std::max(steps, s.step + 1);
  }
  timing::Index number = 0;
  for (auto& [k, lane] : lanes) lane = number++;
  t.lanes.resize(lanes.size());
  for (const Span& s : spans)
    t.lanes[lanes[key(s)]] = {names.kind(s), s.core / p.cores, s.core % p.cores, names.operand(s)};
  // Of several cores a step has another point on each.
  const bool several = p.devices * p.cores > 1;
  for (std::int64_t s = 0; s < steps && !several; ++s) t.steps.push_back(point_of(s, p.grid));
  for (const Span& s : spans) {
    Bar b;
    b.lane = lanes[key(s)];
    b.begin = b.moves = s.begin * kPicoseconds, b.end = s.end * kPicoseconds;
    b.step = s.step < steps && !several ? static_cast<timing::Index>(s.step) : timing::kNone;
    (s.kind == Span::Kind::kOwnWait ? b.amount : b.bytes) = s.bytes;
    b.busy = b.end - b.begin;
    b.label = names.label(s), b.semaphore = names.semaphore(s);
    t.end = std::max(t.end, b.end);
    t.bars.push_back(std::move(b));
  }
  std::ranges::stable_sort(t.bars, {}, [](const Bar& b) { return std::tuple{b.lane, b.begin, b.end}; });
  add_overlap(t);
  return t;
}

namespace {

struct MeasuredRun {
  KernelRequest request;  // as the simulator would be asked
  LoadedKernel loaded;
  Timeline timeline;
};

MeasuredRun measured_on_cpu(const KernelRequest& request) {
  constexpr int kRuns = 5;  // the first ones find cold caches, and pages that nobody has touched
  KernelRequest plain = request;
  plain.target = "simulator";
  MeasuredRun run{plain, load_kernel(plain), {}};
  const api::Executable& e = *run.loaded.executable;
  cpu::Runner runner(e.program, e.inputs, e.outputs, {.threads = 1, .movement = Movement::kCopies});
  std::vector<Array> outputs;
  for (int i = 0; i < kRuns; ++i) runner.run(run.loaded.inputs, outputs);
  run.timeline = timeline_of(runner.plan(), runner.take_spans());
  run.timeline.title = title_of(plain, run.loaded), run.timeline.device = cpu::device_name();
  return run;
}

}  // namespace

Timeline view_on_cpu(const KernelRequest& request) { return measured_on_cpu(request).timeline; }

// Findings are of the kernel, whoever runs it; where they happen is known of the simulator's run alone.
view::Report report_on_cpu(const KernelRequest& request, const std::string& millrace_version) {
  MeasuredRun run = measured_on_cpu(request);
  timing::Recorder recorder;
  const CheckRequest check{run.request, false, true, true, 0, false};
  const report::Checked checked = check_loaded(check, run.loaded, nullptr, {&recorder});
  view::Report report = report_of({run.request, {}, millrace_version}, run.loaded, checked, recorder.take(),
                                  source_lines(checked.findings, run.request.module));
  run.timeline.faults = std::move(report.timeline.faults);
  for (timing::Fault& f : run.timeline.faults) f.moments.clear();
  report.timeline = std::move(run.timeline);
  return report;
}

}  // namespace millrace::front
