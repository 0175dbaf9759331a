// SPDX-License-Identifier: Apache-2.0
#include "front/view_kernel.h"

#include "api/check.h"
#include "front/case_load.h"
#include "timing/build.h"
#include "timing/recorder.h"

namespace millrace::front {

std::string title_of(const KernelRequest& kernel, const LoadedKernel& loaded) {
  return is_case_folder(kernel.module) ? kernel.module.filename().string() : loaded.executable->program.name;
}

timing::Timeline view_kernel(const ViewRequest& request) {
  timing::costs_of(request.kernel.chip, request.costs);  // what is wrong with them is said before anything runs
  return view_loaded(request, load_kernel(request.kernel));
}

timing::Timeline view_loaded(const ViewRequest& request, const LoadedKernel& loaded) {
  const KernelRequest& kernel = request.kernel;
  const RunOptions options = options_of(kernel);
  const timing::Costs costs = timing::costs_of(options.chip, request.costs);
  timing::Recorder recorder;
  const api::Checked checked = api::check(*loaded.executable, loaded.inputs, options, kernel.progress, {&recorder});
  const timing::Trace trace = recorder.take();
  timing::Timeline t = timing::make_timeline(trace, timing::run_clock(trace, costs), costs, checked.findings);
  t.title = title_of(kernel, loaded);
  t.schedule = options.schedule;
  return t;
}

}  // namespace millrace::front
