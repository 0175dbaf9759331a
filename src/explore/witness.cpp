// SPDX-License-Identifier: Apache-2.0
#include "explore/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace millrace::explore {

namespace {

class Writer {
 public:
  explicit Writer(const Skeleton& s) : s_(s), done_(s.cores.size(), 0), told_(s.cores.size(), 0) {
    std::vector<std::uint32_t> started(s.cores.size(), 0);
    for (const Dma& d : s.dmas) number_.push_back(started[d.core]++);
  }

  void core(std::uint32_t c) {
    if (c != last_) tell(last_);
    last_ = c;
    ++done_[c];
  }
  void dma(std::uint32_t d, const char* stage) {
    tell(last_);
    text_ += fmt::format("dma {} {} {}\n", name(s_.dmas[d].core), number_[d], stage);
  }
  void hold(std::uint32_t d) { text_ += fmt::format("dma {} {} hold\n", name(s_.dmas[d].core), number_[d]); }
  // Where there is nobody else, the core goes on by itself, unless it is `held`.
  Script script(bool held) {
    const std::string before = text_;
    tell(last_);
    if (s_.cores.size() == 1 && !held) text_ = before;
    return {"millrace schedule 1\n" + text_, std::move(goals_), std::move(done_)};
  }

 private:
  std::string name(std::uint32_t c) const {
    const Core& core = s_.cores[c];
    return core.device == 0 ? std::to_string(core.core) : fmt::format("{}.{}", core.device, core.core);
  }
  void tell(std::uint32_t c) {
    if (s_.cores.empty() || done_[c] == told_[c]) return;
    text_ += fmt::format("core {} {}\n", name(c), done_[c]);
    told_[c] = done_[c];
    goals_.push_back({c, done_[c]});
  }

  const Skeleton& s_;
  std::vector<std::size_t> done_, told_;
  std::vector<std::uint32_t> number_;  // of a DMA among those of its core
  std::uint32_t last_ = 0;
  std::string text_;
  std::vector<Script::Goal> goals_;
};

using Named = std::set<std::uint32_t>;  // DMAs

Named named_in(std::span<const Pair> orders) {
  Named named;
  for (const Pair& p : orders)
    for (const Step& x : {p.first, p.second})
      if (x.kind != Step::Kind::kCore) named.insert(x.index);
  return named;
}

// What each happening of the system is, in the order of the run; what never happened is left out.
Script written(const Skeleton& s, const System& system, const Places& places, const Trial& trial, const Named& named,
               bool whole) {
  std::vector<std::uint32_t> in_order(system.all.size(), kNone);
  for (std::uint32_t h = 0; h < system.all.size(); ++h)
    if (trial.when(h) != kNone) in_order[trial.when(h)] = h;
  std::map<std::uint32_t, std::pair<std::uint32_t, const char*>> stages;
  for (std::uint32_t d : named) {
    if (places.reads[d] == kNone) continue;
    stages[places.reads[d]] = {d, "read"}, stages[places.reads[d] + 1] = {d, "write"};
  }
  Writer writer(s);
  for (const auto& [happening, stage] : stages)
    if (stage.second == std::string_view("write") && trial.when(happening) == kNone) writer.hold(stage.first);
  const bool held = std::ranges::find(in_order, kNone) != in_order.end();
  for (std::uint32_t h : in_order) {
    if (h == kNone) break;
    if (const std::uint32_t c = system.all[h].core; c != kNone) {
      writer.core(c);
      const auto started = stages.find(system.all[h].releases);
      if (started == stages.end()) continue;
      const Dma& d = s.dmas[started->second.first];
      if (whole || d.amount <= d.last) continue;
      writer.dma(started->second.first, "progress");
      if (d.sends) writer.dma(started->second.first, "send-progress");
    } else if (const auto stage = stages.find(h); stage != stages.end()) {
      const auto [dma, word] = stage->second;
      writer.dma(dma, word);
      if (h == places.reads[dma] + 1) writer.dma(dma, "signal");
    }
  }
  return writer.script(held);
}

std::vector<std::size_t> all_of(const Skeleton& s) {
  std::vector<std::size_t> all;
  for (const Core& c : s.cores) all.push_back(c.ops.size());
  return all;
}

}  // namespace

std::optional<Script> script(const Skeleton& s, std::span<const Pair> orders, bool whole) {
  Places places;
  const System all = system_of(s, all_of(s), whole, places);
  for (const auto& end : Trial(all).ends()) {
    const System system = system_of(s, end, whole, places);
    const auto ran = [&](const Step& x) {
      return x.kind == Step::Kind::kCore ? x.index < end[x.core] : places.reads[x.index] != kNone;
    };
    std::vector<Ordered> kept;
    for (const Pair& p : orders)
      if (ran(p.first) && ran(p.second)) kept.push_back({places.of(p.first), places.of(p.second)});
    Trial trial(system);
    if (kept.size() == orders.size() && trial.run(kept))
      return written(s, system, places, trial, named_in(orders), whole);
  }
  return {};
}

std::optional<std::string> witness(const Skeleton& s, std::span<const Pair> orders, bool whole) {
  std::optional<Script> found = script(s, orders, whole);
  return found ? std::optional(std::move(found->text)) : std::nullopt;
}

Script beginning(const Skeleton& s, std::span<const Pair> orders, std::span<const std::size_t> limits, bool whole) {
  Places places;
  const System system = system_of(s, all_of(s), whole, places);
  std::vector<Ordered> kept;
  for (const Pair& p : orders) kept.push_back({places.of(p.first), places.of(p.second)});
  std::vector<std::uint32_t> withheld;
  for (std::uint32_t c = 0; c < s.cores.size(); ++c)
    if (limits[c] < s.cores[c].ops.size()) withheld.push_back(places.cores[c][limits[c]]);
  Trial trial(system);
  trial.run_without(withheld, kept);
  return written(s, system, places, trial, named_in(orders), whole);
}

}  // namespace millrace::explore
