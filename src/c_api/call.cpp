// SPDX-License-Identifier: Apache-2.0
#include "c_api/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "c_api/arrays.h"
#include "check/catalogue.h"
#include "check/verdict.h"
#include "check/wait_proof.h"
#include "front/one_run.h"
#include "front/report_kernel.h"
#include "timing/coarse.h"
#include "timing/recorder.h"
#include "view/svg.h"

namespace millrace::c_api {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

std::string told(const front::Tensor& t) {
  return fmt::format("{} {}", millrace::name_of(t.dtype), to_string(t.shape));
}

void require_count(const char* what, std::size_t given, std::size_t each, std::size_t devices) {
  if (given == each * devices) return;
  refuse(fmt::format("the kernel takes {} {}s{}, but {} were given", each, what,
                     devices > 1 ? fmt::format(" on each of {} devices", devices) : "", given));
}

// The first arrays of a device are the dynamic bounds of the grid.
std::vector<std::int64_t> bounds_of(std::span<const millrace_array> arrays) {
  std::vector<std::int64_t> bounds;
  for (const millrace_array& array : arrays) {
    const Array bound = copy_of(array, "a bound of the grid");
    if (bound.size() != 1 || is_float(bound.dtype())) refuse("a bound of the grid is one integer");
    if (bound.flat(0) < 0) refuse(fmt::format("a bound of the grid is {}; 0 or more is legal", bound.flat(0)));
    bounds.push_back(static_cast<std::int64_t>(bound.flat(0)));
  }
  return bounds;
}

// What every device has alike.
template <class T>
const T& common(const std::vector<T>& by_device, const char* what) {
  if (std::ranges::any_of(by_device, [&](const T& other) { return !(other == by_device[0]); }))
    refuse(fmt::format("the devices were given different {}", what));
  return by_device[0];
}

std::vector<front::Tensor> tensors_of(std::span<const millrace_array> arrays, std::size_t each, std::size_t skip,
                                      const char* what) {
  std::vector<front::Tensor> first;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::size_t at = i % (each + skip);
    if (at < skip) continue;
    const front::Tensor t = tensor_of(arrays[i], fmt::format("{} {}", what, at - skip));
    if (i < each + skip)
      first.push_back(t);
    else if (t.dtype != first[at - skip].dtype || t.shape != first[at - skip].shape)
      refuse(fmt::format("{} {} of device {} is {}, but that of device 0 is {}", what, at - skip, i / (each + skip),
                         told(t), told(first[at - skip])));
  }
  return first;
}

// Without a verdict on everything: one run, and the races where they are asked for.
report::Checked simulated(const front::CheckRequest& request, const front::LoadedKernel& loaded, Check check,
                          machine::Outcome& outcome) {
  RunOptions options = front::options_of(request.kernel);
  options.detect_races = check == Check::kRaces;
  api::Simulation s = api::simulate(*loaded.executable, loaded.inputs, options);
  report::Checked checked;
  checked.kernel = loaded.executable->program.name;
  checked.findings = std::move(s.races);
  for (Finding& f : s.stops) checked.findings.push_back(std::move(f));
  for (Finding& f : checked.findings) checkers::complete(f);
  checked.verdict = checkers::verdict_on(checked.findings);
  checked.schedules = front::covered_by_one_run(loaded.executable->program, request.kernel.cores, checked.findings);
  checked.schedules.control_depends_on = loaded.steering;
  if (check == Check::kNone) checked.schedules.complete = false, checked.schedules.open = {"races were not looked for"};
  checked.work = s.outcome.work;
  outcome = std::move(s.outcome);
  return checked;
}

}  // namespace

front::LoadedKernel loaded_for(Module& module, Arrays inputs, Arrays outputs) {
  const front::CheckRequest& request = module.options().request;
  const auto devices = static_cast<std::size_t>(request.kernel.devices);
  const std::size_t each = module.bounds() + module.inputs();
  require_count("input", inputs.size(), each, devices);
  require_count("output", outputs.size(), module.outputs(), devices);
  std::vector<std::vector<std::int64_t>> bounds;
  for (std::size_t d = 0; d < devices; ++d) bounds.push_back(bounds_of(inputs.subspan(d * each, module.bounds())));
  front::LoadedKernel loaded =
      module.prepared(tensors_of(inputs, module.inputs(), module.bounds(), "input"),
                      tensors_of(outputs, module.outputs(), 0, "output"), common(bounds, "bounds of the grid"));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (i % each >= module.bounds()) loaded.inputs.push_back(copy_of(inputs[i], "an input"));
  return loaded;
}

Judged judged(const Module& module, const front::LoadedKernel& loaded) {
  const front::CheckRequest& request = module.options().request;
  const Check check = module.options().check;
  Judged result;
  result.checked = check == Check::kAll ? front::check_loaded(request, loaded, &result.outcome)
                                        : simulated(request, loaded, check, result.outcome);
  result.checked.module = module.options().name;
  return result;
}

void fill(Arrays outputs, const machine::Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.outputs.size() && i < outputs.size(); ++i)
    copy_to(outcome.outputs[i], outputs[i]);
}

std::string drawn(const Module& module, const front::LoadedKernel& loaded) {
  constexpr std::size_t kMostBars = 5'000;
  front::ViewRequest request{module.options().request.kernel, {}};
  timing::Timeline timeline = front::view_loaded(request, loaded);
  timeline.title = module.options().name;
  return view::to_svg(timing::coarse(std::move(timeline), kMostBars));
}

std::string page_of(const Module& module, const front::LoadedKernel& loaded, report::Checked checked,
                    const std::string& title) {
  constexpr std::size_t kMostBars = 100'000;
  timing::Recorder recorder;
  checkers::WaitProofs waits;
  const front::ViewRequest request{module.options().request.kernel, {}, millrace_version(), module.sha256()};
  api::simulate(*loaded.executable, loaded.inputs, front::options_of(request.kernel), {&recorder, &waits});
  checked.why_wait = true, checked.waits = waits.sites();
  const front::SourceLines lines = front::source_lines(checked.findings, [&](const std::string& name) {
    return std::vector<std::filesystem::path>{module.source_of(name)};
  });
  view::Report report = front::report_of(request, loaded, checked, recorder.take(), lines);
  report.timeline = timing::coarse(std::move(report.timeline), kMostBars);
  report.timeline.title = title;
  return view::to_html(report);
}

}  // namespace millrace::c_api
