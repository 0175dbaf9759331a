// SPDX-License-Identifier: Apache-2.0
#include "explore/witness.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

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
  std::string text() {
    if (s_.cores.size() > 1) tell(last_);
    return "millrace schedule 1\n" + text_;
  }

 private:
  std::string name(std::uint32_t c) const {
    const Core& core = s_.cores[c];
    return core.device == 0 ? std::to_string(core.core) : fmt::format("{}.{}", core.device, core.core);
  }
  void tell(std::uint32_t c) {
    if (done_[c] == told_[c]) return;
    text_ += fmt::format("core {} {}\n", name(c), done_[c]);
    told_[c] = done_[c];
  }

  const Skeleton& s_;
  std::vector<std::size_t> done_, told_;
  std::vector<std::uint32_t> number_;  // of a DMA among those of its core
  std::uint32_t last_ = 0;
  std::string text_;
};

// What each happening of the system is, in the order of the run.
std::string written(const Skeleton& s, const System& system, const Places& places, const Trial& trial,
                    const std::set<std::uint32_t>& named, bool whole) {
  std::vector<std::uint32_t> in_order(system.all.size());
  for (std::uint32_t h = 0; h < system.all.size(); ++h) in_order[trial.when(h)] = h;
  std::map<std::uint32_t, std::pair<std::uint32_t, const char*>> stages;
  for (std::uint32_t d : named) stages[places.reads[d]] = {d, "read"}, stages[places.reads[d] + 1] = {d, "write"};
  Writer writer(s);
  for (std::uint32_t h : in_order) {
    if (const std::uint32_t c = system.all[h].core; c != kNone) {
      writer.core(c);
      const auto started = stages.find(system.all[h].releases);
      if (started == stages.end()) continue;
      const Dma& d = s.dmas[started->second.first];
      if (!whole && d.amount > d.last) writer.dma(started->second.first, "progress");
    } else if (const auto stage = stages.find(h); stage != stages.end()) {
      const auto [dma, word] = stage->second;
      writer.dma(dma, word);
      if (h == places.reads[dma] + 1) writer.dma(dma, "signal");
    }
  }
  return writer.text();
}

}  // namespace

std::optional<std::string> witness(const Skeleton& s, std::span<const Pair> orders, bool whole) {
  std::vector<std::size_t> all;
  std::set<std::uint32_t> named;
  for (const Core& c : s.cores) all.push_back(c.ops.size());
  for (const Pair& p : orders)
    for (const Step& x : {p.first, p.second})
      if (x.kind != Step::Kind::kCore) named.insert(x.index);
  Places places;
  const System whole_system = system_of(s, all, whole, places);
  for (const auto& end : Trial(whole_system).ends()) {
    const System system = system_of(s, end, whole, places);
    const auto ran = [&](const Step& x) {
      return x.kind == Step::Kind::kCore ? x.index < end[x.core] : places.reads[x.index] != kNone;
    };
    std::vector<Ordered> kept;
    for (const Pair& p : orders)
      if (ran(p.first) && ran(p.second)) kept.push_back({places.of(p.first), places.of(p.second)});
    Trial trial(system);
    if (kept.size() == orders.size() && trial.run(kept)) return written(s, system, places, trial, named, whole);
  }
  return {};
}

}  // namespace millrace::explore
