// SPDX-License-Identifier: Apache-2.0
#include "check/wait_proof.h"

#include <algorithm>

namespace millrace::checkers {

void WaitProofs::on(const event::RunBegan& e) { places_.assign(e.places.begin(), e.places.end()); }

void WaitProofs::on(const event::RegionAllocated& e) {
  if (e.kind == event::MemoryKind::kSemaphore) names_[e.memory] = {e.name, e.counts_bytes};
}

void WaitProofs::on(const event::DmaIssued& e) {
  order_.issued(e);
  if (e.sends) left_out_.insert(*e.sends);
  if (e.window) {
    left_out_.insert(e.raises);
    return;
  }
  in_flight_[e.raises].push_back({e.dma, e.by, e.at, starts_[e.at]++});
}

WaitProofs::Site& WaitProofs::site_of(const event::Waited& e) {
  const Name& name = names_.at(e.semaphore.memory);
  const auto [known, fresh] = index_.try_emplace({e.at, name.name}, sites_.size());
  if (fresh) {
    Site& s = sites_.emplace_back();
    s.site.at = places_[e.at].at, s.site.where = places_[e.at].where;
    s.site.semaphore = name.name, s.site.bytes = name.bytes;
    s.site.least = s.site.most = e.amount;
  }
  return sites_[known->second];
}

void WaitProofs::add(const std::vector<Started>& dmas, std::uint64_t wait, std::vector<WaitedDmas>& list,
                     std::map<event::PlaceId, std::size_t>& index) const {
  std::set<event::PlaceId> counted;
  for (const Started& d : dmas) {
    const auto [known, fresh] = index.try_emplace(d.at, list.size());
    if (fresh) list.push_back({places_[d.at].at, places_[d.at].where, 0, 0, wait, d.nth});
    WaitedDmas& entry = list[known->second];
    ++entry.dmas;
    if (counted.insert(d.at).second) ++entry.waits;
  }
}

void WaitProofs::on(const event::Waited& e) {
  order_.waited(e);
  if (left_out_.contains(e.semaphore)) return;
  std::vector<Started> proved, open;
  const Order::Stamp now = order_.now(e.who);
  for (Started& d : in_flight_[e.semaphore]) {
    event::Agent who = d.by;
    who.dma = d.dma;
    (order_.before(Proof::kMust, order_.now(who), now) ? proved : open).push_back(d);
  }
  Site& s = site_of(e);
  const std::uint64_t wait = s.site.waits++;
  s.site.least = std::min(s.site.least, e.amount), s.site.most = std::max(s.site.most, e.amount);
  if (proved.empty() && s.site.proved_none++ == 0) s.site.first_without_proof = wait;
  add(proved, wait, s.site.proved, s.proved);
  add(open, wait, s.site.open, s.open);
  in_flight_[e.semaphore] = std::move(open);
}

std::vector<WaitSite> WaitProofs::sites() const {
  std::vector<WaitSite> out;
  for (const Site& s : sites_) out.push_back(s.site);
  return out;
}

}  // namespace millrace::checkers
