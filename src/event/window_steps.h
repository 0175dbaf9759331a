// SPDX-License-Identifier: Apache-2.0
// Of which grid step a move of the window pipeline is: of the one whose block it moves (S5.12).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "event/event.h"

namespace millrace::event {

class WindowSteps {
 public:
  void on(const StepBegan& e) { cores_[{e.who.device, e.who.core}].stepped = true; }
  void on(const WindowEntered& e) {
    std::vector<std::int64_t>& shown = cores_[{e.who.device, e.who.core}].shown;
    if (shown.size() <= e.window) shown.resize(e.window + 1, kNone);
    shown[e.window] = e.slot;
  }
  // Whether it is of the step that comes next, and not of the one that began last: another slot than the shown one is
  // filled for what comes; so is the first, before there is a step.
  bool ahead(const Agent& by, const WindowMove& move) const {
    const auto core = cores_.find({by.device, by.core});
    if (core == cores_.end() || !core->second.stepped) return true;
    const std::vector<std::int64_t>& shown = core->second.shown;
    return !move.out && (move.window >= shown.size() || shown[move.window] != move.slot);
  }

 private:
  static constexpr std::int64_t kNone = -1;
  struct Core {
    bool stepped = false;
    std::vector<std::int64_t> shown;  // by window: its slot
  };
  std::map<std::pair<int, int>, Core> cores_;  // by device and core
};

}  // namespace millrace::event
