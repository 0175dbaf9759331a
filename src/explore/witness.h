// SPDX-License-Identifier: Apache-2.0
// A schedule that shows a race, or a whole class of runs: the machine follows it with --schedule replay:FILE
// (machine/replay.h has the format).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "explore/explore.h"

namespace millrace::explore {

// One in which the first of each pair happens before the second; none where no run does that. Only the DMAs of the
// pairs are named: the others move where a core is blocked.
std::optional<std::string> witness(const Skeleton& skeleton, std::span<const Pair> orders, bool whole_signals = false);

}  // namespace millrace::explore
