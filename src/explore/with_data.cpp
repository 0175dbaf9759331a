// SPDX-License-Identifier: Apache-2.0
#include "explore/with_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "explore/classes.h"
#include "explore/reach.h"
#include "explore/spelling.h"
#include "explore/witness.h"

namespace millrace::explore {

namespace {

using Limits = std::vector<std::size_t>;
using Turns = std::vector<bool>;  // by pair: the second comes first

// One skeleton as a system that ends where its runs end.
struct Whole {
  Limits end;
  Places places;
  System system;
};

std::optional<Whole> whole_of(const Skeleton& s, bool whole_signals) {
  Limits all;
  for (const Core& c : s.cores) all.push_back(c.ops.size());
  Whole w;
  w.system = system_of(s, all, whole_signals, w.places);
  Trial trial(w.system);
  if (trial.contended()) return {};
  w.end = *trial.ends().begin();
  w.system = system_of(s, w.end, whole_signals, w.places);
  return w;
}

std::vector<Ordered> ordered(const std::vector<Pair>& pairs, const Places& places) {
  std::vector<Ordered> all;
  for (const Pair& p : pairs) all.push_back({places.of(p.first), places.of(p.second)});
  return all;
}

Turns turns_of(const std::vector<Ordered>& way, const std::vector<Pair>& pairs, const Places& places) {
  Turns turns;
  for (std::size_t k = 0; k < pairs.size(); ++k) turns.push_back(way[k].before != places.of(pairs[k].first));
  return turns;
}

class WithDataExplorer {
 public:
  WithDataExplorer(const Facts& facts, const RunUnder& run, const Options& options, std::uint64_t max_runs)
      : facts_(facts), run_(run), options_(options), max_runs_(max_runs) {}

  WithData explore(const Skeleton& first) {
    known_.insert(spelling_.of(first));
    out_.result.with_data = true;
    one(first);
    for (std::size_t k = 0; k < out_.others.size() && !spent_; ++k) one(Skeleton(out_.others[k].skeleton));
    return std::move(out_);
  }

 private:
  void stop(const std::string& why) {
    out_.result.complete = false;
    if (out_.result.stopped.empty()) out_.result.stopped = why;
  }

  // All orders of the skeleton's races: those that may matter to control are run.
  void one(const Skeleton& s) {
    const Result all = millrace::explore::explore(s, options_);
    if (!all.complete) stop(all.stopped);
    if (out_.others.empty()) out_.result.races = all.races;
    std::vector<Pair> mattering;
    const std::set<std::string> names = reaching(s, facts_.steered_by);
    for (const Pair& p : all.races)
      if (names.contains(operand_name(s.memories.at(s.areas.memory(area_of(s, p.first)))))) mattering.push_back(p);
    if (mattering.empty()) return add(all);
    const std::optional<Whole> whole = whole_of(s, options_.whole_signals);
    if (!whole) return stop("several cores await one semaphore");
    std::set<Turns> real;
    std::uint64_t tried = 0;
    Classes classes(whole->system, ordered(mattering, whole->places));
    Budget budget{options_.max_classes, options_.max_work};
    const bool done = classes.run(budget, [&](const std::vector<Ordered>& way) {
      const Turns turns = turns_of(way, mattering, whole->places);
      ++tried;
      if (is_real(s, mattering, turns)) real.insert(turns);
      if (spent_) budget.classes = 0;
    });
    if (!done) stop(fmt::format("stopped after {} classes", classes.count()));
    if (done && real.size() == tried) return add(all);
    count(s, *whole, all.races, mattering, real);
  }

  void add(const Result& all) {
    Result& r = out_.result;
    r.classes += all.classes, r.classes_deadlocked += all.classes_deadlocked, r.met += all.met;
  }

