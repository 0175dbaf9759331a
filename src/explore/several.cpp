// SPDX-License-Identifier: Apache-2.0
#include "explore/several.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "explore/classes.h"

namespace millrace::explore {

namespace {

using Limits = std::vector<std::size_t>;

// All accesses of a run that ends at these limits, core by core; a DMA's stand at its start.
std::vector<Step> steps_of(const Skeleton& s, const Limits& limits) {
  std::vector<Step> steps;
  for (std::uint32_t c = 0; c < s.cores.size(); ++c)
    for (std::uint32_t i = 0; i < limits[c]; ++i) {
      const Op& op = s.cores[c].ops[i];
      if (op.kind == Op::Kind::kRead || op.kind == Op::Kind::kWrite) steps.push_back({Step::Kind::kCore, c, i});
      if (op.kind != Op::Kind::kStart) continue;
      steps.push_back({Step::Kind::kDmaRead, c, op.what});
      steps.push_back({Step::Kind::kDmaWrite, c, op.what});
    }
  return steps;
}

class Several {
 public:
  Several(const Skeleton& s, const Options& options)
      : s_(s), options_(options), budget_{options.max_classes, options.max_work} {}

  Result run() {
    Limits all;
    for (const Core& c : s_.cores) all.push_back(c.ops.size());
    Places places;
    const System system = system_of(s_, all, options_.whole_signals, places);
    const auto ends = Trial(system).ends();
    for (const Limits& end : ends) one(end, ends.size() > 1);
    result_.classes_deadlocked += keys_.size();
    return std::move(result_);
  }

 private:
  bool deadlocked(const Limits& end) const {
    for (std::size_t c = 0; c < end.size(); ++c)
      if (end[c] < s_.cores[c].ops.size()) return true;
    return false;
  }

  // A core that was blocked when the run was recorded goes on in this one, nobody knows where to.
  bool beyond_the_record(const Limits& end) const {
    for (std::size_t c = 0; c < end.size(); ++c)
      if (s_.cores[c].blocked && end[c] == s_.cores[c].ops.size()) return true;
    return false;
  }

  void stop(std::string why) {
    result_.complete = false;
    if (result_.stopped.empty()) result_.stopped = std::move(why);
  }

  // Runs that end here. Those of several deadlocks are one class where the same pairs ran, in the same orders.
  void one(const Limits& end, bool several) {
    if (beyond_the_record(end)) return stop("a core that was blocked in the recorded run goes on in others");
    Places places;
    const System system = system_of(s_, end, options_.whole_signals, places);
    Trial trial(system);
    std::vector<Pair> pairs = conflicts(end);
    if (!result_.complete) return;
    const bool dead = deadlocked(end), keyed = dead && several;
    const bool either = !trial.contended() && !keyed;  // a key says of all pairs whether they ran
    if (either && !keep_either(pairs, trial, places)) return stop("too long to be explored as one piece");
    std::vector<Ordered> ordered;
    for (const Pair& p : pairs) ordered.push_back({places.of(p.first), places.of(p.second)});
    note_races(pairs, ordered, either ? nullptr : &trial);
    Classes classes(system, ordered);
    const auto key = [&](const std::vector<Ordered>& way) { keys_.insert(key_of(pairs, places, way)); };
    if (!classes.run(budget_, keyed ? Classes::Visit(key) : nullptr))
      stop(fmt::format("stopped after {} classes", result_.met + classes.count()));
    result_.met += classes.count();
    if (!dead) result_.classes += classes.count();
    if (dead && !keyed) result_.classes_deadlocked += classes.count();
  }

  std::vector<Pair> conflicts(const Limits& end) {
    std::map<event::MemoryId, std::vector<Step>> by_memory;
    for (const Step& step : steps_of(s_, end)) by_memory[s_.areas.memory(area_of(s_, step))].push_back(step);
    std::vector<Pair> pairs;
    for (const auto& [memory, steps] : by_memory)
      for (std::size_t j = 1; j < steps.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
          if (++compared_ > options_.max_work) {
            stop("too long to be explored as one piece");
            return pairs;
          }
          if (!conflict(s_, steps[i], steps[j])) continue;
          if (pairs.size() == options_.max_pairs) {
            stop(fmt::format("more than {} pairs conflict", options_.max_pairs));
            return pairs;
          }
          pairs.push_back({steps[i], steps[j]});
        }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  // Without a step, whatever can happen may come before it: a pair is in either order where each can without the other.
  // False: that took more work than was allowed.
  bool keep_either(std::vector<Pair>& pairs, Trial& trial, const Places& places) const {
    std::map<std::uint32_t, std::vector<std::size_t>> partners;
    for (std::size_t k = 0; k < pairs.size(); ++k)
      partners[places.of(pairs[k].first)].push_back(k), partners[places.of(pairs[k].second)].push_back(k);
    std::vector<bool> fixed(pairs.size(), false);
    for (const auto& [withheld, with] : partners) {
      if (trial.work() > options_.max_work) return false;
      trial.run_without({&withheld, 1});
      for (std::size_t k : with) {
        const std::uint32_t a = places.of(pairs[k].first), b = places.of(pairs[k].second);
        if (trial.when(a == withheld ? b : a) == kNone) fixed[k] = true;
      }
    }
    std::size_t k = 0;
    std::erase_if(pairs, [&](const Pair&) { return fixed[k++]; });
    return true;
  }

  // Those that were not kept for coming in either order are tried.
  void note_races(const std::vector<Pair>& pairs, const std::vector<Ordered>& ordered, Trial* trial) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const Ordered ahead = ordered[k], back{ahead.after, ahead.before};
      if (trial && !(trial->run({&ahead, 1}) && trial->run({&back, 1}))) continue;
      if (noted_.insert(pairs[k]).second) result_.races.push_back(pairs[k]);
    }
  }

  static std::string key_of(const std::vector<Pair>& pairs, const Places& places, const std::vector<Ordered>& way) {
    std::string key;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto name = [&](const Step& x) {
        return fmt::format("{}.{}.{}", static_cast<int>(x.kind), x.core, x.index);
      };
      const bool turned = way[k].before != places.of(pairs[k].first);
      key += fmt::format("{}{}{};", name(pairs[k].first), turned ? '>' : '<', name(pairs[k].second));
    }
    return key;
  }

  const Skeleton& s_;
  const Options& options_;
  Budget budget_;
  Result result_;
  std::uint64_t compared_ = 0;
  std::set<Pair> noted_;
  std::set<std::string> keys_;  // classes of deadlocked runs, where there are several deadlocks
};

}  // namespace

Result explore_several(const Skeleton& skeleton, const Options& options) { return Several(skeleton, options).run(); }

}  // namespace millrace::explore
