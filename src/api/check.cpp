// SPDX-License-Identifier: Apache-2.0
#include "api/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/stops.h"
#include "check/verdict.h"
#include "machine/replay.h"
#include "program/steering.h"

namespace millrace::api {

namespace {

using Progress = std::function<void(std::uint64_t steps)>;

Checked once(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
             const Progress& progress, std::vector<event::Observer*> observers = {}) {
  checkers::Checks checks(executable.program.parallel);
  observers.push_back(&checks);
  Simulation s = simulate(executable, inputs, options, std::move(observers), progress, Definedness::kToObservers);
  std::vector<Finding> others = std::move(s.stops);
  for (const machine::Fault& fault : faults_of(s.outcome))
    for (Finding& f : others)
      if (f.second && f.second->at == executable.program.places[fault.at].at && f.second->core == fault.core &&
          f.second->device == fault.device)
        f.second->nth =
            checks.next_at({fault.device, fault.core, {}}, fault.at, fault.memory, fault.access.starts_with("DMA"));
  for (Finding& f : checks.undefined()) others.push_back(std::move(f));
  for (Finding& w : warnings_of(s.outcome, executable.program)) others.push_back(std::move(w));
  return {std::move(s.outcome), checks.findings(std::move(others)), options.schedule, checks.misled()};
}

// Whether DMAs write memories whose values steer the kernel: it might be steered by what is not there yet.
bool loads_what_steers(const program::Program& program) {
  if (program.dmas.empty()) return false;
  const std::vector<std::string> steering = program::steering_of(program).memories;
  return std::ranges::any_of(program.dmas, [&](const program::Dma& d) {
    return std::ranges::find(steering, program.memories[d.target.memory].name) != steering.end();
  });
}

// By what a finding is told apart from others. Which of two sides comes first may depend on the run.
auto identity(const Finding& f) {
  std::vector<std::pair<std::string, std::string>> sides, waiters;
  for (const auto& side : {f.first, f.second}) sides.emplace_back(side ? side->access : "", side ? side->at : "");
  if (f.id.starts_with("race.")) std::ranges::sort(sides);
  for (const Waiter& w : f.waiters) waiters.emplace_back(w.semaphore, w.at);
  return std::tuple(f.id, f.memory, std::move(sides), f.semaphore, f.at, std::move(waiters));
}

// The same moves may be impossible where DMAs signal otherwise.
bool is_replay(const std::string& schedule) {
  return schedule.starts_with("replay:") || schedule.starts_with(machine::kScheduleHead);
}

// One run, under the schedule that is asked for, or where the run is misled under it, the first of some under which it
// is not. Observers watch that run alone: so where there are any, it is made once more.
Checked straight(const Executable& executable, const std::vector<Array>& inputs, RunOptions options,
                 const Progress& progress, const std::vector<event::Observer*>& observers) {
  const std::string asked = options.schedule;
  for (const std::string& schedule :
       {asked, std::string("eager"), std::string("random:1"), std::string("random:2"), std::string("random:3")}) {
    options.schedule = schedule;
    Checked tried = once(executable, inputs, options, progress);
    if (tried.misled) continue;
    return observers.empty() ? std::move(tried) : once(executable, inputs, options, progress, observers);
  }
  options.schedule = asked;
  return once(executable, inputs, options, progress, observers);
}

// A finding may vanish in the whole form only where some wait could be met otherwise than meant.
bool could_vanish(const Finding& f) { return f.schedules == "some"; }

void say_which_vanish(std::vector<Finding>& findings, const std::vector<Finding>& whole) {
  for (Finding& f : findings) {
    const bool stays = std::any_of(whole.begin(), whole.end(), [&](auto& w) { return same_fault(w, f); });
    if (could_vanish(f) && !stays)
      f.message += " (only as bytes count while they arrive; not under --dma-signal whole)";
  }
}

}  // namespace

bool same_fault(const Finding& a, const Finding& b) { return identity(a) == identity(b); }

Checked check(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
              const Progress& progress, const std::vector<event::Observer*>& observers) {
  RunOptions watched = options;
  watched.detect_races = false, watched.check_definedness = false;  // the checks do both
  const bool scout = !is_replay(options.schedule) && loads_what_steers(executable.program);
  Checked checked = scout ? straight(executable, inputs, watched, progress, observers)
                          : once(executable, inputs, watched, progress, observers);
  const bool ask = std::any_of(checked.findings.begin(), checked.findings.end(), could_vanish);
  if (!ask || options.dma_signal == "whole" || is_replay(options.schedule)) return checked;
  watched.dma_signal = "whole", watched.schedule = checked.schedule;
  say_which_vanish(checked.findings, once(executable, inputs, watched, progress).findings);
  return checked;
}

}  // namespace millrace::api
