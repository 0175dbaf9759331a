// SPDX-License-Identifier: Apache-2.0
#include "explore/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace millrace::explore {

namespace {

// The memories that the run writes: what they hold may depend on the order of a race. A slot of an input's window holds
// what its array holds.
std::set<std::string> written(const Skeleton& s) {
  std::set<std::string> names;
  const auto add = [&](AreaId area) {
    const event::MemoryId memory = s.areas.memory(area);
    if (memory < s.memories.size()) names.insert(s.memories[memory].substr(0, s.memories[memory].find(".window")));
  };
  for (const Core& core : s.cores)
    for (const Op& op : core.ops) {
      if (op.kind == Op::Kind::kWrite) add(op.what);
      if (op.kind != Op::Kind::kStart) continue;
      const Dma& d = s.dmas[op.what];
      const std::string& from = s.memories.at(s.areas.memory(d.source));
      const bool staged = d.window && s.memories.at(s.areas.memory(d.target)).starts_with(from + ".window");
      if (!staged) add(d.target);
    }
  return names;
}

}  // namespace

Coverage coverage(const Skeleton& skeleton, const Result& result, const Facts& facts) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  Coverage c;
  c.classes = result.classes > kMost - result.classes_deadlocked ? kMost : result.classes + result.classes_deadlocked;
  c.complete = result.complete, c.why = result.stopped;
  c.explored = c.complete ? c.classes : std::min(c.classes, result.met);
  c.control_depends_on = facts.steered_by;
  c.for_what = facts.steered_by.empty() ? "all inputs" : "these inputs";
  if (facts.parallel_axes) c.for_what += ", with the parallel axes in this order";
  const auto stop = [&](std::string why) {
    c.complete = false;
    if (c.why.empty()) c.why = std::move(why);
  };
  if (facts.reads_semaphores) stop("the kernel reads a semaphore's count, which is another in other schedules");
  if (result.races.empty() && c.classes == 1) return c;
  const std::set<std::string> changed = written(skeleton);
  for (const std::string& name : facts.steered_by)
    if (changed.contains(name))
      stop(fmt::format("control depends on {}, which may hold something else where a race goes the other way", name));
  return c;
}

}  // namespace millrace::explore
