// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, checked and laid out in modeled time: all that its report shows.
#pragma once

#include "front/check_kernel.h"
#include "front/view_kernel.h"
#include "view/report_html.h"

namespace millrace::front {

struct ReportRequest {
  ViewRequest view;
  bool explore = false;           // all orders of events, as far as they differ
  std::uint64_t max_classes = 0;  // that are explored; 0: a million
};

// What run_kernel refuses is refused.
view::Report report_kernel(const ReportRequest& request);

}  // namespace millrace::front
