// SPDX-License-Identifier: Apache-2.0
// A schedule that shows a race: the machine follows it with --schedule replay:FILE (machine/replay.h has the format).
#pragma once

#include <optional>
#include <string>

#include "explore/explore.h"

namespace millrace::explore {

// One in which `before` happens before `after`; none where no run does that. Only the DMAs of the two are named: the
// others move where a core is blocked.
std::optional<std::string> witness(const Skeleton& skeleton, const Step& before, const Step& after,
                                   bool whole_signals = false);

}  // namespace millrace::explore
