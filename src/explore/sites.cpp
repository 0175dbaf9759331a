// SPDX-License-Identifier: Apache-2.0
#include "explore/sites.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace millrace::explore {

namespace {

class Sites {
 public:
  explicit Sites(const Skeleton& s) : s_(s) {}

  // What the side may be: one step, unless several places of the kernel read alike.
  std::vector<Step> steps(const Side& side, const std::string& memory) const {
    std::vector<Step> found;
    for (std::uint32_t c = 0; c < s_.cores.size(); ++c) {
      if (s_.cores[c].device != side.device || s_.cores[c].core != side.core) continue;
      if (side.access.starts_with("pipeline"))
        moves_of(c, side, memory, found);
      else
        of_core(c, side, memory, found);
    }
    return found;
  }

 private:
  std::string name(AreaId area) const {
    const event::MemoryId memory = s_.areas.memory(area);
    return memory < s_.memories.size() ? operand_name(s_.memories[memory]) : std::string();
  }
  bool at(const Op& op, const Side& side) const {
    return op.at < s_.places.size() && s_.places[op.at].at == side.at && s_.places[op.at].where == side.where;
  }
  static bool reads(const Side& side) { return side.access.ends_with("read"); }
  Step end_of(std::uint32_t core, std::uint32_t dma, const Side& side) const {
    return {reads(side) ? Step::Kind::kDmaRead : Step::Kind::kDmaWrite, core, dma};
  }

  // Each place of the kernel counts for itself; of loads and stores those on this memory, of DMAs all.
  void of_core(std::uint32_t c, const Side& side, const std::string& memory, std::vector<Step>& found) const {
    std::map<event::PlaceId, std::uint64_t> times;
    const bool dma = side.access.starts_with("DMA");
    for (std::uint32_t i = 0; i < s_.cores[c].ops.size(); ++i) {
      const Op& op = s_.cores[c].ops[i];
      const bool access = op.kind == Op::Kind::kRead || op.kind == Op::Kind::kWrite;
      if (!(dma ? op.kind == Op::Kind::kStart : access) || !at(op, side)) continue;
      if (access && name(op.what) != memory) continue;
      if (times[op.at]++ != side.nth) continue;
      if (dma)
        found.push_back(end_of(c, op.what, side));
      else if ((op.kind == Op::Kind::kRead) == reads(side))
        found.push_back({Step::Kind::kCore, c, i});
    }
  }

  void moves_of(std::uint32_t c, const Side& side, const std::string& memory, std::vector<Step>& found) const {
    for (std::uint32_t d = 0; d < s_.dmas.size(); ++d) {
      const Dma& dma = s_.dmas[d];
      if (dma.core != c || !dma.window || s_.steps[dma.step] != side.grid_step) continue;
      if (name(reads(side) ? dma.source : dma.target) == memory) found.push_back(end_of(c, d, side));
    }
  }

  const Skeleton& s_;
};

std::vector<Showing> of_race(const Skeleton& s, const Finding& f) {
  const Sites sites(s);
  const auto first = [&](const Side& side) {
    return fmt::format("the {}{} comes first", side.access, side.at.empty() ? "" : " at " + side.where);
  };
  for (const Step& a : sites.steps(*f.first, f.memory))
    for (const Step& b : sites.steps(*f.second, f.memory))
      if (conflict(s, a, b)) return {{first(*f.first), {{a, b}}}, {first(*f.second), {{b, a}}}};
  return {};
}

// The last that the core does while the memory of this name is there.
std::optional<Step> last_before(const Skeleton& s, std::uint32_t core, const Dma& dma, event::MemoryId memory) {
  std::size_t end = s.cores[core].ops.size();
  if (memory < s.owners.size() && s.owners[memory].until) end = *s.owners[memory].until;
  if (end <= dma.op || end > s.cores[core].ops.size()) return {};
  return Step{Step::Kind::kCore, core, static_cast<std::uint32_t>(end - 1)};
}

// The core goes on to where the scope of `until` ends, and the DMA has still to come.
std::vector<Showing> of_late(const Skeleton& s, const Finding& f) {
  const bool outlives = f.id == "scope.use-after";
  Side side = *f.first;
  if (!outlives) side.access = "DMA write";
  const std::string memory = f.memory;
  for (const Step& step : Sites(s).steps(side, memory)) {
    const Dma& dma = s.dmas[step.index];
    const bool reads = step.kind == Step::Kind::kDmaRead;
    const event::MemoryId until =
        outlives ? s.areas.memory(reads ? dma.source : dma.target) : s.semaphores[dma.raises].memory;
    const std::optional<Step> last = last_before(s, dma.core, dma, until);
    if (last) return {{fmt::format("the DMA started at {} is late", side.where), {{*last, step}}}};
  }
  return {};
}

}  // namespace

std::vector<Showing> showings(const Skeleton& s, const Finding& f) {
  if (f.id.starts_with("race.") && f.first && f.second) return of_race(s, f);
  const bool late = f.id == "leftover.dma" || f.id == "scope.use-after";
  if (late && f.schedules == "some" && f.first) return of_late(s, f);
  return {};
}

}  // namespace millrace::explore
