// SPDX-License-Identifier: Apache-2.0
// In which lane a copy is drawn, and the order of lanes.
#pragma once

#include "timing/timeline.h"
#include "timing/trace.h"

namespace millrace::timing {

// `far`: to another device.
inline Direction direction_of(event::MemoryKind from, event::MemoryKind to, bool far) {
  if (far) return Direction::kSend;
  if (from == event::MemoryKind::kHbm) return to == event::MemoryKind::kHbm ? Direction::kHbm : Direction::kLoad;
  return to == event::MemoryKind::kHbm ? Direction::kStore : Direction::kLocal;
}

inline LaneKind lane_of(Direction d) {
  switch (d) {
    case Direction::kLoad: return LaneKind::kLoad;
    case Direction::kStore: return LaneKind::kStore;
    case Direction::kHbm: return LaneKind::kHbm;
    case Direction::kLocal: return LaneKind::kLocal;
    case Direction::kSend: return LaneKind::kSend;
  }
  return LaneKind::kLocal;
}

// From top to bottom: what comes in, the work, what goes out, other copies, waiting.
inline int rank_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::kLoad: return 0;
    case LaneKind::kCompute: return 1;
    case LaneKind::kStore: return 2;
    case LaneKind::kHbm: return 3;
    case LaneKind::kLocal: return 4;
    case LaneKind::kSend: return 5;
    case LaneKind::kWait: return 6;
  }
  return 7;
}

}  // namespace millrace::timing
