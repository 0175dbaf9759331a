// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "explore/stretches.h"

namespace millrace::explore {

namespace {

class Sweeper {
 public:
  Sweeper(const Skeleton& s, bool whole, std::size_t max_pairs) : s_(s), whole_(whole), max_pairs_(max_pairs) {
    result_.proven.assign(s.dmas.size(), kNever);
    sums_.resize(s.semaphores.size());
  }

  Sweep run() {
    const std::vector<Op>& ops = s_.cores[0].ops;
    std::size_t i = 0;
    for (; i < ops.size() && result_.all; ++i)
      if (!one(ops[i], i)) break;
    result_.end = i;
    for (std::size_t& at : result_.proven) at = std::min(at, i);
    cut();
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kNever = ~std::size_t{0};
  struct Sums {
    std::int64_t held = 0;                                    // with every DMA complete
    std::map<std::int64_t, std::vector<std::uint32_t>> open;  // DMAs not proven yet, by their last granule
  };

  // False: the core is blocked here for ever.
  bool one(const Op& op, std::size_t i) {
    const auto index = static_cast<std::uint32_t>(i);
    switch (op.kind) {
      case Op::Kind::kRead:
      case Op::Kind::kWrite: meet({Step::Kind::kCore, 0, index}); return true;
      case Op::Kind::kSignal: sums_[op.what].held += op.amount; return true;
      case Op::Kind::kStart: start(op.what); return true;
      case Op::Kind::kWait: return wait(op, i);
    }
    return true;
  }

  void start(std::uint32_t dma) {
    const Dma& d = s_.dmas[dma];
    const Step read{Step::Kind::kDmaRead, 0, dma}, write{Step::Kind::kDmaWrite, 0, dma};
    meet(read), meet(write);
    live_[s_.areas.memory(d.source)].push_back(read);
    live_[s_.areas.memory(d.target)].push_back(write);
    sums_[d.raises].held += d.amount;
    sums_[d.raises].open[whole_ ? d.amount : d.last].push_back(dma);
    if (d.sends) sums_[*d.sends].held += d.amount;  // it proves the read alone: that is left to the trials
  }

  bool wait(const Op& op, std::size_t i) {
    Sums& sums = sums_[op.what];
    if (sums.held < op.amount) return false;
    sums.held -= op.amount;
    const auto from = sums.open.upper_bound(sums.held);
    for (auto open = from; open != sums.open.end(); ++open)
      for (std::uint32_t dma : open->second) {
        result_.proven[dma] = i;
        forget(s_.dmas[dma].source, dma), forget(s_.dmas[dma].target, dma);
      }
    sums.open.erase(from, sums.open.end());
    return true;
  }

  void forget(AreaId area, std::uint32_t dma) {
    std::erase_if(live_[s_.areas.memory(area)], [&](const Step& end) { return end.index == dma; });
  }

  void meet(const Step& step) {
    const auto there = live_.find(s_.areas.memory(area_of(s_, step)));
    if (there == live_.end()) return;
    for (const Step& end : there->second) {
      if (!conflict(s_, end, step)) continue;
      if (pairs_.size() == max_pairs_) return static_cast<void>(result_.all = false);
      pairs_.push_back({end, step});
    }
  }

  // The pairs come by their second step, so their stretches overlap only with the last of those before.
  void cut() {
    const auto since = [&](const Step& x) { return std::size_t{s_.dmas[x.index].op}; };
    for (const Pair& p : pairs_) {
      Stretch fresh{since(p.first), result_.proven[p.first.index], {}};
      if (p.second.kind != Step::Kind::kCore) fresh.end = std::max(fresh.end, result_.proven[p.second.index]);
      std::vector<Stretch>& all = result_.stretches;
      while (!all.empty() && all.back().end > fresh.begin) {
        fresh.begin = std::min(fresh.begin, all.back().begin), fresh.end = std::max(fresh.end, all.back().end);
        all.back().pairs.insert(all.back().pairs.end(), fresh.pairs.begin(), fresh.pairs.end());
        fresh.pairs = std::move(all.back().pairs);
        all.pop_back();
      }
      fresh.pairs.push_back(p);
      all.push_back(std::move(fresh));
    }
  }

  const Skeleton& s_;
  const bool whole_;
  const std::size_t max_pairs_;
  Sweep result_;
  std::vector<Sums> sums_;
  std::map<event::MemoryId, std::vector<Step>> live_;  // ends of DMAs not proven yet
  std::vector<Pair> pairs_;
};

}  // namespace

Sweep sweep(const Skeleton& s, bool whole, std::size_t max_pairs) { return Sweeper(s, whole, max_pairs).run(); }

}  // namespace millrace::explore
