// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "explore/stretches.h"

namespace millrace::explore {

Cutter::Cutter(const Skeleton& s, bool whole)
    : skeleton_(s), whole_(whole), held_(s.semaphores.size(), 0), local_(s.semaphores.size(), kNone) {}

// Past what is in no stretch, or was cut out: every DMA complete.
void Cutter::pass(const Op& op) {
  if (op.kind == Op::Kind::kSignal) held_[op.what] += op.amount;
  if (op.kind == Op::Kind::kWait) held_[op.what] -= op.amount;
  if (op.kind != Op::Kind::kStart) return;
  const Dma& dma = skeleton_.dmas[op.what];
  held_[dma.raises] += dma.amount;
  if (dma.sends) held_[*dma.sends] += dma.amount;
}

Cutout Cutter::cut(const Stretch& stretch) {
  const std::vector<Op>& ops = skeleton_.cores[0].ops;
  while (at_ < stretch.begin) pass(ops[at_++]);
  Cutout out;
  out.system.cores.resize(1);
  std::map<Step, std::uint32_t> places;  // of the steps that the pairs name; kNone until they are known
  std::map<std::uint32_t, bool> races;   // the DMAs among them
  std::vector<SemaphoreId> semaphores;
  for (const Pair& p : stretch.pairs)
    for (const Step& step : {p.first, p.second}) {
      places[step] = kNone;
      if (step.kind == Step::Kind::kCore || !races.try_emplace(step.index, true).second) continue;
      const Dma& dma = skeleton_.dmas[step.index];
      for (const SemaphoreId s : {dma.raises, dma.sends.value_or(dma.raises)}) {
        if (local_[s] != kNone) continue;
        local_[s] = static_cast<std::uint32_t>(out.system.counts.size());
        out.system.counts.push_back(held_[s]);
        semaphores.push_back(s);
      }
    }
  for (; at_ < stretch.end; ++at_) {
    const Op& op = ops[at_];
    pass(op);
    Happening h;
    if (op.kind == Op::Kind::kStart) {
      Dma dma = skeleton_.dmas[op.what];
      dma.raises = local_[dma.raises];
      if (dma.sends) dma.sends = local_[*dma.sends];
      if (races.contains(op.what)) {
        const std::uint32_t read = out.system.add_dma(0, dma, whole_);
        places[{Step::Kind::kDmaRead, 0, op.what}] = read;
        places[{Step::Kind::kDmaWrite, 0, op.what}] = read + 1;
        continue;
      }
      std::size_t raised = 0;  // of its two semaphores those that the pairs know
      for (const SemaphoreId s : {dma.raises, dma.sends.value_or(kNone)})
        if (s != kNone) h.raises[raised++] = {s, dma.amount};
    } else if (op.kind == Op::Kind::kSignal) {
      h.raises[0] = {local_[op.what], op.amount};
    } else if (op.kind == Op::Kind::kWait) {
      h.takes = {local_[op.what], op.amount};
    } else {
      const auto named = places.find({Step::Kind::kCore, 0, static_cast<std::uint32_t>(at_)});
      if (named == places.end()) continue;
      named->second = out.system.add(0, h);
      continue;
    }
    const bool raises = h.raises[0].semaphore != kNone || h.raises[1].semaphore != kNone;
    if (raises || h.takes.semaphore != kNone) out.system.add(0, h);
  }
  for (const Pair& p : stretch.pairs) out.pairs.push_back({places.at(p.first), places.at(p.second)});
  for (SemaphoreId s : semaphores) local_[s] = kNone;
  return out;
}

}  // namespace millrace::explore
