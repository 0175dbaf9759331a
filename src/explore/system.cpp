// SPDX-License-Identifier: Apache-2.0
#include "explore/system.h"

namespace millrace::explore {

std::uint32_t System::add(std::uint32_t core, const Happening& h) {
  const auto id = static_cast<std::uint32_t>(all.size());
  all.push_back(h);
  all.back().core = core;
  cores[core].push_back(id);
  return id;
}

// All but the last granule counts from the start on: more of it sooner lets more happen, and never less.
std::uint32_t System::add_dma(std::uint32_t core, const Dma& dma, bool whole) {
  const std::int64_t last = whole ? dma.amount : dma.last;
  Happening start, read, write;
  start.raises[0] = {dma.raises, dma.amount - last};
  write.raises[0] = {dma.raises, last};
  if (dma.sends) start.raises[1] = {*dma.sends, dma.amount - last}, read.raises[0] = {*dma.sends, last};
  const auto first = static_cast<std::uint32_t>(all.size());
  start.releases = first + 1, read.releases = first + 2;
  add(core, start);
  all.push_back(read);
  all.push_back(write);
  return first + 1;
}

std::uint32_t Places::of(const Step& step) const {
  if (step.kind == Step::Kind::kCore) return cores[step.core][step.index];
  const std::uint32_t read = reads[step.index];
  return step.kind == Step::Kind::kDmaRead || read == kNone ? read : read + 1;
}

System system_of(const Skeleton& s, const std::vector<std::size_t>& limits, bool whole, Places& places) {
  System system;
  system.cores.resize(s.cores.size());
  system.counts.assign(s.semaphores.size(), 0);
  places.cores.assign(s.cores.size(), {});
  places.reads.assign(s.dmas.size(), kNone);
  for (std::uint32_t c = 0; c < s.cores.size(); ++c)
    for (std::size_t i = 0; i < limits[c]; ++i) {
      const Op& op = s.cores[c].ops[i];
      places.cores[c].push_back(static_cast<std::uint32_t>(system.all.size()));
      if (op.kind == Op::Kind::kStart) {
        places.reads[op.what] = system.add_dma(c, s.dmas[op.what], whole);
        continue;
      }
      Happening h;
      if (op.kind == Op::Kind::kSignal) h.raises[0] = {op.what, op.amount};
      if (op.kind == Op::Kind::kWait) h.takes = {op.what, op.amount};
      system.add(c, h);
    }
  return system;
}

namespace {

void put(std::string& text, std::uint64_t number) { text.append(reinterpret_cast<const char*>(&number), 8); }

}  // namespace

std::string key_of(const System& s) {
  std::string text;
  put(text, s.cores.size());
  for (const auto& core : s.cores) {
    put(text, core.size());
    for (std::uint32_t id : core) put(text, id);
  }
  for (const Happening& h : s.all) {
    put(text, (std::uint64_t{h.takes.semaphore} << 32) | h.releases);
    put(text, static_cast<std::uint64_t>(h.takes.amount));
    for (const Raise& r : h.raises) put(text, r.semaphore), put(text, static_cast<std::uint64_t>(r.amount));
  }
  for (std::int64_t count : s.counts) put(text, static_cast<std::uint64_t>(count));
  return text;
}

}  // namespace millrace::explore
