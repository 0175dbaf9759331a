// SPDX-License-Identifier: Apache-2.0
#include "view/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace millrace::view {

namespace {

using timing::Bar;
using timing::LaneKind;
using timing::Time;
using timing::Timeline;

constexpr Time kRoom = 1000;  // for a wait at the very beginning: a nanosecond

std::string parameter(const Timeline& t, const char* name) {
  for (const timing::Parameter& p : t.parameters)
    if (p.name == name) return fmt::format("{:.4g} {}", p.value, p.unit);
  return "?";
}

std::string lane_text(const Timeline& t, const timing::PathPart& p) {
  return p.lane == timing::kNone || p.what == "compute" ? p.what
                                                        : fmt::format("{} of {}", p.what, name_of(t, t.lanes[p.lane]));
}

std::string percent(double part, double of) { return of > 0 ? fmt::format("{:.0f} %", 100 * part / of) : "0 %"; }

std::string steady_text(const timing::Steady& s) {
  const Time difference = s.simulated - s.theory;
  return fmt::format(
      "A step takes {} in the middle of the run ({} of {} {}); in theory at least {}: {}. Difference {}{}.",
      time_text(s.simulated), s.middle, s.count, s.steps, time_text(s.theory), s.bounded_by, time_text(difference),
      s.theory > 0 ? fmt::format(", {}", percent(static_cast<double>(difference), static_cast<double>(s.theory))) : "");
}

std::string wait_text(const Timeline& t, const Bar& b) {
  std::string text = b.amount > 0 || t.execution == "modeled"
                         ? fmt::format("wait for {} of {}", grouped(b.amount), b.semaphore)
                         : fmt::format("wait for {}", b.semaphore);
  if (b.never) return text + fmt::format(", never met: there are {}", grouped(b.has));
  if (b.proves.empty() && t.execution == "modeled") text += "; proves no DMA complete";
  for (std::size_t i = 0; i < b.proves.size() && i < 4; ++i) {
    const Bar& copy = t.bars[b.proves[i]];
    text += fmt::format("{} {} ({} {})", i == 0 ? "; proves" : ",", copy.label, name_of(t, t.lanes[copy.lane]),
                        block_text(t, copy.block));
  }
  if (b.proves.size() > 4) text += fmt::format(" and {} more", b.proves.size() - 4);
  if (b.leaves_open > 0) text += fmt::format("; leaves {} DMAs open", b.leaves_open);
  return text;
}

std::string what_of(const Timeline& t, const Bar& b) {
  const timing::Lane& lane = t.lanes[b.lane];
  if (lane.kind == LaneKind::kWait) return wait_text(t, b);
  std::string text = name_of(t, lane);
  if (!b.label.empty()) text = b.label + ": " + text;
  if (b.block != timing::kNone) text += ", " + block_text(t, b.block);
  if (lane.kind != LaneKind::kCompute) text += fmt::format(", {} bytes", grouped(b.bytes));
  return text;
}

}  // namespace

Time drawn_end(const Timeline& t) {
  const bool stuck = std::ranges::any_of(t.bars, &Bar::never);
  return t.end + (stuck ? std::max<Time>(t.end / 2, kRoom) : 0);
}

std::string time_text(Time ps) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr std::array kUnits = {Unit{1e12, "s"}, Unit{1e9, "ms"}, Unit{1e6, "us"}, Unit{1e3, "ns"}, Unit{1, "ps"}};
  if (ps == 0) return "0";
  for (const Unit& u : kUnits)
    if (std::abs(static_cast<double>(ps)) >= u.size)
      return fmt::format("{:.4g} {}", static_cast<double>(ps) / u.size, u.name);
  return fmt::format("{} ps", ps);
}

std::string basis(const Timeline& t) {
  if (t.execution == "measured") return fmt::format("measured on {}", t.device);
  return fmt::format("modeled for {} ({}, DMA latency {}); not measured", t.chip, parameter(t, "bandwidth"),
                     parameter(t, "dma-latency"));
}

