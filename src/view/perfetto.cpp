// SPDX-License-Identifier: Apache-2.0
// Field numbers: perfetto's published protos trace_packet, track_descriptor, process_descriptor, thread_descriptor,
// counter_descriptor, track_event and debug_annotation.
#include "view/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "view/protobuf.h"
#include "view/sentences.h"
#include "view/stack.h"

namespace millrace::view {

namespace {

using timing::Bar;
using timing::Index;
using timing::LaneKind;
using timing::Time;
using timing::Timeline;

constexpr std::uint64_t kSequence = 1, kRoot = 1, kFirstTrack = 16;
enum EventType : std::uint64_t { kBegin = 1, kEnd = 2, kInstant = 3, kCount = 4 };

struct Timed {
  std::uint64_t at;
  int rank;  // at one moment slices end before others begin
  std::size_t order;
  Message event;
};

class Trace {
 public:
  explicit Trace(const Timeline& t) : t_(t), lines_(stacked(t, 64)) {}

  std::string bytes() {
    tracks();
    for (Index b = 0; b < t_.bars.size(); ++b) slice(b);
    for (std::size_t c = 0; c < t_.counters.size(); ++c) count(c);
    for (const timing::Fault& f : t_.faults) fault(f);
    std::ranges::stable_sort(events_, {}, [](const Timed& e) { return std::tuple(e.at, e.rank, e.order); });
    for (const Timed& e : events_) {
      Message packet;
      packet.number(8, e.at);  // timestamp
      packet.number(10, kSequence);
      packet.message(11, e.event);
      trace_.message(1, packet);
    }
    return trace_.bytes();
  }

 private:
  static std::uint64_t ns(Time picoseconds) { return static_cast<std::uint64_t>(picoseconds / 1000); }

  void descriptor(std::uint64_t id, std::uint64_t parent, const std::string& name, std::uint64_t rank,
                  const Message* counter = nullptr) {
    Message d;
    d.number(1, id);
    if (parent != 0) d.number(5, parent);
    d.text(2, name);
    if (counter) d.message(8, *counter);
    if (parent == 0) d.number(11, 3);  // children in the order of their ranks
    if (parent != 0) d.number(12, rank);
    Message packet;
    packet.number(10, kSequence);
    if (id == kRoot) packet.number(13, 1);  // nothing was before
    packet.message(60, d);
    trace_.message(1, packet);
  }

  // Slices of one track must nest; bars of a lane need not, so each line of a lane is a track.
  void tracks() {
    descriptor(kRoot, 0, fmt::format("{}: {}", t_.title, basis(t_)), 0);
    std::uint64_t next = kFirstTrack;
    for (Index lane = 0; lane < t_.lanes.size(); ++lane) {
      first_.push_back(next);
      for (std::uint32_t line = 0; line < lines_.lines[lane]; ++line, ++next)
        descriptor(next, kRoot, name_of(t_, t_.lanes[lane]) + (line == 0 ? "" : fmt::format(" ({})", line + 1)), next);
    }
    for (const timing::Counter& c : t_.counters) {
      Message unit;
      unit.text(6, c.unit);
      counters_.push_back(next);
      const std::string whose = t_.devices * t_.cores > 1 ? fmt::format("device {} core {}: ", c.device, c.core) : "";
      descriptor(next, kRoot, whose + c.name, next, &unit);
      ++next;
    }
    faults_ = next;
    if (!t_.faults.empty()) descriptor(next, kRoot, "findings", next);
  }

  void add(std::uint64_t at, int rank, Message event) {
    events_.push_back({at, rank, events_.size(), std::move(event)});
  }

  static void note(Message& event, const std::string& name, const std::string& value) {
    Message annotation;
    annotation.text(10, name);
    annotation.text(6, value);
    event.message(4, annotation);
  }

  std::string name_of_bar(const Bar& b) const {
    if (b.never) return "waits for ever";
    if (!b.label.empty()) return b.label;
    return t_.lanes[b.lane].kind == LaneKind::kWait ? "wait " + b.semaphore : timing::name_of(t_.lanes[b.lane].kind);
  }

  void slice(Index i) {
    const Bar& b = t_.bars[i];
    const std::uint64_t track = first_[b.lane] + lines_.line[i];
    const bool wait = t_.lanes[b.lane].kind == LaneKind::kWait, instant = wait && ns(b.begin) == ns(b.end);
    std::uint64_t& free_from = free_from_[track];  // what is shorter than a nanosecond moves back a little
    const std::uint64_t at = instant ? ns(b.begin) : std::max(ns(b.begin), free_from);
    Message begin;
    begin.number(9, instant ? kInstant : kBegin);
    begin.number(11, track);
    begin.text(23, name_of_bar(b));
    begin.text(22, timing::name_of(t_.lanes[b.lane].kind));
    if (b.critical) begin.text(22, "critical");
    note(begin, "about", about(t_, i));
    for (const timing::Arrow& a : arrows_of(i)) begin.fixed64(wait ? 48 : 47, std::uint64_t{a.copy} + 1);
    add(at, 1, std::move(begin));
    if (instant) return;
    free_from = std::max(ns(b.end), at + 1);
    Message end;
    end.number(9, kEnd);
    end.number(11, track);
    add(free_from, 0, std::move(end));
  }

  // Arrows are few for one bar: sorted once by copy and once by wait.
  std::vector<timing::Arrow> arrows_of(Index bar) {
    if (by_copy_.empty() && !t_.arrows.empty()) {
      by_copy_ = by_wait_ = t_.arrows;
      std::ranges::stable_sort(by_copy_, {}, &timing::Arrow::copy);
      std::ranges::stable_sort(by_wait_, {}, &timing::Arrow::wait);
    }
    const bool wait = t_.lanes[t_.bars[bar].lane].kind == LaneKind::kWait;
    const auto range = wait ? std::ranges::equal_range(by_wait_, bar, {}, &timing::Arrow::wait)
                            : std::ranges::equal_range(by_copy_, bar, {}, &timing::Arrow::copy);
    return {range.begin(), range.end()};
  }

  void count(std::size_t c) {
    for (const timing::Counter::Point& p : t_.counters[c].points) {
      Message event;
      event.number(9, kCount);
      event.number(11, counters_[c]);
      event.number(30, static_cast<std::uint64_t>(p.value));
      add(ns(p.at), 2, std::move(event));
    }
  }

  void fault(const timing::Fault& f) {
    for (const timing::Moment& m : f.moments) {
      Message event;
      event.number(9, kInstant);
      event.number(11, faults_);
      event.text(23, f.id);
      note(event, "message", f.message);
      note(event, "moment", sentence(t_, m));
      add(ns(m.begin), 3, std::move(event));
    }
  }

  const Timeline& t_;
  Stacked lines_;
  Message trace_;
  std::vector<std::uint64_t> first_, counters_;
  std::uint64_t faults_ = 0;
  std::vector<Timed> events_;
  std::map<std::uint64_t, std::uint64_t> free_from_;  // by track
  std::vector<timing::Arrow> by_copy_, by_wait_;
};

}  // namespace

std::string to_perfetto(const Timeline& t) { return Trace(t).bytes(); }

}  // namespace millrace::view
