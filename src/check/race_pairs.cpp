// SPDX-License-Identifier: Apache-2.0
#include "check/race_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/catalogue.h"

namespace millrace::checkers {

using event::AccessKind;

namespace {

// The moves of windows stand nowhere in the kernel: the step says which it is.
Side side_of(const Seen& access, const event::Place& place) {
  const bool write = access.kind == AccessKind::kWrite;
  Side s;
  s.access = fmt::format("{} {}",
                         access.window    ? "pipeline"
                         : access.who.dma ? "DMA"
                                          : "core",
                         write ? "write" : "read");
  s.core = access.who.core;
  s.device = access.who.device;
  if (access.window) {
    if (access.step) s.grid_step = *access.step;
    s.where = s.grid_step.empty() ? "the only step" : fmt::format("step ({})", fmt::join(s.grid_step, ", "));
    return s;
  }
  s.at = place.at;
  s.nth = access.nth;
  s.where = place.where;
  return s;
}

// Where the two are on different cores, both say on which.
std::string said(const Side& s, const Side& other) {
  std::string text = fmt::format("the {} at {}", s.access, s.where);
  if (s.core != other.core || s.device != other.device) text += fmt::format(" on core {}", s.core);
  if (s.device != other.device) text += fmt::format(" of device {}", s.device);
  return text;
}

// A DMA stands where it was started, its read before its write.
auto program_order(const Seen& a) { return std::tuple(a.who.device, a.who.core, a.order, a.kind); }

}  // namespace

namespace {

template <class F>
bool any_box(const Seen& a, const F& test) {
  if (test(a.box)) return true;
  return a.more && std::any_of(a.more->begin(), a.more->end(), test);
}

// The first box that the two have in common.
std::optional<event::Box> common(const Seen& a, const Seen& b) {
  std::optional<event::Box> found;
  any_box(a, [&](const event::Box& x) {
    return any_box(b, [&](const event::Box& y) { return (found = event::intersection(x, y)).has_value(); });
  });
  return found;
}

bool overlap(const Seen& a, const Seen& b) {
  if (!a.more && !b.more) return event::overlap(a.box, b.box);
  return common(a, b).has_value();
}

}  // namespace

bool same_core(const event::Agent& a, const event::Agent& b) { return a.device == b.device && a.core == b.core; }

bool exact_conflict(const Seen& a, const Seen& b) {
  const bool reads = a.kind == AccessKind::kRead && b.kind == AccessKind::kRead;
  return !reads && !(a.window && b.window && same_core(a.who, b.who)) && overlap(a, b);
}

bool same_dma(const Seen& a, const Seen& b) { return a.who.dma && b.who.dma && *a.who.dma == *b.who.dma; }

const std::vector<event::Box>* Accesses::kept(const std::vector<event::Box>& more) {
  std::string text;
  for (const event::Box& b : more) text += event::to_string(b);
  return &boxes_.try_emplace(text, more).first->second;
}

std::uint32_t Accesses::number_of(const std::string& name) {
  const auto [place, fresh] = numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size()) + 1);
  if (fresh) texts_.push_back(&place->first);
  return place->second;
}

event::MemoryId Accesses::fill(const event::Access& e, Seen& access) {
  OfCore& core = cores_.of(e.who);
  access.who = e.who;
  assign(access.box, e.box);
  access.kind = e.kind, access.at = e.at;
  access.nth = core.executions.of(e.at, entry(names_, e.memory))++, access.order = core.order++;
  access.window = false, access.more = keep(e.more), access.step = nullptr;
  return e.memory;
}

std::uint64_t Accesses::starts(const event::Agent& who, event::PlaceId at) const {
  const OfCore* core = cores_.find(who);
  return core && at < core->starts.size() ? core->starts[at] : 0;
}

std::uint64_t Accesses::executions(const event::Agent& who, event::PlaceId at, const std::string& memory) const {
  const OfCore* core = cores_.find(who);
  const auto number = numbers_.find(memory);
  return core && number != numbers_.end() ? core->executions.so_far(at, number->second) : 0;
}