  // Of the classes those that some run has: the skeleton goes on as the runs of their orders do.
  void count(const Skeleton& s, const Whole& whole, const std::vector<Pair>& races, const std::vector<Pair>& mattering,
             const std::set<Turns>& real) {
    std::vector<std::size_t> places;  // of the mattering pairs among all
    for (const Pair& p : mattering)
      places.push_back(static_cast<std::size_t>(std::ranges::find(races, p) - races.begin()));
    Classes classes(whole.system, ordered(races, whole.places));
    Budget budget{options_.max_classes, options_.max_work};
    std::uint64_t found = 0, left = 0;
    const bool done = classes.run(budget, [&](const std::vector<Ordered>& way) {
      const Turns turns = turns_of(way, races, whole.places);
      Turns some;
      for (std::size_t k : places) some.push_back(turns[k]);
      ++(real.contains(some) ? found : left);
      if (spent_ && left > kMostLeft) budget.classes = 0;
    });
    if (!done) stop(fmt::format("stopped after {} classes", found));
    bool deadlocked = false;
    for (std::size_t c = 0; c < s.cores.size(); ++c) deadlocked |= whole.end[c] < s.cores[c].ops.size();
    (deadlocked ? out_.result.classes_deadlocked : out_.result.classes) += found;
    out_.result.met += found;
  }

  // Whether runs in this order do what the skeleton says; what else they do is noted.
  bool is_real(const Skeleton& s, const std::vector<Pair>& mattering, const Turns& turns) {
    std::vector<Pair> orders = mattering;
    for (std::size_t k = 0; k < orders.size(); ++k)
      if (turns[k]) std::swap(orders[k].first, orders[k].second);
    const Spelled spelled = spelling_.of(s);
    std::optional<Script> plan = script(s, orders, options_.whole_signals);
    Limits limits;
    for (const Core& c : s.cores) limits.push_back(c.ops.size());
    while (plan) {
      if (out_.runs == max_runs_) {
        spent_ = true;
        stop(fmt::format("stopped after {} runs", out_.runs));
        return false;
      }
      ++out_.runs;
      Recorded r = run_(plan->text);
      const Spelled got = spelling_.of(r.skeleton);
      if (!turned_off(s, *plan, spelled, got, limits)) {
        if (!r.stopped.empty()) return stop(r.stopped), false;
        return settle(std::move(r.skeleton), got, spelled, std::move(plan->text));
      }
      plan = beginning(s, orders, limits, options_.whole_signals);
    }
    stop("an order of races could not be run");  // all of them can
    return false;
  }

  bool settle(Skeleton skeleton, const Spelled& got, const Spelled& spelled, std::string schedule) {
    if (got == spelled) return true;
    if (known_.insert(got).second) out_.others.push_back({std::move(skeleton), std::move(schedule)});
    return false;
  }

  // Where a core did something else than was planned, or did not come as far, it is to be stopped before.
  static bool turned_off(const Skeleton& s, const Script& plan, const Spelled& spelled, const Spelled& got,
                         Limits& limits) {
    const auto letters = [&](const Spelled& of, std::uint32_t c) -> const std::vector<std::uint32_t>& {
      static const std::vector<std::uint32_t> none;
      const auto found = of.cores.find({s.cores[c].device, s.cores[c].core});
      return found == of.cores.end() ? none : found->second;
    };
    bool some = false;
    for (std::uint32_t c = 0; c < s.cores.size(); ++c) {
      const auto &planned = letters(spelled, c), &done = letters(got, c);
      const std::size_t both = std::min(plan.reached[c], done.size());
      const auto same = static_cast<std::size_t>(
          std::mismatch(planned.begin(), planned.begin() + at(both), done.begin()).first - planned.begin());
      if (same == both) continue;
      limits[c] = same, some = true;
    }
    for (std::size_t g = 0; g < plan.goals.size() && !some; ++g) {
      const auto& [c, count] = plan.goals[g];
      const std::size_t done = letters(got, c).size();
      if (done >= count) continue;
      limits[c] = done, some = true;
    }
    return some;
  }
  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  // Where not all orders could be run: this many classes of them are passed over in the search for those that were.
  static constexpr std::uint64_t kMostLeft = 10'000;

  const Facts& facts_;
  const RunUnder& run_;
  const Options& options_;
  const std::uint64_t max_runs_;
  Spelling spelling_;
  std::set<Spelled> known_;
  bool spent_ = false;
  WithData out_;
};

}  // namespace

WithData explore_with_data(const Skeleton& first, const Facts& facts, const RunUnder& run, const Options& options,
                           std::uint64_t max_runs) {
  return WithDataExplorer(facts, run, options, max_runs).explore(first);
}

}  // namespace millrace::explore
