// SPDX-License-Identifier: Apache-2.0
#include "explore/spelling.h"

#include <fmt/format.h>

namespace millrace::explore {

namespace {

class Words {
 public:
  explicit Words(const Skeleton& s) : s_(s), areas_(s.areas.size()) {}

  std::string of(const Op& op, bool blocked) {
    const std::string kind = fmt::format("{}@{} ", static_cast<int>(op.kind), op.at);
    switch (op.kind) {
      case Op::Kind::kRead:
      case Op::Kind::kWrite: return kind + area(op.what);
      case Op::Kind::kStart: return kind + dma(s_.dmas[op.what]);
      case Op::Kind::kSignal:
      case Op::Kind::kWait:
        return fmt::format("{}{} {}{}", kind, semaphore(op.what), op.amount, blocked ? " for ever" : "");
    }
    return kind;
  }

 private:
  std::string memory(event::MemoryId id) const {
    if (id >= s_.owners.size()) return fmt::format("m{}", id);
    const Owner& o = s_.owners[id];
    return fmt::format("{}.{}.{}.{}", o.device, o.core, s_.memories[id], o.nth);
  }
  const std::string& area(AreaId id) {
    if (areas_[id].empty()) areas_[id] = memory(s_.areas.memory(id)) + s_.areas.text(id);
    return areas_[id];
  }
  std::string semaphore(SemaphoreId id) const {
    return fmt::format("{}#{}", memory(s_.semaphores[id].memory), s_.semaphores[id].element);
  }
  std::string dma(const Dma& d) {
    return fmt::format("{} {} {} {} {}/{}{}", area(d.source), area(d.target), semaphore(d.raises),
                       d.sends ? semaphore(*d.sends) : "", d.amount, d.last, d.window ? " window" : "");
  }

  const Skeleton& s_;
  std::vector<std::string> areas_;  // each once
};

}  // namespace

Spelled Spelling::of(const Skeleton& s) {
  Words words(s);
  Spelled spelled;
  spelled.cut = s.cut;
  for (const Core& core : s.cores) {
    if (core.ops.empty()) continue;
    auto& letters = spelled.cores[{core.device, core.core}];
    for (std::size_t i = 0; i < core.ops.size(); ++i)
      letters.push_back(letter(words.of(core.ops[i], core.blocked && i + 1 == core.ops.size())));
  }
  return spelled;
}

}  // namespace millrace::explore
