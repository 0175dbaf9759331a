// SPDX-License-Identifier: Apache-2.0
#include "explore/reach.h"

#include <algorithm>
#include <utility>

namespace millrace::explore {

namespace {

using Names = std::set<std::string>;

std::string name_of(const Skeleton& s, AreaId area) {
  const event::MemoryId memory = s.areas.memory(area);
  return memory < s.memories.size() ? operand_name(s.memories[memory]) : std::string();
}

// A move from an array into a slot of its own window.
bool staged(const Skeleton& s, const Dma& d) {
  const event::MemoryId from = s.areas.memory(d.source), to = s.areas.memory(d.target);
  return d.window && std::max(from, to) < s.memories.size() && s.memories[to].starts_with(s.memories[from] + ".window");
}

// By name, what may be written with what is read there: all that one core touches counts as one.
struct Flow {
  std::vector<std::pair<Names, Names>> cores;  // read, written
  std::set<std::pair<std::string, std::string>> dmas;
};

Flow flow_of(const Skeleton& s) {
  Flow flow;
  for (const Core& core : s.cores) {
    std::set<AreaId> read, written;
    for (const Op& op : core.ops) {
      if (op.kind == Op::Kind::kRead) read.insert(op.what);
      if (op.kind == Op::Kind::kWrite) written.insert(op.what);
      if (op.kind != Op::Kind::kStart) continue;
      const Dma& d = s.dmas[op.what];
      flow.dmas.insert({name_of(s, d.source), name_of(s, d.target)});
    }
    auto& [from, to] = flow.cores.emplace_back();
    for (AreaId a : read) from.insert(name_of(s, a));
    for (AreaId a : written) to.insert(name_of(s, a));
  }
  return flow;
}

}  // namespace

std::set<std::string> reaching(const Skeleton& skeleton, const std::vector<std::string>& names) {
  const Flow flow = flow_of(skeleton);
  Names all(names.begin(), names.end());
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    for (const auto& [from, to] : flow.dmas)
      if (all.contains(to)) all.insert(from);
    for (const auto& [from, to] : flow.cores)
      if (std::ranges::any_of(to, [&](const std::string& n) { return all.contains(n); }))
        all.insert(from.begin(), from.end());
  }
  return all;
}

std::optional<std::string> changed_name(const Skeleton& s, const std::vector<std::string>& names) {
  Names written;
  for (const Core& core : s.cores)
    for (const Op& op : core.ops) {
      if (op.kind == Op::Kind::kWrite) written.insert(name_of(s, op.what));
      if (op.kind == Op::Kind::kStart && !staged(s, s.dmas[op.what]))
        written.insert(name_of(s, s.dmas[op.what].target));
    }
  const auto found = std::ranges::find_if(names, [&](const std::string& n) { return written.contains(n); });
  return found == names.end() ? std::nullopt : std::optional(*found);
}

}  // namespace millrace::explore
