// SPDX-License-Identifier: Apache-2.0
// Verdicts that speak of all schedules, against other schedules and against all interleavings.
#include <fmt/format.h>

#include <set>

#include "api/check.h"
#include "explore/explore.h"
#include "explore/recorder.h"
#include "front/one_run.h"
#include "judge.h"
#include "module.h"
#include "program/lower.h"
#include "tests/explore/sketch.h"

namespace millrace::programs {

namespace {

constexpr std::size_t kMostEvents = 10;

std::unique_ptr<const api::Executable> executable_of(const Program& p) {
  auto e = std::make_unique<api::Executable>();
  e->inputs = input_specs(p), e->outputs = output_specs(p);
  e->program = program::lower(module_of(p), e->inputs, e->outputs, environment_of(p));
  e->linked = machine::link(e->program);
  return e;
}

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += fmt::format("  {}: {} | {}\n", f.id, f.message, f.schedules);
  return text;
}

bool same_outputs(const machine::Outcome& a, const machine::Outcome& b) {
  if (a.outputs.size() != b.outputs.size()) return false;
  for (std::size_t i = 0; i < a.outputs.size(); ++i)
    if (!same_bits(a.outputs[i], b.outputs[i])) return false;
  return true;
}

std::string other_schedules_differ(const api::Executable& e, const std::vector<Array>& inputs, RunOptions options,
                                   const api::Checked& canonical, std::uint64_t seed) {
  for (const std::string& schedule : {std::string("eager"), std::string("lazy"), fmt::format("random:{}", seed)}) {
    options.schedule = schedule;
    const api::Checked other = api::check(e, inputs, options);
    if (text_of(other.findings) != text_of(canonical.findings))
      return fmt::format("one class, but {} gives\n{}and canonical\n{}", schedule, text_of(other.findings),
                         text_of(canonical.findings));
    if (!same_outputs(canonical.outcome, other.outcome))
      return fmt::format("one class, but {} gives other outputs than canonical", schedule);
  }
  return "";
}

// Pairs of places and memory; a DMA that races with itself is in no order to be explored.
using Places = std::set<std::string>;
std::string key(const std::string& memory, std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return fmt::format("{} {} {}", memory, a, b);
}

Places places_of(const std::vector<Finding>& findings) {
  Places all;
  for (const Finding& f : findings)
    if (f.id.starts_with("race.")) all.insert(key(f.memory, f.first->at, f.second->at));
  return all;
}

Places places_of(const explore::Skeleton& s, const std::vector<explore::Pair>& races) {
  const auto at = [&](const explore::Step& step) {
    const bool core = step.kind == explore::Step::Kind::kCore;
    const auto& ops = s.cores[step.core].ops;
    return s.places[ops[core ? step.index : s.dmas[step.index].op].at].at;
  };
  Places all;
  for (const explore::Pair& p : races)
    all.insert(key(s.memories[s.areas.memory(explore::area_of(s, p.first))], at(p.first), at(p.second)));
  return all;
}

bool overlaps_itself(const explore::Skeleton& s, const explore::Dma& d) { return s.areas.overlap(d.source, d.target); }

// A DMA's own race is at one place: told apart from that of two DMAs started there by leaving such programs out.
bool any_self_race(const explore::Skeleton& s) {
  for (const explore::Dma& d : s.dmas)
    if (overlaps_itself(s, d)) return true;
  return false;
}

std::string races_differ(const explore::Skeleton& s, const explore::Result& r, const std::vector<Finding>& findings) {
  const Places found = places_of(findings), explored = places_of(s, r.races);
  if (found == explored) return "";
  std::string text = "the run's races and the explorer's differ:\n";
  for (const std::string& p : found) text += "  run:      " + p + "\n";
  for (const std::string& p : explored) text += "  explorer: " + p + "\n";
  return text;
}

test::Sketch sketch_of(const Program& p) {
  test::Sketch sketch;
  sketch.bytes = counts_bytes(p);
  for (int core = 0; core < p.cores; ++core) {
    std::vector<test::Act>& acts = sketch.cores.emplace_back();
    for (const Act& a : acts_of(p, core)) {
      const test::Touch from{a.from, 0, 1, 1, a.from_cells}, to{a.to, 0, 1, 1, a.to_cells};
      switch (a.kind) {
        case Step::Kind::kStart: acts.push_back(test::start(from, to, a.semaphore, a.amount, a.sends)); break;
        case Step::Kind::kMove: acts.push_back(test::read(from)); break;
        case Step::Kind::kStore: acts.push_back(test::write(to)); break;
        case Step::Kind::kSignal: acts.push_back(test::signal(a.semaphore, a.amount)); break;
        default: acts.push_back(test::wait(a.semaphore, a.amount));
      }
    }
  }
  return sketch;
}

std::size_t events(const test::Sketch& sketch) {
  std::size_t n = 0;
  for (const auto& acts : sketch.cores) n += acts.size();
  return n;
}

std::string classes_differ(const Program& p, const explore::Skeleton& s, bool whole, const explore::Options& options,
                           Judged& judged) {
  const test::Sketch sketch = sketch_of(p);
  if (events(sketch) > kMostEvents) return "";
  const test::AllRuns runs = test::all_runs(sketch, whole);
  if (!runs.all) return "";
  judged.explored = true;
  const explore::Result r = explore::explore(s, options);
  if (!r.complete || (r.classes == runs.complete.size() && r.classes_deadlocked == runs.deadlocked.size())) return "";
  return fmt::format("{} classes and {} deadlocked, but all runs have {} and {}{}", r.classes, r.classes_deadlocked,
                     runs.complete.size(), runs.deadlocked.size(), whole ? ", whole" : "");
}

}  // namespace

Judged judge_schedules(const Program& p, std::uint64_t seed, bool all_runs, Mistake mistake) {
  Judged judged;
  const auto e = executable_of(p);
  const std::vector<Array> inputs = inputs_of(p);
  explore::Options all;
  all.whole_signals = seed % 3 == 0;
  RunOptions options;
  options.dma_signal = all.whole_signals ? "whole" : "progressive";
  explore::Recorder recorder;
  const api::Checked canonical = api::check(*e, inputs, options, {}, {&recorder});
  const explore::Skeleton skeleton = recorder.take();
  judged.racy = !places_of(canonical.findings).empty(), judged.deadlocked = !canonical.outcome.ended();
  judged.claimed = front::covered_by_one_run(e->program, p.devices ? 1 : p.cores, canonical.findings).complete;
  judged.claimed |= mistake == Mistake::kTrustsEveryRun;
  if (judged.claimed) judged.fault = other_schedules_differ(*e, inputs, options, canonical, seed);
  if (!judged.fault.empty()) return judged;
  if (mistake == Mistake::kOtherSignals) all.whole_signals = !all.whole_signals;
  explore::Options few = all;
  few.max_classes = 100;
  const explore::Result r = explore::explore(skeleton, few);
  if (judged.claimed && (!r.complete || r.classes + r.classes_deadlocked != 1))
    judged.fault = fmt::format("one class by one run, but the explorer finds {} and {} deadlocked", r.classes,
                               r.classes_deadlocked);
  if (judged.fault.empty() && !judged.deadlocked && r.classes_deadlocked == 0 && !any_self_race(skeleton))
    judged.fault = races_differ(skeleton, r, canonical.findings);
  if (judged.fault.empty() && all_runs)
    judged.fault = classes_differ(p, skeleton, options.dma_signal == "whole", all, judged);
  return judged;
}

}  // namespace millrace::programs
