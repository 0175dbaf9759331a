// SPDX-License-Identifier: Apache-2.0
#include "front/case_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "explore/explore.h"
#include "explore/recorder.h"
#include "front/case_compare.h"
#include "front/case_load.h"
#include "front/check_kernel.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

void compare(const CaseFolder& c, const std::vector<Finding>& found, const machine::Outcome& outcome, bool whole,
             CaseResult& result) {
  const bool other = whole && c.whole_findings;
  const nlohmann::json& expected = other ? *c.whole_findings : c.findings;
  Comparison findings = compare_findings(found, expected);
  if (!other && c.faulty && c.findings.empty()) findings.wrong.push_back("case.json says faulty, but names no finding");
  result.reasons = std::move(findings.wrong);
  result.inexact = std::move(findings.inexact);
  if (!expected.empty() || !outcome.ended()) return;
  const std::vector<Array>& outputs = outcome.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t number = i % c.outputs.size(), device = i / c.outputs.size();
    if (c.outputs[number].files.empty()) continue;
    const std::string why = compare_arrays(outputs[i], case_array(c, c.outputs[number], device), c.rtol, c.atol);
    if (why.empty()) continue;
    const std::string whose = c.devices > 1 ? fmt::format(" of device {}", device) : "";
    result.reasons.push_back(fmt::format("out{}{}: {}", number, whose, why));
  }
}

void compare_classes(const CaseFolder& c, const explore::Skeleton& skeleton, const CaseOptions& options,
                     CaseResult& result) {
  explore::Options how;
  how.whole_signals = options.dma_signal == "whole";
  how.max_classes = options.max_classes;
  const ClassCounts& expected = how.whole_signals ? c.whole_classes : c.classes;
  if (!expected.complete && !expected.deadlocked) return;
  const explore::Result found = explore::explore(skeleton, how);
  const auto compare = [&](const char* name, std::uint64_t got, const std::optional<std::uint64_t>& right) {
    if (right && got != *right)
      result.reasons.push_back(
          fmt::format("{} {}{}, expected {}", name, found.complete ? "" : "at least ", got, *right));
  };
  compare("classes", found.classes, expected.complete);
  compare("classes_deadlocked", found.classes_deadlocked, expected.deadlocked);
  if (!found.complete) result.reasons.push_back("not all schedules were explored: " + found.stopped);
}

void run_into(const CaseOptions& options, const std::filesystem::path& folder, CaseResult& result) {
  const CaseFolder c = read_case_folder(folder);
  result.name = c.name;
  require_machine("simulator", c.chip, options.dma_signal, c.cores, c.devices);
  const LoadedKernel loaded = load_case(c, options.max_bytes);
  CheckRequest request;
  request.kernel.module = folder;
  request.kernel.schedule = options.schedule, request.kernel.max_steps = options.max_steps;
  request.kernel.dma_signal = options.dma_signal, request.kernel.chip = c.chip;
  request.kernel.cores = c.cores, request.kernel.devices = c.devices;
  request.max_classes = options.max_classes;
  explore::Recorder recorder;
  std::vector<event::Observer*> observers;
  if (options.explore) observers.push_back(&recorder);
  // As `check` judges: where races steer control, what other orders show counts, too.
  machine::Outcome outcome;
  const report::Checked checked = check_loaded(request, loaded, &outcome, observers);
  compare(c, checked.findings, outcome, options.dma_signal == "whole", result);
  if (options.explore) compare_classes(c, recorder.take(), options, result);
}

}  // namespace

CaseResult run_case(const std::filesystem::path& folder, const CaseOptions& options) {
  CaseResult result;
  result.folder = folder.string();
  result.name = folder.filename().string();
  try {
    run_into(options, folder, result);
  } catch (const Error& error) {
    result.reasons.push_back((error.code() == ErrorCode::kUnsupported ? "unsupported: " : "") +
                             std::string(error.what()));
  } catch (const std::bad_alloc&) {
    result.reasons.emplace_back("the memory of this machine does not suffice");
  } catch (const std::exception& fault) {
    result.reasons.push_back(fmt::format("internal error: {}", fault.what()));
  }
  result.passed = result.reasons.empty();
  return result;
}

std::vector<CaseResult> run_cases(const std::vector<std::filesystem::path>& folders, const CaseOptions& options,
                                  int jobs) {
  machine::choice_named(options.schedule);
  std::vector<CaseResult> results(folders.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < folders.size();) results[i] = run_case(folders[i], options);
  };
  std::vector<std::jthread> threads;
  const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(std::max(jobs, 1)), folders.size());
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return results;
}

}  // namespace millrace::front
