// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, or a case folder, checked once and laid out in modeled time.
#pragma once

#include <map>
#include <string>

#include "front/run_kernel.h"
#include "timing/timeline.h"

namespace millrace::front {

struct ViewRequest {
  KernelRequest kernel;                 // `module` may be a case folder, which then brings arrays, cores and chip
  std::map<std::string, double> costs;  // parameters of the modeled clock (timing/costs.h)
  std::string millrace_version = {};    // for the receipt of a report
  std::string module_sha256 = {};       // for it, too, where the module was changed since it was read
};

// The run is checked, so that its faults stand in the timeline; what run_kernel refuses is refused.
timing::Timeline view_kernel(const ViewRequest& request);

// The same of a kernel that is loaded already.
timing::Timeline view_loaded(const ViewRequest& request, const LoadedKernel& loaded);

// What a picture of it is called: the case, else the kernel.
std::string title_of(const KernelRequest& kernel, const LoadedKernel& loaded);

}  // namespace millrace::front
