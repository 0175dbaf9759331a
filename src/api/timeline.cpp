// SPDX-License-Identifier: Apache-2.0
#include "api/timeline.h"

#include <utility>

#include "api/check.h"
#include "timing/build.h"
#include "timing/recorder.h"

namespace millrace::api {

timing::Timeline timeline_of(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
                             const timing::Costs& costs, std::function<void(std::uint64_t)> progress) {
  timing::Recorder recorder;
  const Checked checked = check(executable, inputs, options, std::move(progress), {&recorder});
  const timing::Trace trace = recorder.take();
  timing::Timeline t = timing::make_timeline(trace, timing::run_clock(trace, costs), costs, checked.findings);
  t.title = executable.program.name;
  t.schedule = options.schedule;
  return t;
}

}  // namespace millrace::api
