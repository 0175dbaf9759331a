// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "timing/timeline.h"

namespace millrace::timing {

std::string letter_of(Index number) {
  std::string letters;
  for (std::uint64_t n = std::uint64_t{number} + 1; n > 0; n = (n - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (n - 1) % 26));
  return letters;
}

std::string name_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::kLoad: return "load";
    case LaneKind::kStore: return "store";
    case LaneKind::kHbm: return "copy in HBM";
    case LaneKind::kLocal: return "local copy";
    case LaneKind::kSend: return "send";
    case LaneKind::kCompute: return "compute";
    case LaneKind::kWait: return "wait";
  }
  return "";
}

std::string name_of(const Timeline& t, const Lane& lane) {
  std::string name;
  if (t.devices > 1) name += fmt::format("device {}", lane.device);
  if (t.cores > 1) name += fmt::format("{}core {}", name.empty() ? "" : ", ", lane.core);
  if (!name.empty()) name += ": ";
  name += name_of(lane.kind);
  return lane.operand.empty() ? name : name + " " + lane.operand;
}

std::string slot_of(const Timeline& t, const Tenancy& life) {
  return fmt::format("{}{}", t.rows[life.row].letter, life.slot);
}

std::string block_text(const Timeline& t, Index block) {
  if (block == kNone) return "";
  const Block& b = t.blocks[block];
  return fmt::format("{} ({})", b.elements ? "elements" : "block", fmt::join(b.at, ", "));
}

std::string step_text(const Timeline& t, Index step) {
  return step == kNone || t.steps[step].empty() ? "" : fmt::format("({})", fmt::join(t.steps[step], ", "));
}

}  // namespace millrace::timing
