// SPDX-License-Identifier: Apache-2.0
#include "front/case_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "array/npy_read.h"
#include "front/case_compare.h"
#include "front/fill.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

// As the file has it, held against what case.json says of it.
Array array_of(const CaseFolder& c, const CaseOperand& operand) {
  const auto path = c.folder / operand.file;
  Array array = read_npy_in_any_order(path, operand.tensor.dtype);
  if (array.shape() != operand.tensor.shape)
    throw Error(ErrorCode::kUser, fmt::format("{} has shape {}, but case.json says {}", path.string(),
                                              to_string(array.shape()), to_string(operand.tensor.shape)));
  return array;
}

// Where there is no file nobody looks at the data: 0, 1, 2, ...
Array input_of(const CaseFolder& c, std::size_t i) {
  const CaseOperand& operand = c.inputs[i];
  if (operand.unwritten)
    throw Error(ErrorCode::kUnsupported, fmt::format("in{} is an unwritten buffer, which is not supported", i));
  if (!operand.file.empty()) return array_of(c, operand);
  return filled("iota", i, operand.tensor.dtype, operand.tensor.shape);
}

Plan plan_of_case(const CaseFolder& c, const std::vector<Array>& inputs) {
  Plan plan;
  for (std::size_t i = 0; i < c.bounds; ++i) {
    if (inputs[i].size() != 1) throw Error(ErrorCode::kUser, fmt::format("in{} is a grid bound, not a scalar", i));
    plan.environment.grid_bounds.push_back(static_cast<std::int64_t>(inputs[i].flat(0)));
  }
  for (const Aliased& a : c.aliases) {
    if (a.input < c.bounds) throw Error(ErrorCode::kUser, fmt::format("in{} is a grid bound and an alias", a.input));
    plan.environment.aliases.push_back({a.input - static_cast<std::uint32_t>(c.bounds), a.output});
  }
  return plan;
}

void compare(const CaseFolder& c, const api::Simulation& s, CaseResult& result) {
  std::vector<Finding> reported = s.races;
  reported.insert(reported.end(), s.stops.begin(), s.stops.end());
  reported.insert(reported.end(), s.undefined.begin(), s.undefined.end());
  Comparison findings = compare_findings(reported, c.findings);
  if (c.faulty && c.findings.empty()) findings.wrong.push_back("case.json says faulty, but names no finding");
  result.reasons = std::move(findings.wrong);
  result.inexact = std::move(findings.inexact);
  if (c.faulty || !s.stops.empty()) return;
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    if (c.outputs[i].file.empty()) continue;
    const std::string why = compare_arrays(s.outcome.outputs[i], array_of(c, c.outputs[i]), c.rtol, c.atol);
    if (!why.empty()) result.reasons.push_back(fmt::format("out{}: {}", i, why));
  }
}

void run_into(const CaseOptions& options, const std::filesystem::path& folder, CaseResult& result) {
  const CaseFolder c = read_case_folder(folder);
  result.name = c.name;
  require_machine("simulator", "v5e", options.dma_signal, c.cores, c.devices);
  const Kernel kernel = read_kernel_file(folder / "kernel.mlirbc");
  std::vector<Array> inputs;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) inputs.push_back(input_of(c, i));
  const Plan plan = plan_of_case(c, inputs);
  inputs.erase(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(c.bounds));
  std::vector<Tensor> in, out;
  for (const Array& a : inputs) in.push_back({a.dtype(), a.shape()});
  for (const CaseOperand& o : c.outputs) out.push_back(o.tensor);
  const auto executable = prepare(kernel, plan, std::move(in), std::move(out), options.max_bytes);
  RunOptions run;
  run.schedule = options.schedule, run.max_steps = options.max_steps, run.detect_races = true,
  run.check_definedness = true;
  compare(c, api::simulate(*executable, inputs, run), result);
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
