// SPDX-License-Identifier: Apache-2.0
#include "check/last_writer.h"

#include <algorithm>

namespace millrace::checkers {

namespace {

bool holds(const event::Box& box, const std::vector<std::int64_t>& element) {
  if (static_cast<std::size_t>(box.rank) != element.size()) return false;
  for (std::size_t d = 0; d < element.size(); ++d) {
    const Range& r = box.ranges[d];
    if (element[d] < r.begin || element[d] >= r.end || (element[d] - r.begin) % r.stride != 0) return false;
  }
  return true;
}

}  // namespace

void LastWriter::on(const event::RunBegan& e) { places_.assign(e.places.begin(), e.places.end()); }

void LastWriter::on(const event::RegionAllocated& e) { regions_[e.memory].name = e.name; }

void LastWriter::on(const event::Access& e) {
  if (e.kind != event::AccessKind::kWrite) return;
  Region& region = regions_[e.memory];
  const std::uint64_t nth = executions_[e.at]++;
  if (region.name.starts_with("out")) region.writes.push_back({e.box, e.at, nth, "", {}, 0, e.more});
}

void LastWriter::on(const event::DmaIssued& e) { issued_.emplace(e.dma, std::pair{e, executions_[e.at]++}); }

void LastWriter::on(const event::DmaWrote& e) {
  auto issued = issued_.extract(e.dma);
  const auto& [dma, nth] = issued.mapped();
  Region& region = regions_[dma.target.memory];
  if (!region.name.starts_with("out")) return;
  region.writes.push_back({dma.target.box, dma.at, nth, regions_[dma.source.memory].name, dma.source.box,
                           dma.source.box.rank, dma.target.more});
}

const LastWrite* LastWriter::find(const std::string& output, const std::vector<std::int64_t>& element) const {
  for (const auto& [memory, region] : regions_) {
    if (region.name != output) continue;
    for (auto w = region.writes.rbegin(); w != region.writes.rend(); ++w)
      if (holds(w->box, element) ||
          std::any_of(w->more.begin(), w->more.end(), [&](const event::Box& b) { return holds(b, element); }))
        return &*w;
  }
  return nullptr;
}

}  // namespace millrace::checkers
