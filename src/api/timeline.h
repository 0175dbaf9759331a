// SPDX-License-Identifier: Apache-2.0
// A run of a kernel in modeled time.
#pragma once

#include <vector>

#include "api/simulate.h"
#include "timing/costs.h"
#include "timing/timeline.h"

namespace millrace::api {

// Checks the kernel once and lays that run out, its faults at their moments. The title is the kernel's name.
timing::Timeline timeline_of(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
                             const timing::Costs& costs, std::function<void(std::uint64_t)> progress = {});

}  // namespace millrace::api
