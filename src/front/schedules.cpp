// SPDX-License-Identifier: Apache-2.0
#include "front/schedules.h"

#include <fmt/format.h>

#include "explore/coverage.h"
#include "front/one_run.h"
#include "program/steering.h"

namespace millrace::front {

namespace {

explore::Facts facts_of(const program::Program& program) {
  const program::Steering steering = program::steering_of(program);
  explore::Facts facts{steering.memories, steering.semaphores, false};
  for (std::size_t d = 0; d < program.parallel.size(); ++d)
    facts.parallel_axes |= program.parallel[d] && program.grid[d] > 1;
  return facts;
}

}  // namespace

Explored explored(const CheckRequest& request, const LoadedKernel& loaded, const explore::Skeleton& skeleton,
                  const std::vector<Finding>& findings) {
  const program::Program& program = loaded.executable->program;
  Explored e;
  e.schedules = covered_by_one_run(program, request.kernel.cores, findings);
  e.schedules.control_depends_on = loaded.steering;
  if (e.schedules.complete && !request.explore) return e;
  explore::Options how;
  how.whole_signals = request.kernel.dma_signal == "whole";
  if (request.max_classes > 0) how.max_classes = request.max_classes;
  const explore::Result result = explore::explore(skeleton, how);
  const explore::Coverage c = explore::coverage(skeleton, result, facts_of(program));
  e.deadlocked = result.classes_deadlocked;
  e.schedules.classes = c.classes, e.schedules.explored = c.explored, e.schedules.complete = c.complete;
  if (c.for_what.starts_with("these inputs") || e.schedules.control_depends_on.empty()) e.schedules.of = c.for_what;
  e.schedules.open.clear();
  if (!c.complete) e.schedules.open.push_back(c.why);
  if (draws_random_bits(program)) {
    e.schedules.complete = false;
    e.schedules.open.emplace_back("the kernel draws random bits");
  }
  return e;
}

Finding deadlock_of_some(const CheckRequest& request, const LoadedKernel& loaded, const Explored& of) {
  constexpr int kSeeds = 64;
  Finding f;
  f.id = "deadlock";
  f.schedules = "some";
  RunOptions options = options_of(request.kernel);
  for (int seed = 1; seed <= kSeeds; ++seed) {
    options.schedule = fmt::format("random:{}", seed);
    const api::Simulation s = api::simulate(*loaded.executable, loaded.inputs, options);
    if (s.stops.empty() || s.stops[0].id != "deadlock") continue;
    f = s.stops[0];
    f.schedules = "some";
    f.message += fmt::format(" (in {} of {} classes of schedules; --schedule {} is of one)", of.deadlocked,
                             of.schedules.classes, options.schedule);
    return f;
  }
  f.message =
      fmt::format("in {} of {} classes of schedules the kernel blocks for ever", of.deadlocked, of.schedules.classes);
  return f;
}

}  // namespace millrace::front
