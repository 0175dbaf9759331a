// SPDX-License-Identifier: Apache-2.0
#include "explore/skeleton.h"

#include <fmt/format.h>

namespace millrace::explore {

std::string operand_name(const std::string& memory) { return memory.substr(0, memory.find(".window")); }

AreaId area_of(const Skeleton& s, const Step& step) {
  if (step.kind == Step::Kind::kCore) return s.cores[step.core].ops[step.index].what;
  const Dma& d = s.dmas[step.index];
  return step.kind == Step::Kind::kDmaRead ? d.source : d.target;
}

bool writes(const Skeleton& s, const Step& step) {
  if (step.kind == Step::Kind::kCore) return s.cores[step.core].ops[step.index].kind == Op::Kind::kWrite;
  return step.kind == Step::Kind::kDmaWrite;
}

bool same_agent(const Step& a, const Step& b) {
  const bool core = a.kind == Step::Kind::kCore;
  if (core != (b.kind == Step::Kind::kCore)) return false;
  return core ? a.core == b.core : a.index == b.index;
}

bool conflict(const Skeleton& s, const Step& a, const Step& b) {
  if (same_agent(a, b) || !(writes(s, a) || writes(s, b))) return false;
  const auto window = [&](const Step& x) { return x.kind != Step::Kind::kCore && s.dmas[x.index].window; };
  if (a.core == b.core && window(a) && window(b)) return false;
  return s.areas.overlap(area_of(s, a), area_of(s, b));
}

std::string to_string(const Skeleton& s, const Step& step) {
  const AreaId area = area_of(s, step);
  const event::MemoryId memory = s.areas.memory(area);
  const bool core = step.kind == Step::Kind::kCore;
  const Core& c = s.cores[step.core];
  const Op& op = c.ops[core ? step.index : s.dmas[step.index].op];
  const std::string who = core ? fmt::format("core {}", c.core) : fmt::format("DMA {}", s.dmas[step.index].id);
  const std::string name = memory < s.memories.size() ? s.memories[memory] : fmt::format("memory {}", memory);
  std::string text = fmt::format("{} {} {}{}", who, writes(s, step) ? "writes" : "reads", name, s.areas.text(area));
  if (op.at < s.places.size()) text += fmt::format(" ({})", s.places[op.at].where);
  return text;
}

}  // namespace millrace::explore
