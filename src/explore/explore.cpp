// SPDX-License-Identifier: Apache-2.0
#include "explore/explore.h"

#include <fmt/format.h>

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

Result explore_stretches(const Skeleton& s, const Options& options) {
  Result result;
  const Sweep swept = sweep(s, options.whole_signals, options.max_pairs);
  Cutter cutter(s, options.whole_signals);
  Budget budget{options.max_classes, options.max_work};
  Product product;
  std::map<std::string, std::uint64_t> known;  // a loop's stretches are often all the same
  for (const Stretch& stretch : swept.stretches) {
    result.races.insert(result.races.end(), stretch.pairs.begin(), stretch.pairs.end());
    if (!result.complete) continue;
    const Cutout cutout = cutter.cut(stretch);
    const auto [place, fresh] = known.try_emplace(key_of(cutout), 0);
    if (fresh) {
      Classes classes(cutout.system, cutout.pairs);
      result.complete = classes.run(budget);
      place->second = classes.count();
      result.met += classes.count();
    }
    product.times(place->second);
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