std::vector<std::string> summary(const Timeline& t) {
  std::vector<std::string> lines;
  const auto stuck = std::ranges::count_if(t.bars, &Bar::never);
  std::string path = stuck == 0 ? fmt::format("{} in all.", time_text(t.end))
                                : fmt::format("It hangs: {} from {} on.",
                                              stuck == 1 ? std::string("a core waits for ever")
                                                         : fmt::format("{} cores wait for ever", stuck),
                                              time_text(t.end));
  if (!t.bounded_by.empty()) path += fmt::format(" Bounded by: {}.", t.bounded_by);
  for (std::size_t i = 0; i < t.path.size() && i < 4; ++i)
    path += fmt::format("{} {} {}", i == 0 ? " Critical path:" : ",", lane_text(t, t.path[i]),
                        percent(static_cast<double>(t.path[i].time), static_cast<double>(t.end)));
  lines.push_back(path + (t.path.empty() ? "" : "."));
  if (t.moving > 0 || t.computing > 0)
    lines.push_back(fmt::format("Overlap {:.0f} %: {} of computing lie under DMAs ({} in all, DMAs {}); cores wait {}.",
                                100 * t.overlap, time_text(t.overlapped), time_text(t.computing), time_text(t.moving),
                                time_text(t.waiting)));
  if (!t.steady.steps.empty()) lines.push_back(steady_text(t.steady));
  if (t.cut) lines.push_back("The run went on: this is its beginning.");
  if (t.coarse.is)
    lines.push_back(fmt::format("{} bars are drawn as {}: those of a lane that begin within {} are one.",
                                grouped(static_cast<std::int64_t>(t.coarse.bars)),
                                grouped(static_cast<std::int64_t>(t.bars.size())), time_text(t.coarse.bucket)));
  return lines;
}

std::string about(const Timeline& t, timing::Index bar) {
  const Bar& b = t.bars[bar];
  std::string text = b.count > 1 ? fmt::format("{} times {}, busy {}", grouped(static_cast<std::int64_t>(b.count)),
                                               name_of(t, t.lanes[b.lane]), time_text(b.busy))
                                 : what_of(t, b);
  if (const std::string step = step_text(t, b.step); !step.empty()) text += ", step " + step;
  text += fmt::format("; {} to {}", time_text(b.begin), time_text(b.end));
  if (b.moves > b.begin) text += fmt::format(", moves from {}", time_text(b.moves));
  if (b.critical) text += "; on the critical path";
  if (b.count == 1 && b.at < t.places.size() && !t.places[b.at].where.empty()) text += "; at " + t.places[b.at].where;
  return text;
}

std::string about(const Timeline& t, const timing::Tenancy& l) {
  if (l.count > 1) return fmt::format("{}: {} contents, one after the other", slot_of(t, l), l.count);
  return fmt::format("{} ({}), content {}{}: begun {}, there {}, last use {}, {}", slot_of(t, l), t.rows[l.row].operand,
                     l.version, l.block == timing::kNone ? "" : ", " + block_text(t, l.block), time_text(l.begin),
                     time_text(l.filled), time_text(l.last_use),
                     l.reusable < 0 ? "never known to be free" : "free for reuse " + time_text(l.reusable));
}

std::string owner_of(const Timeline& t, int device, int core) {
  std::string name = t.devices > 1 ? fmt::format("device {}", device) : "";
  if (t.cores > 1) name += fmt::format("{}core {}", name.empty() ? "" : ", ", core);
  return name;
}

std::vector<std::string> labels_of(const Timeline& t, const Bar& b) {
  if (b.never)
    return {fmt::format("for ever: {} has {}, needs {}", b.semaphore, grouped(b.has), grouped(b.amount)),
            fmt::format("has {}, needs {}", grouped(b.has), grouped(b.amount)),
            fmt::format("{} of {}", grouped(b.has), grouped(b.amount))};
  if (t.lanes[b.lane].kind == LaneKind::kWait) return {};
  if (b.count > 1) {
    const std::string times = grouped(static_cast<std::int64_t>(b.count)) + " x";
    return b.label.empty() ? std::vector{times} : std::vector{times + " " + b.label, times};
  }
  std::vector<std::string> labels;
  if (!b.label.empty()) labels.push_back(b.label);
  if (const std::string block = block_text(t, b.block); !block.empty())
    labels.insert(labels.begin(), (labels.empty() ? "" : labels[0] + " ") + block.substr(block.find(' ') + 1));
  if (const std::string step = step_text(t, b.step); !step.empty())
    labels.insert(labels.begin(), (labels.empty() ? "" : labels[0] + ", ") + "step " + step);
  return labels;
}

std::vector<std::string> labels_of(const timing::Fault& f, std::size_t number, const timing::Moment& m) {
  std::vector<std::string> labels = {fmt::format("{} {}", number, m.what), std::to_string(number)};
  if (const std::size_t colon = m.what.find(':'); colon != m.what.npos)
    labels.insert(labels.begin() + 1, fmt::format("{} {}", number, m.what.substr(0, colon)));
  if (!f.memory.empty()) labels.insert(labels.begin(), fmt::format("{}, {}{}", labels[0], f.memory, f.box));
  return labels;
}

std::string sentence(const timing::Fault& f) {
  return f.id + ": " + f.message + (f.schedules.empty() ? "" : fmt::format(" (in {} schedules)", f.schedules));
}

std::string sentence(const Timeline&, const timing::Moment& m) {
  return fmt::format("{}{}, at {}", m.what, m.at.empty() ? "" : " at " + m.at, time_text(m.begin));
}

}  // namespace millrace::view
