// SPDX-License-Identifier: Apache-2.0
#include "laid_out.h"

#include "api/check.h"
#include "front/case_load.h"
#include "runs.h"
#include "timing/recorder.h"

namespace millrace::test {

timing::Costs round_costs(const std::map<std::string, double>& given) {
  std::map<std::string, double> all = {{"bandwidth", 1000},     {"dma-latency", 0.001},       {"control", 0},
                                       {"vector-rate", 1e6},    {"transcendental-rate", 1e6}, {"rearrange-rate", 1e6},
                                       {"load-rate", 1e6},      {"store-rate", 1e6},          {"local-bandwidth", 1000},
                                       {"link-bandwidth", 1000}};
  for (const auto& [name, value] : given) all[name] = value;
  return timing::costs_of("v5e", all);
}

namespace {

Laid laid(timing::Trace trace, const timing::Costs& costs, const std::vector<Finding>& findings) {
  Laid l{std::move(trace), costs, {}, {}};
  l.times = timing::run_clock(l.trace, costs);
  l.timeline = timing::make_timeline(l.trace, l.times, costs, findings);
  return l;
}

}  // namespace

Laid laid_out(const Kernel& kernel, const std::vector<Array>& inputs, const timing::Costs& costs,
              const std::string& schedule) {
  timing::Recorder recorder;
  run(kernel, inputs, {.schedule = schedule, .observers = {&recorder}});
  return laid(recorder.take(), costs, {});
}

Laid laid_out(const std::filesystem::path& folder, const timing::Costs& costs, const std::string& schedule) {
  const front::LoadedKernel c = front::load_case(front::read_case_folder(folder), 0);
  RunOptions options;
  options.schedule = schedule, options.max_steps = 1'000'000;
  timing::Recorder recorder;
  const api::Checked checked = api::check(*c.executable, c.inputs, options, {}, {&recorder});
  return laid(recorder.take(), costs, checked.findings);
}

std::filesystem::path small_case(const std::string& name) {
  return std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests/cases" / name;
}

Kernel double_buffer(int n) {
  return kernel("double_buffer", {hbm(f32, {8 * n, 128})}, {hbm(f32, {8 * n, 128})}, [=](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 128}), dma_semaphores(2), [&](Ref buffer, Semaphores arrived) {
      auto load = [&](Index i) { return make_async_copy(x.rows(8 * i, 8), buffer[i % 2], arrived[i % 2]); };
      load(0).start();
      for_range(0, n, [&](Index i) {
        when(i + 1 < n, [&] { load(i + 1).start(); });
        load(i).wait();
        Value tile = buffer[i % 2].load();
        buffer[i % 2].store(2.0f * tile);
        sync_copy(buffer[i % 2], out.rows(8 * i, 8));
      });
    });
  });
}

Array rows_of(int n) { return counted(f32, {8 * n, 128}); }

}  // namespace millrace::test
