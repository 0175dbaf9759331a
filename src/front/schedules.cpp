// SPDX-License-Identifier: Apache-2.0
#include "front/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/check.h"
#include "explore/coverage.h"
#include "explore/sites.h"
#include "explore/with_data.h"
#include "explore/witness.h"
#include "front/one_run.h"
#include "machine/replay.h"
#include "millrace/error.h"
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

bool signals_whole(const CheckRequest& request) { return request.kernel.dma_signal == "whole"; }

explore::Options options_for(const CheckRequest& request) {
  explore::Options how;
  how.whole_signals = signals_whole(request);
  if (request.max_classes > 0) how.max_classes = request.max_classes;
  return how;
}

// Makes the runs that an exploration asks for. In another order a kernel may do much more than in the first, or never
// end: a run may take some times what the first took, and all together what stays a matter of seconds.
class Reruns {
 public:
  Reruns(const CheckRequest& request, const LoadedKernel& loaded, const Work& first)
      : loaded_(loaded), options_(options_of(request.kernel)) {
    most_ = std::min(options_.max_steps, 16 * first.steps + 100'000);
    left_ = request.explore ? 4'000'000'000 : 200'000'000;
  }

  explore::Recorded run(const std::string& schedule) {
    explore::Recorder recorder;
    RunOptions options = options_;
    options.schedule = schedule, options.max_steps = std::min(most_, left_);
    explore::Recorded recorded;
    try {
      const Work work =
          api::simulate(*loaded_.executable, loaded_.inputs, options, {&recorder}, {}, api::Definedness::kToObservers)
              .outcome.work;
      left_ -= std::min(left_, work.steps + work.dma_bytes / 16);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUser) throw;
      recorded.stopped = options.max_steps < most_
                             ? "the runs in other orders have taken the time that there is for them"
                             : fmt::format("a run in another order could not be carried out: {}", error.what());
      left_ -= std::min(left_, most_);
    }
    recorded.skeleton = recorder.take();
    return recorded;
  }

  api::Checked check(const std::string& schedule) const {
    RunOptions options = options_;
    options.schedule = schedule;
    return api::check(*loaded_.executable, loaded_.inputs, options);
  }

 private:
  const LoadedKernel& loaded_;
  const RunOptions options_;
  std::uint64_t most_ = 0, left_ = 0;  // instructions
};

void judge_others(const Reruns& reruns, const std::vector<explore::OtherWay>& ways,
                  const std::vector<Finding>& findings, Explored& e) {
  e.of_some.assign(findings.size(), false);
  for (const explore::OtherWay& way : ways) {
    api::Checked run = reruns.check(way.schedule);
    if (run.misled && !run.outcome.ended()) continue;
    std::vector<Finding>& there = run.findings;
    for (std::size_t i = 0; i < findings.size(); ++i)
      if (std::ranges::none_of(there, [&](const Finding& f) { return api::same_fault(f, findings[i]); }))
        e.of_some[i] = true;
    if (run.misled) continue;  // what it shows beside the race, no kernel means
    for (Finding& f : there) {
      const auto same = [&](const Finding& g) { return api::same_fault(f, g); };
      if (std::ranges::any_of(findings, same)) continue;
      if (std::ranges::any_of(e.others, same, &OfSome::finding)) continue;
      f.schedules = "some";
      e.others.push_back({std::move(f), way.schedule});
    }
  }
}

// Those of the run: what its skeleton has schedules for, and what shows wherever the run goes the way that it went.
std::vector<std::vector<report::Replay>> replays_of(const CheckRequest& request, const explore::Skeleton& skeleton,
                                                    const std::vector<bool>& of_some,
                                                    const std::vector<Finding>& findings) {
  std::vector<std::vector<report::Replay>> all(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    for (const explore::Showing& s : explore::showings(skeleton, findings[i]))
      if (auto text = explore::witness(skeleton, s.orders, signals_whole(request)))
        all[i].push_back({s.what, std::move(*text)});
    const bool here = all[i].empty() && i < of_some.size() && of_some[i] && request.kernel.schedule == "canonical";
    if (here) all[i].push_back({"it is there", std::string(machine::kScheduleHead)});
  }
  return all;
}

}  // namespace

Explored explored(const CheckRequest& request, const LoadedKernel& loaded, const explore::Skeleton& skeleton,
                  const Work& work, const std::vector<Finding>& findings) {
  constexpr std::uint64_t kRuns = 256, kRunsExploring = 20'000;
  const program::Program& program = loaded.executable->program;
  Explored e;
  e.schedules = covered_by_one_run(program, request.kernel.cores, findings);
  e.schedules.control_depends_on = loaded.steering;
  if (e.schedules.complete && !request.explore) return e;
  const explore::Options how = options_for(request);
  const explore::Facts facts = facts_of(program);
  explore::Result result = explore::explore(skeleton, how);
  if (explore::goes_other_ways(skeleton, result, facts)) {
    Reruns reruns(request, loaded, work);
    const auto run = [&](const std::string& schedule) { return reruns.run(schedule); };
    explore::WithData all =
        explore::explore_with_data(skeleton, facts, run, how, request.explore ? kRunsExploring : kRuns);
    judge_others(reruns, all.others, findings, e);
    result = std::move(all.result);
  }
  const explore::Coverage c = explore::coverage(skeleton, result, facts);
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

void tell_schedules(const CheckRequest& request, const explore::Skeleton& skeleton, Explored explored,
                    report::Checked& checked) {
  for (std::size_t i = 0; i < explored.of_some.size(); ++i)
    if (explored.of_some[i] && checked.findings[i].schedules == "all") checked.findings[i].schedules = "some";
  if (request.replays) checked.replays = replays_of(request, skeleton, explored.of_some, checked.findings);
  for (OfSome& o : explored.others) {
    checked.findings.push_back(std::move(o.finding));
    if (request.replays) checked.replays.push_back({{"it is there", std::move(o.schedule)}});
  }
}

}  // namespace millrace::front
