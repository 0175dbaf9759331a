// SPDX-License-Identifier: Apache-2.0
#include "check/plain_races.h"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::checkers {

using event::AccessKind;
using event::Agent;

void PlainRaces::on(const event::RunBegan& e) { places_.assign(e.places.begin(), e.places.end()); }

void PlainRaces::on(const event::RegionAllocated& e) { names_[e.memory] = e.name; }

void PlainRaces::on(const event::Access& e) {
  std::uint64_t nth = executions_[{e.at, names_[e.memory]}]++;
  add(e.memory, {e.who, must_.now(e.who), meant_.now(e.who), e.box, e.kind, e.at, nth, order_++});
}

void PlainRaces::on(const event::DmaIssued& e) {
  must_.issued(e);
  meant_.issued(e);
  if (issues_.size() <= e.dma) issues_.resize(e.dma + 1);
  issues_[e.dma] = {e, starts_[e.at]++, order_++};
}

void PlainRaces::on(const event::DmaRead& e) {
  const Issue& i = issues_[e.dma];
  Agent who = i.event.by;
  who.dma = e.dma;
  add(i.event.source.memory, {who, must_.now(who), meant_.now(who), i.event.source.box, AccessKind::kRead, i.event.at, i.nth, i.order});
}

void PlainRaces::on(const event::DmaWrote& e) {
  const Issue& i = issues_[e.dma];
  Agent who = i.event.by;
  who.dma = e.dma;
  add(i.event.target.memory, {who, must_.now(who), meant_.now(who), i.event.target.box, AccessKind::kWrite, i.event.at, i.nth, i.order});
}

void PlainRaces::on(const event::Signalled& e) {
  must_.signalled(e);
  meant_.signalled(e);
}

void PlainRaces::on(const event::Waited& e) {
  must_.waited(e);
  meant_.waited(e);
}

// Holds the access against all that came before it in the run. Must-order never goes against the run, so that one
// question is enough; the order that the author meant may. A DMA works piece by piece: its read and write are unordered.
void PlainRaces::add(event::MemoryId memory, Seen access) {
  std::vector<Seen>& earlier = seen_[memory];
  for (const Seen& e : earlier) {
    if (e.kind == AccessKind::kRead && access.kind == AccessKind::kRead) continue;
    if (!event::overlap(e.box, access.box)) continue;
    const bool same_dma = e.who.dma && access.who.dma && *e.who.dma == *access.who.dma;
    if (!same_dma && must_.before(e.must, access.must)) continue;
    const bool meant = meant_.before(e.meant, access.meant) || meant_.before(access.meant, e.meant);
    report(memory, e, access, same_dma || !meant);
  }
  earlier.push_back(std::move(access));
}

void PlainRaces::report(event::MemoryId memory, const Seen& a, const Seen& b, bool in_all) {
  const bool swap = std::tie(b.order, b.kind) < std::tie(a.order, a.kind);
  const Seen &first = swap ? b : a, &second = swap ? a : b;
  auto key = std::make_tuple(names_[memory], std::min(a.at, b.at), std::max(a.at, b.at));
  auto [known, fresh] = races_.try_emplace(key, Race{first, second, memory, in_all});
  if (fresh) return;
  Race& race = known->second;
  race.in_all_schedules |= in_all;
  if (std::tie(first.order, second.order) >= std::tie(race.first.order, race.second.order)) return;
  race = {first, second, memory, race.in_all_schedules};
}

Side PlainRaces::side(const Seen& access) const {
  const bool write = access.kind == AccessKind::kWrite;
  Side s;
  s.access = fmt::format("{} {}", access.who.dma ? "DMA" : "core", write ? "write" : "read");
  s.at = places_[access.at].at;
  s.nth = access.nth;
  s.core = access.who.core;
  s.where = places_[access.at].where;
  return s;
}

Finding PlainRaces::finding(const Race& race) const {
  const bool both = race.first.kind == AccessKind::kWrite && race.second.kind == AccessKind::kWrite;
  Finding f;
  f.id = both ? "race.write-write" : "race.read-write";
  f.memory = names_.at(race.memory);
  f.first = side(race.first);
  f.second = side(race.second);
  if (auto box = event::intersection(race.first.box, race.second.box)) f.box.assign(box->ranges.begin(), box->ranges.begin() + box->rank);
  f.message = fmt::format("{}{}: the {} at {} and the {} at {} are in no order", f.memory,
                          race.first.box.rank ? event::to_string(*event::intersection(race.first.box, race.second.box)) : "",
                          f.first->access, f.first->where, f.second->access, f.second->where);
  f.hint = "wait for the DMA before the other access: one semaphore a slot, and one wait a start";
  f.clause = "S4.2";
  f.schedules = race.in_all_schedules ? "all" : "some";
  return f;
}

std::vector<Finding> PlainRaces::findings() const {
  std::vector<const Race*> in_order;
  for (const auto& [key, race] : races_) in_order.push_back(&race);
  std::stable_sort(in_order.begin(), in_order.end(), [](const Race* a, const Race* b) {
    return std::tie(a->first.order, a->second.order) < std::tie(b->first.order, b->second.order);
  });
  std::vector<Finding> out;
  for (const Race* r : in_order) out.push_back(finding(*r));
  return out;
}

}  // namespace millrace::checkers
