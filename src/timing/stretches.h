// SPDX-License-Identifier: Apache-2.0
// Sets of moments, as stretches of time.
#pragma once

#include <utility>
#include <vector>

#include "timing/timeline.h"

namespace millrace::timing {

using Stretch = std::pair<Time, Time>;  // begin, end

// In order and apart from each other; empty ones left out.
std::vector<Stretch> joined(std::vector<Stretch> stretches);
// Of joined ones: how long they are in all, and how much lies in both.
Time length(const std::vector<Stretch>& stretches);
Time common(const std::vector<Stretch>& a, const std::vector<Stretch>& b);

}  // namespace millrace::timing