void Accesses::set(Seen& access, const event::DmaIssued& e, const event::End& end, AccessKind kind) {
  access.who = e.by, access.who.dma = e.dma;
  assign(access.box, end.box);
  access.kind = kind, access.at = e.at;
  access.window = e.window.has_value(), access.more = keep(end.more);
}

void Accesses::start(const event::DmaIssued& e, Seen& read, Seen& write) {
  OfCore& core = cores_.of(e.by);
  set(read, e, e.source, AccessKind::kRead), set(write, e, e.target, AccessKind::kWrite);
  read.nth = write.nth = entry(core.starts, e.at)++;
  read.order = write.order = core.order++;
  read.step = write.step = e.window ? step_of(core, e.by, *e.window) : nullptr;
}

void Accesses::on(const event::DmaIssued& e) {
  Issue& i = issues_.add(e.dma);
  i.source = e.source.memory, i.target = e.target.memory;
  start(e, i.read, i.write);
}

const std::vector<std::int64_t>* Accesses::step_of(OfCore& core, const event::Agent& by,
                                                   const event::WindowMove& move) {
  if (!window_steps_.ahead(by, move)) return core.step;
  if (!core.next) core.next = &core.steps.emplace_back();
  return core.next;
}

void Accesses::on(const event::StepBegan& e) {
  window_steps_.on(e);
  OfCore& core = cores_.of(e.who);
  std::vector<std::int64_t>& step = core.next ? core.steps.back() : core.steps.emplace_back();
  step.assign(e.index.begin(), e.index.end());
  core.step = &step, core.next = nullptr;
}

event::MemoryId Accesses::fill(const event::DmaRead& e, Seen& access) const {
  const Issue& i = issues_.at(e.dma);
  access = i.read;
  return i.source;
}

event::MemoryId Accesses::fill(const event::DmaWrote& e, Seen& access) {
  const Issue& i = issues_.at(e.dma);
  access = i.write;
  const event::MemoryId memory = i.target;
  issues_.remove(e.dma);
  return memory;
}

void RacePairs::add(const std::string& memory, const Seen& a, const Seen& b, bool in_all) {
  const bool swap = program_order(b) < program_order(a);
  const Seen &first = swap ? b : a, &second = swap ? a : b;
  auto key = std::make_tuple(memory, std::min(a.at, b.at), std::max(a.at, b.at));
  auto [known, fresh] = races_.try_emplace(key, Race{first, second, memory, in_all});
  if (fresh) return;
  Race& race = known->second;
  race.in_all_schedules |= in_all;
  if (std::pair(program_order(first), program_order(second)) >=
      std::pair(program_order(race.first), program_order(race.second)))
    return;
  race = {first, second, memory, race.in_all_schedules};
}

Finding RacePairs::finding(const Race& race, const Accesses& accesses) {
  const bool both = race.first.kind == AccessKind::kWrite && race.second.kind == AccessKind::kWrite;
  const event::Box box = *common(race.first, race.second);
  Finding f;
  f.id = both ? "race.write-write" : "race.read-write";
  f.memory = race.memory;
  f.first = side_of(race.first, accesses.place(race.first.at));
  f.second = side_of(race.second, accesses.place(race.second.at));
  f.box.assign(box.span().begin(), box.span().end());
  f.message = fmt::format("{}{}: {} and {} are in no order", f.memory, box.rank ? event::to_string(box) : "",
                          said(*f.first, *f.second), said(*f.second, *f.first));
  if (!same_core(race.first.who, race.second.who))
    f.hint = "signal the other core once the access is done, and wait there for that signal";
  complete(f);
  f.schedules = race.in_all_schedules ? "all" : "some";
  return f;
}

std::vector<Finding> RacePairs::findings(const Accesses& accesses) const {
  std::vector<const Race*> in_order;
  for (const auto& [key, race] : races_) in_order.push_back(&race);
  std::sort(in_order.begin(), in_order.end(), [](const Race* a, const Race* b) {
    const auto rank = [](const Race& r) {
      return std::tuple(program_order(r.first), program_order(r.second), r.memory, r.first.at, r.second.at);
    };
    return rank(*a) < rank(*b);
  });
  std::vector<Finding> out;
  for (const Race* r : in_order) out.push_back(finding(*r, accesses));
  return out;
}

}  // namespace millrace::checkers
