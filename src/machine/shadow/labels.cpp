// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/labels.h"

#include <algorithm>

namespace millrace::machine::shadow {

namespace {

constexpr event::PlaceId kNowhere = 0xffffffff;

std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

}  // namespace

std::uint32_t Labels::member(const event::UndefinedSource& source, const Key& key) {
  auto [known, fresh] = numbers_.try_emplace({source.origin, key}, static_cast<std::uint32_t>(members_.size()));
  if (fresh) members_.push_back({source, key});
  return known->second;
}

Label Labels::interned(Set set) {
  auto [known, fresh] = labels_.try_emplace(std::move(set), static_cast<Label>(sets_.size()) + kFirstSet);
  if (!fresh) return known->second;
  sets_.push_back(&known->first);
  std::vector<event::UndefinedSource>& told = told_.emplace_back();
  for (std::uint32_t m : known->first) told.push_back(members_[m].source);
  return known->second;
}

Labels::Origin Labels::origin(event::PlaceId at, const std::string& memory, bool padding) {
  const auto number = memories_.try_emplace(memory, static_cast<std::uint32_t>(memories_.size())).first->second;
  const Key key{at, number, padding, kNowhere};
  Count& count = counts_[key];
  if (count.reads == kMost) return {count.last, {}};
  ++count.reads;
  count.last = interned({member({origins_, {}}, key)});
  return {count.last, origins_++};
}

Label Labels::join_sets(Label a, Label b) {
  if (a > b) std::swap(a, b);
  auto [known, fresh] = joined_.try_emplace(pair_of(a, b), kDefined);
  if (!fresh) return known->second;
  std::map<Key, std::uint32_t> earliest;
  for (Label l : {a, b})
    for (std::uint32_t m : set(l)) {
      auto [entry, first] = earliest.try_emplace(members_[m].key, m);
      if (!first && members_[m].source.origin < members_[entry->second].source.origin) entry->second = m;
    }
  Set both;
  for (const auto& [key, m] : earliest) both.push_back(m);
  std::sort(both.begin(), both.end());
  const Label label = interned(std::move(both));
  return joined_[pair_of(a, b)] = label;
}

Label Labels::folded(Label label, event::PlaceId at) {
  if (label < kFirstSet) return label;
  auto [known, fresh] = folded_.try_emplace(pair_of(label, at), kDefined);
  if (!fresh) return known->second;
  Label result = kDefined;
  for (std::uint32_t m : Set(set(label))) {
    auto [source, key] = members_[m];
    if (std::get<2>(key) && !source.folded_at) {
      source.folded_at = at;
      std::get<3>(key) = at;
      m = member(source, key);
    }
    result = join(result, interned({m}));
  }
  return folded_[pair_of(label, at)] = result;
}

std::span<const event::UndefinedSource> Labels::sources(Label label) const {
  if (label < kFirstSet) return {};
  return told_[label - kFirstSet];
}

}  // namespace millrace::machine::shadow
