// SPDX-License-Identifier: Apache-2.0
#include "front/case_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "api/check.h"
#include "array/npy_read.h"
#include "explore/explore.h"
#include "explore/recorder.h"
#include "front/case_compare.h"
#include "front/fill.h"
#include "machine/memory.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

// As the file has it, held against what case.json says of it.
Array array_of(const CaseFolder& c, const CaseOperand& operand, std::size_t device) {
  const auto path = c.folder / operand.files[operand.files.size() > 1 ? device : 0];
  Array array = read_npy_in_any_order(path, operand.tensor.dtype);
  if (array.shape() != operand.tensor.shape)
    throw Error(ErrorCode::kUser, fmt::format("{} has shape {}, but case.json says {}", path.string(),
                                              to_string(array.shape()), to_string(operand.tensor.shape)));
  return array;
}

Array poison(const Tensor& tensor) {
  Array array = Array::unset(tensor.dtype, tensor.shape);
  machine::fill_with_poison(array);
  return array;
}

// Where there is no file nobody looks at the data: 0, 1, 2, ...
Array input_of(const CaseFolder& c, std::size_t i, std::size_t device) {
  const CaseOperand& operand = c.inputs[i];
  if (!operand.files.empty()) return array_of(c, operand, device);
  if (operand.unwritten) return poison(operand.tensor);
  return filled("iota", i, operand.tensor.dtype, operand.tensor.shape);
}

// Those of device 0, then those of device 1, ...; the grid's bounds, which all devices share, come first.
std::vector<Array> inputs_of(const CaseFolder& c) {
  std::vector<Array> inputs;
  for (std::size_t d = 0; d < static_cast<std::size_t>(c.devices); ++d)
    for (std::size_t i = d == 0 ? 0 : c.bounds; i < c.inputs.size(); ++i) inputs.push_back(input_of(c, i, d));
  return inputs;
}

// Arrays without a file, before they are made.
void require_made_fit(const CaseFolder& c, std::uint64_t max_bytes) {
  Plan made;
  made.environment.devices = static_cast<int>(c.devices);
  for (const CaseOperand& o : c.inputs)
    if (o.files.empty()) made.inputs.emplace_back(o.tensor);
  for (const CaseOperand& o : c.outputs) made.outputs.emplace_back(o.tensor);
  require_filled_fit(made, 0, max_bytes);
}

Plan plan_of_case(const CaseFolder& c, const std::vector<Array>& inputs) {
  Plan plan;
  for (std::size_t i = 0; i < c.bounds; ++i) {
    if (inputs[i].size() != 1) throw Error(ErrorCode::kUser, fmt::format("in{} is a grid bound, not a scalar", i));
    plan.environment.grid_bounds.push_back(static_cast<std::int64_t>(inputs[i].flat(0)));
  }
  for (std::size_t i = c.bounds; i < c.inputs.size(); ++i)
    if (c.inputs[i].unwritten) plan.environment.unwritten.push_back(static_cast<std::uint32_t>(i - c.bounds));
  plan.environment.devices = static_cast<int>(c.devices), plan.environment.cores = static_cast<int>(c.cores);
  for (const Aliased& a : c.aliases) {
    if (a.input < c.bounds) throw Error(ErrorCode::kUser, fmt::format("in{} is a grid bound and an alias", a.input));
    plan.environment.aliases.push_back({a.input - static_cast<std::uint32_t>(c.bounds), a.output});
  }
  return plan;
}

void compare(const CaseFolder& c, const api::Checked& checked, bool whole, CaseResult& result) {
  const bool other = whole && c.whole_findings;
  const nlohmann::json& expected = other ? *c.whole_findings : c.findings;
  Comparison findings = compare_findings(checked.findings, expected);
  if (!other && c.faulty && c.findings.empty()) findings.wrong.push_back("case.json says faulty, but names no finding");
  result.reasons = std::move(findings.wrong);
  result.inexact = std::move(findings.inexact);
  if (!expected.empty() || !checked.outcome.ended()) return;
  const std::vector<Array>& outputs = checked.outcome.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t number = i % c.outputs.size(), device = i / c.outputs.size();
    if (c.outputs[number].files.empty()) continue;
    const std::string why = compare_arrays(outputs[i], array_of(c, c.outputs[number], device), c.rtol, c.atol);
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

// The arrays, the program, the options of a folder that has been read.
void load(LoadedCase& loaded, const CaseOptions& options) {
  const CaseFolder& c = loaded.folder;
  require_machine("simulator", c.chip, options.dma_signal, c.cores, c.devices);
  const Kernel kernel = read_kernel_file(c.folder / "kernel.mlirbc");
  require_made_fit(c, options.max_bytes);
  std::vector<Array>& inputs = loaded.inputs;
  inputs = inputs_of(c);
  const Plan plan = plan_of_case(c, inputs);
  inputs.erase(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(c.bounds));
  std::vector<Tensor> in, out;
  for (std::size_t i = c.bounds; i < c.inputs.size(); ++i) in.push_back(c.inputs[i].tensor);
  for (const CaseOperand& o : c.outputs) out.push_back(o.tensor);
  loaded.executable = prepare(kernel, plan, std::move(in), std::move(out), options.max_bytes);
  RunOptions& run = loaded.run;
  run.schedule = options.schedule, run.max_steps = options.max_steps;
  run.dma_signal = options.dma_signal, run.chip = c.chip;
}

void run_into(const CaseOptions& options, const std::filesystem::path& folder, CaseResult& result) {
  LoadedCase loaded;
  loaded.folder = read_case_folder(folder);
  const CaseFolder& c = loaded.folder;
  result.name = c.name;
  load(loaded, options);
  explore::Recorder recorder;
  std::vector<event::Observer*> observers;
  if (options.explore) observers.push_back(&recorder);
  compare(c, api::check(*loaded.executable, loaded.inputs, loaded.run, {}, observers), options.dma_signal == "whole", result);
  if (options.explore) compare_classes(c, recorder.take(), options, result);
}

}  // namespace

LoadedCase load_case(const std::filesystem::path& folder, const CaseOptions& options) {
  LoadedCase loaded;
  loaded.folder = read_case_folder(folder);
  load(loaded, options);
  return loaded;
}

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
