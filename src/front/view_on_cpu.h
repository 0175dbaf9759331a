// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, run with explicit copies on this CPU: what was copied and computed when, as
// measured.
#pragma once

#include <vector>

#include "front/run_kernel.h"
#include "target/cpu/copies.h"
#include "target/cpu/plan.h"
#include "timing/timeline.h"
#include "view/report_html.h"

namespace millrace::front {

// The last of a few runs.
timing::Timeline view_on_cpu(const KernelRequest& request);

// That timeline in the report of the kernel's check, which the simulator makes.
view::Report report_on_cpu(const KernelRequest& request, const std::string& millrace_version = {});

// The spans of one run as lanes: the copies of each window, the kernel's own DMAs by operand, the steps of the body,
// and what it waited for.
timing::Timeline timeline_of(const cpu::Plan& plan, const std::vector<cpu::Span>& spans);

}  // namespace millrace::front
