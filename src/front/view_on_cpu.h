// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, run with explicit copies on this CPU: what was copied and computed when, as
// measured.
#pragma once

#include <vector>

#include "front/run_kernel.h"
#include "target/cpu/copies.h"
#include "target/cpu/plan.h"
#include "timing/timeline.h"

namespace millrace::front {

// The last of a few runs. Error(kUnsupported) for a kernel without windows: nothing is copied for it while it computes.
timing::Timeline view_on_cpu(const KernelRequest& request);

// The spans of one run as lanes: the copies of each window, the steps of the body, and what it waited for.
timing::Timeline timeline_of(const cpu::Plan& plan, const std::vector<cpu::Span>& spans);

}  // namespace millrace::front
