// SPDX-License-Identifier: Apache-2.0
#include "explore/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "explore/reach.h"

namespace millrace::explore {

bool goes_other_ways(const Skeleton& skeleton, const Result& result, const Facts& facts) {
  return (!result.races.empty() || result.classes + result.classes_deadlocked != 1) &&
         changed_name(skeleton, facts.steered_by).has_value();
}

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
  if (!result.with_data && goes_other_ways(skeleton, result, facts))
    stop(fmt::format("control depends on {}, which may hold something else where a race goes the other way",
                     *changed_name(skeleton, facts.steered_by)));
  return c;
}

}  // namespace millrace::explore
