// SPDX-License-Identifier: Apache-2.0
#include "front/view_kernel.h"

#include <fmt/format.h>

#include "api/check.h"
#include "front/case_run.h"
#include "millrace/error.h"
#include "timing/build.h"
#include "timing/recorder.h"

namespace millrace::front {

namespace {

// A folder brings its arrays, cores and devices; what contradicts it is refused, not dropped.
void require_no_operands(const KernelRequest& r) {
  if (r.input_files.empty() && r.fill.empty() && r.cores == 1 && r.devices == 1 && r.pick.empty()) return;
  throw Error(ErrorCode::kUser,
              fmt::format("{} is a case folder, which says itself what its kernel takes: leave out --input, --fill, "
                          "--kernel, --cores and --devices",
                          r.module.string()));
}

struct Loaded {
  std::string title;
  std::unique_ptr<const api::Executable> executable;
  std::vector<Array> inputs;
  RunOptions options;
};

Loaded load(const ViewRequest& request) {
  const KernelRequest& r = request.kernel;
  if (!std::filesystem::is_directory(r.module)) {
    LoadedKernel k = load_kernel(r);
    return {k.executable->program.name, std::move(k.executable), std::move(k.inputs), options_of(r)};
  }
  require_no_operands(r);
  CaseOptions options;
  options.schedule = r.schedule, options.max_steps = r.max_steps, options.max_bytes = r.max_bytes;
  options.dma_signal = r.dma_signal;
  LoadedCase c = load_case(r.module, options);
  if (request.chip_given) c.run.chip = r.chip;
  return {c.folder.name, std::move(c.executable), std::move(c.inputs), std::move(c.run)};
}

}  // namespace

timing::Timeline view_kernel(const ViewRequest& request) {
  timing::costs_of(request.kernel.chip, request.costs);  // what is wrong with them is said before anything runs
  const Loaded loaded = load(request);
  const timing::Costs costs = timing::costs_of(loaded.options.chip, request.costs);
  timing::Recorder recorder;
  const api::Checked checked =
      api::check(*loaded.executable, loaded.inputs, loaded.options, request.kernel.progress, {&recorder});
  const timing::Trace trace = recorder.take();
  timing::Timeline t = timing::make_timeline(trace, timing::run_clock(trace, costs), costs, checked.findings);
  t.title = loaded.title, t.schedule = loaded.options.schedule;
  return t;
}

}  // namespace millrace::front
