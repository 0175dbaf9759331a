// SPDX-License-Identifier: Apache-2.0
// The order of lanes from top to bottom: what comes in, the work, what goes out, other copies, waiting.
#pragma once

#include "timing/timeline.h"

namespace millrace::timing {

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
