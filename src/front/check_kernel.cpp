// SPDX-License-Identifier: Apache-2.0
#include "front/check_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/check.h"
#include "array/sha256.h"
#include "check/catalogue.h"
#include "check/verdict.h"
#include "front/one_run.h"
#include "front/schedules.h"
#include "plan/chip.h"
#include "rules/rules.h"

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

}  // namespace

rules::Question question_of(const LoadedKernel& loaded, const std::string& chip) {
  std::vector<rules::Operand> operands;
  const api::Names& names = loaded.executable->names;
  const auto add = [&](const char* kind, const std::vector<program::OperandSpec>& specs) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      std::string name = fmt::format("{}{}", kind, i);
      const auto better = names.find(name);
      operands.push_back({better == names.end() ? std::move(name) : better->second, specs[i].shape});
    }
  };
  add("in", loaded.executable->inputs), add("out", loaded.executable->outputs);
  const auto limit = loaded.kernel->call ? vmem_limit_of(*loaded.kernel->call) : std::nullopt;
  return {loaded.kernel->module, plan::chip_named(chip), std::move(operands), limit, names};
}

report::Checked check_kernel(const CheckRequest& request) { return check_loaded(request, load_kernel(request.kernel)); }

report::Checked check_loaded(const CheckRequest& asked, const LoadedKernel& loaded, machine::Outcome* outcome,
                             const std::vector<event::Observer*>& observers) {
  CheckRequest request = asked;
  const program::Program& program = loaded.executable->program;
  Accesses accesses;
  checkers::WaitProofs waits;
  explore::Recorder recorder;
  RunOptions options = options_of(request.kernel);
  const auto started = std::chrono::steady_clock::now();
  std::vector<event::Observer*> watching = {&accesses};
  watching.insert(watching.end(), observers.begin(), observers.end());
  api::Checked judged = api::check(*loaded.executable, loaded.inputs, options, request.kernel.progress, watching);
  request.kernel.schedule = options.schedule = judged.schedule;
  const bool undefined = std::ranges::any_of(judged.findings, [](auto& f) { return f.id == "uninitialized.read"; });
  // What a finding is explained by, and other orders, take a second look; a clean kernel is done with one.
  if (request.explore || request.why_wait || !judged.findings.empty() ||
      !covered_by_one_run(program, request.kernel.cores, judged.findings).complete)
    api::simulate(*loaded.executable, loaded.inputs, options, {&waits, &recorder}, request.kernel.progress,
                  undefined ? api::Definedness::kToObservers : api::Definedness::kAsAsked);

  report::Checked checked;
  checked.module = request.kernel.module.string();
  checked.kernel = program.name;
  checked.load_seconds = loaded.seconds;
  checked.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  checked.work = judged.outcome.work, checked.accesses = accesses.count;
  checked.findings = std::move(judged.findings);
  const explore::Skeleton skeleton = recorder.take();
  Explored orders = explored(request, loaded, skeleton, judged.outcome.work, checked.findings);
  checked.schedules = orders.schedules;
  tell_schedules(request, skeleton, std::move(orders), checked);
  checked.verdict = checkers::verdict_on(checked.findings);
  if (request.rules)
    for (Finding& f : rules::check_rules(question_of(loaded, request.kernel.chip)))
      checked.findings.push_back(std::move(f));
  for (Finding& f : checked.findings) checkers::complete(f);
  checked.why_wait = request.why_wait, checked.waits = waits.sites();
  if (judged.outcome.ended())
    for (const Array& a : judged.outcome.outputs)
      checked.outputs.push_back({a.dtype(), a.shape(), request.kernel.hash ? sha256_of(a) : ""});
  if (outcome) *outcome = std::move(judged.outcome);
  return checked;
}

}  // namespace millrace::front
