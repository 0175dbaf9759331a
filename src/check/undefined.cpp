// SPDX-License-Identifier: Apache-2.0
#include "check/undefined.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "check/catalogue.h"

namespace millrace::checkers {

namespace {

event::Box around(const std::vector<event::Box>& boxes) {
  event::Box box = boxes.front();
  for (const event::Box& b : boxes)
    for (int d = 0; d < box.rank; ++d) {
      Range& r = box.ranges[static_cast<std::size_t>(d)];
      const Range& other = b.ranges[static_cast<std::size_t>(d)];
      if (!(r == other)) r = {std::min(r.begin, other.begin), std::max(r.end, other.end), 1};
    }
  return box;
}

std::string where_it_ends(event::Use use, const std::string& output, const std::string& place) {
  switch (use) {
    case event::Use::kOutput: return "they end in " + output;
    case event::Use::kBranch: return "they decide a branch at " + place;
    case event::Use::kAddress: return "they are part of an address at " + place;
    case event::Use::kAmount: return "they are the amount of a semaphore at " + place;
  }
  return "";
}

}  // namespace

void Undefined::on(const event::WindowBound& e) {
  for (event::MemoryId slot : e.slots)
    entry(memories_, slot) = {e.name, number_of(e.name), core_of(e.who), e.window, true};
  windows_[{core_of(e.who), e.window}].keeps = !e.output || e.reload;
}

void Undefined::on(const event::WindowEntered& e) {
  Shown& w = windows_[{core_of(e.who), e.window}];
  w.block = e.block;
  w.again = !w.keeps && !w.seen.insert(e.block).second;
}

void Undefined::on(const event::UndefinedRead& e) {
  const Memory& memory = entry(memories_, e.memory);
  Origin& o = origins_[e.origin] = {e, memory.name, 0, 0, {}, {}};
  if (e.who.dma) {
    const Issue& issue = issues_.at(*e.who.dma);
    o.nth = issue.nth, o.order = issue.order;
    o.grid_step = issue.grid_step;
  } else {
    const Done& done = done_.of(e.who);
    o.nth = done.reads.so_far(e.at, memory.number) - 1, o.order = done.order;
    o.grid_step = done.step;
  }
  if (!memory.slot) return;
  const Shown& shown = windows_[{memory.core, memory.window}];
  o.block = shown.block, o.lost = shown.again;
}

void Undefined::on(const event::UndefinedUsed& e) {
  const std::string output = e.use == event::Use::kOutput ? entry(memories_, e.memory).name : "";
  for (const event::UndefinedSource& s : e.sources) {
    if (origins_.contains(s.origin))
      used_.push_back({s, e.use, e.at, output});
    else
      misled_ |= e.use != event::Use::kOutput;  // taken from under a DMA in flight: the race is the finding
  }
}

std::vector<Finding> Undefined::steering() const {
  std::vector<Finding> all;
  for (const Used& used : used_)
    if (used.use != event::Use::kOutput) all.push_back(finding(used));
  return all;
}

void Undefined::describe(Finding& f, const Used& used, const Origin& origin) const {
  const std::string box = f.box.empty() ? "" : event::to_string(around(origin.event.boxes));
  const std::string end = where_it_ends(used.use, used.output, places_[used.at].where);
  if (f.id == "padding.reduction") {
    const event::Place& place = places_[used.source.folded_at.value_or(origin.event.at)];
    f.at = place.at;
    f.message = fmt::format(
        "{}{}: these elements of a block lie beyond the edge of the array and take part in the "
        "result at {}; {}",
        f.memory, box, place.where, end);
    f.hint = "mask what lies beyond the edge with a value that changes nothing, before the reduction";
    return;
  }
  f.message = fmt::format("{}{}: the {} at {} takes elements that nobody has written, and {}", f.memory, box,
                          f.second->access, f.second->where, end);
  f.hint = "write them first: a store or an awaited DMA before this read, or a mask after it";
}

Finding Undefined::finding(const Used& used) const {
  const Origin& origin = origins_.at(used.source.origin);
  Finding f;
  f.id = origin.event.padding && used.use == event::Use::kOutput ? "padding.reduction" : "uninitialized.read";
  f.memory = origin.memory;
  f.schedules = "all";
  f.grid_step = origin.grid_step;
  const event::Box box = around(origin.event.boxes);
  f.box.assign(box.span().begin(), box.span().end());
  if (origin.event.boxes.size() > 1)
    for (const event::Box& b : origin.event.boxes) f.boxes.emplace_back(b.span().begin(), b.span().end());
  if (f.id == "padding.reduction") {
    f.block = origin.block;
  } else {
    const event::Place& place = places_[origin.event.at];
    f.second = Side{origin.event.who.dma ? "DMA read" : "core read",
                    place.at,
                    origin.nth,
                    origin.event.who.core,
                    origin.event.who.device,
                    {},
                    place.where};
  }
  describe(f, used, origin);
  complete(f);
  return f;
}

std::vector<Finding> Undefined::findings() const {
  if (deadlocked_) return {};
  std::vector<Used> in_order = used_;
  // In program order, core by core: which of two DMAs reads first is the schedule's affair.
  const auto rank = [&](const Used& used) {
    const Origin& o = origins_.at(used.source.origin);
    return std::tuple(core_of(o.event.who), o.order, used.source.origin, used.use);
  };
  std::stable_sort(in_order.begin(), in_order.end(), [&](const Used& a, const Used& b) { return rank(a) < rank(b); });
  std::vector<Finding> out;
  std::set<std::tuple<std::string, std::string, std::string>> reported;  // id, memory, place
  std::set<event::OriginId> padding;
  for (const Used& used : in_order) {
    if (origins_.at(used.source.origin).lost) continue;
    Finding f = finding(used);
    const bool folded = f.id == "padding.reduction";
    if (folded) padding.insert(used.source.origin);
    if (!folded && padding.contains(used.source.origin)) continue;  // one cause, one finding
    if (reported.emplace(f.id, f.memory, folded ? f.at : f.second->at).second) out.push_back(std::move(f));
  }
  return out;
}

}  // namespace millrace::checkers
