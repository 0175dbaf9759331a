// SPDX-License-Identifier: Apache-2.0
#include "check/race_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/catalogue.h"

namespace millrace::checkers {

using event::AccessKind;

namespace {

Side side_of(const Seen& access, const event::Place& place) {
  const bool write = access.kind == AccessKind::kWrite;
  Side s;
  s.access = fmt::format("{} {}", access.who.dma ? "DMA" : "core", write ? "write" : "read");
  s.at = place.at;
  s.nth = access.nth;
  s.core = access.who.core;
  s.where = place.where;
  return s;
}

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

bool conflict(const Seen& a, const Seen& b) {
  const bool reads = a.kind == AccessKind::kRead && b.kind == AccessKind::kRead;
  return !reads && !(a.window && b.window) && overlap(a, b);
}

bool same_dma(const Seen& a, const Seen& b) { return a.who.dma && b.who.dma && *a.who.dma == *b.who.dma; }

const std::vector<event::Box>* Accesses::keep(const std::vector<event::Box>& more) const {
  if (more.empty()) return nullptr;
  std::string text;
  for (const event::Box& b : more) text += event::to_string(b);
  return &boxes_.try_emplace(text, more).first->second;
}

Seen Accesses::of(const event::Access& e) {
  return {e.who, e.box, e.kind, e.at, executions_[{e.at, names_[e.memory]}]++, order_++, false, keep(e.more)};
}

void Accesses::on(const event::DmaIssued& e) { issues_.insert_or_assign(e.dma, Issue{e, starts_[e.at]++, order_++}); }

Accesses::AtMemory Accesses::end_of(const Issue& i, const event::End& end, AccessKind kind) const {
  event::Agent who = i.event.by;
  who.dma = i.event.dma;
  return {end.memory, {who, end.box, kind, i.event.at, i.nth, i.order, i.event.window.has_value(), keep(end.more)}};
}

Accesses::AtMemory Accesses::of(const event::DmaRead& e) const {
  const Issue& i = issues_.at(e.dma);
  return end_of(i, i.event.source, AccessKind::kRead);
}

Accesses::AtMemory Accesses::of(const event::DmaWrote& e) {
  auto issue = issues_.extract(e.dma);
  return end_of(issue.mapped(), issue.mapped().event.target, AccessKind::kWrite);
}

void RacePairs::add(const std::string& memory, const Seen& a, const Seen& b, bool in_all) {
  const bool swap = std::tie(b.order, b.kind) < std::tie(a.order, a.kind);
  const Seen &first = swap ? b : a, &second = swap ? a : b;
  auto key = std::make_tuple(memory, std::min(a.at, b.at), std::max(a.at, b.at));
  auto [known, fresh] = races_.try_emplace(key, Race{first, second, memory, in_all});
  if (fresh) return;
  Race& race = known->second;
  race.in_all_schedules |= in_all;
  if (std::tie(first.order, second.order) >= std::tie(race.first.order, race.second.order)) return;
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
  f.message = fmt::format("{}{}: the {} at {} and the {} at {} are in no order", f.memory,
                          box.rank ? event::to_string(box) : "", f.first->access, f.first->where, f.second->access,
                          f.second->where);
  complete(f);
  f.schedules = race.in_all_schedules ? "all" : "some";
  return f;
}

std::vector<Finding> RacePairs::findings(const Accesses& accesses) const {
  std::vector<const Race*> in_order;
  for (const auto& [key, race] : races_) in_order.push_back(&race);
  std::sort(in_order.begin(), in_order.end(), [](const Race* a, const Race* b) {
    return std::tie(a->first.order, a->second.order, a->memory, a->first.at, a->second.at) <
           std::tie(b->first.order, b->second.order, b->memory, b->first.at, b->second.at);
  });
  std::vector<Finding> out;
  for (const Race* r : in_order) out.push_back(finding(*r, accesses));
  return out;
}

}  // namespace millrace::checkers
