// SPDX-License-Identifier: Apache-2.0
#include "explore/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "explore/classes.h"
#include "explore/several.h"

namespace millrace::explore {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

class Product {
 public:
  void times(std::uint64_t n) {
    exact_ = exact_ && (n == 0 || product_ <= kMost / n);
    product_ = exact_ ? product_ * n : kMost;
  }
  std::uint64_t value() const { return product_; }
  bool exact() const { return exact_; }

 private:
  std::uint64_t product_ = 1;
  bool exact_ = true;
};

std::string key_of(const Cutout& c) {
  std::string text = key_of(c.system);
  for (const Ordered& p : c.pairs) text += fmt::format("{}<{};", p.before, p.after);
  return text;
}

// A send semaphore proves a read alone, which the sweep leaves open: such a pair may come in one order only.
bool tells_of_reads(const Skeleton& s, const Stretch& stretch) {
  const auto sends = [&](const Step& x) { return x.kind != Step::Kind::kCore && s.dmas[x.index].sends.has_value(); };
  return std::any_of(stretch.pairs.begin(), stretch.pairs.end(),
                     [&](const Pair& p) { return sends(p.first) || sends(p.second); });
}

// By pair: whether it comes in either order. More work than is allowed leaves the rest as they were.
std::vector<bool> either_way(const Cutout& cutout, std::uint64_t max_work) {
  std::vector<bool> either(cutout.pairs.size(), true);
  Trial trial(cutout.system);
  for (std::size_t k = 0; k < either.size() && trial.work() <= max_work; ++k) {
    const Ordered ahead = cutout.pairs[k], back{ahead.after, ahead.before};
    either[k] = trial.run({&ahead, 1}) && trial.run({&back, 1});
  }
  return either;
}

struct Known {
  std::uint64_t classes = 0;
  std::vector<bool> either;  // by pair
};

Result explore_stretches(const Skeleton& s, const Options& options) {
  Result result;
  const Sweep swept = sweep(s, options.whole_signals, options.max_pairs);
  Cutter cutter(s, options.whole_signals);
  Budget budget{options.max_classes, options.max_work};
  Product product;
  std::map<std::string, Known> known;  // a loop's stretches are often all the same
  for (const Stretch& stretch : swept.stretches) {
    const bool open = tells_of_reads(s, stretch);
    if (!open) result.races.insert(result.races.end(), stretch.pairs.begin(), stretch.pairs.end());
    if (!open && !result.complete) continue;
    const Cutout cutout = cutter.cut(stretch);
    const auto [place, fresh] = known.try_emplace(key_of(cutout));
    if (open && fresh) place->second.either = either_way(cutout, options.max_work);
    for (std::size_t k = 0; open && k < stretch.pairs.size(); ++k)
      if (place->second.either[k]) result.races.push_back(stretch.pairs[k]);
    if (!result.complete) continue;
    if (fresh) {
      Classes classes(cutout.system, cutout.pairs);
      result.complete = classes.run(budget);
      place->second.classes = classes.count();
      result.met += classes.count();
    }
    product.times(place->second.classes);
  }
  if (!result.complete) result.stopped = fmt::format("stopped after {} classes", result.met);
  if (!product.exact()) result.complete = false, result.stopped = "more than 2^64 classes";
  if (!swept.all) result.complete = false, result.stopped = fmt::format("more than {} pairs race", options.max_pairs);
  if (swept.stretches.empty()) result.met = 1;
  const bool deadlocked = swept.all && !s.cores.empty() && swept.end < s.cores[0].ops.size();
  (deadlocked ? result.classes_deadlocked : result.classes) = product.value();
  return result;
}

}  // namespace

Result explore(const Skeleton& skeleton, const Options& options) {
  Result result;
  if (skeleton.cores.size() == 1 && options.by_stretches)
    result = explore_stretches(skeleton, options);
  else
    result = explore_several(skeleton, options);
  if (skeleton.cut) result.complete = false, result.stopped = "the run left its memory and ended there";
  return result;
}

}  // namespace millrace::explore
