// SPDX-License-Identifier: Apache-2.0
#include "front/check_kernel.h"

#include <algorithm>
#include <chrono>

#include "array/sha256.h"
#include "check/catalogue.h"
#include "front/one_run.h"
#include "front/steering.h"

namespace millrace::front {

namespace {

// How much there was to look at.
class Accesses final : public event::Observer {
 public:
  void on(const event::Access&) override { ++count; }
  void on(const event::DmaRead&) override { ++count; }
  void on(const event::DmaWrote&) override { ++count; }

  std::uint64_t count = 0;
};

std::vector<Finding> findings_of(api::Simulation& s) {
  std::vector<Finding> findings = std::move(s.races);
  std::move(s.stops.begin(), s.stops.end(), std::back_inserter(findings));
  for (Finding& f : findings) checkers::complete(f);
  return findings;
}

Verdict verdict_on(const std::vector<Finding>& findings) {
  const bool faulty = std::ranges::any_of(findings, [](const Finding& f) { return f.severity == Severity::kError; });
  return faulty ? Verdict::kFaulty : Verdict::kClean;
}

}  // namespace

report::Checked check_kernel(const CheckRequest& request) {
  const LoadedKernel loaded = load_kernel(request.kernel);
  const program::Program& program = loaded.executable->program;
  Accesses accesses;
  checkers::WaitProofs waits;
  RunOptions options;
  options.schedule = request.kernel.schedule, options.max_steps = request.kernel.max_steps;
  options.detect_races = true;
  const auto started = std::chrono::steady_clock::now();
  api::Simulation s =
      api::simulate(*loaded.executable, loaded.inputs, options, {&accesses, &waits}, request.kernel.progress);

  report::Checked checked;
  checked.module = request.kernel.module.string();
  checked.kernel = program.name;
  checked.load_seconds = loaded.seconds;
  checked.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  checked.work = s.outcome.work, checked.accesses = accesses.count;
  const bool ended = s.stops.empty();
  checked.findings = findings_of(s);
  checked.verdict = verdict_on(checked.findings);
  checked.schedules = covered_by_one_run(program, request.kernel.cores, checked.findings);
  checked.schedules.control_depends_on = steering_inputs(loaded.kernel.module, loaded.inputs.size(), program.aliases);
  if (request.explore && !checked.schedules.complete)
    checked.schedules.open.emplace_back("this version explores no more");
  checked.why_wait = request.why_wait, checked.waits = waits.sites();
  if (ended)
    for (const Array& a : s.outcome.outputs)
      checked.outputs.push_back({a.dtype(), a.shape(), request.kernel.hash ? sha256_of(a) : ""});
  return checked;
}

}  // namespace millrace::front
