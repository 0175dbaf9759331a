// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, checked and laid out in modeled time: all that its report shows.
#pragma once

#include "front/check_kernel.h"
#include "front/source_lines.h"
#include "front/view_kernel.h"
#include "timing/trace.h"
#include "view/report_html.h"

namespace millrace::front {

struct ReportRequest {
  ViewRequest view;
  bool explore = false;           // all orders of events, as far as they differ
  std::uint64_t max_classes = 0;  // that are explored; 0: a million
};

// What run_kernel refuses is refused.
view::Report report_kernel(const ReportRequest& request);

// The same of a run that is over: what was found in it, what its recorder took, lines around the findings' places.
view::Report report_of(const ViewRequest& request, const LoadedKernel& loaded, const report::Checked& checked,
                       const timing::Trace& trace, const SourceLines& sources);

}  // namespace millrace::front
