// SPDX-License-Identifier: Apache-2.0
#include "millrace/run.h"

#include <fmt/format.h>

#include "api/check.h"
#include "api/prepared.h"
#include "api/writer.h"
#include "array/shape.h"
#include "check/verdict.h"
#include "dsl/trace.h"

namespace millrace {

namespace api {

std::unique_ptr<const Executable> prepared(const Kernel& kernel, const std::vector<Array>& inputs,
                                           bool blocks_in_place) {
  std::vector<dsl::Operand> operands;
  std::vector<program::OperandSpec> in, out;
  for (const Array& a : inputs) operands.push_back({a.dtype(), a.shape()}), in.push_back({a.dtype(), a.shape()});
  const dsl::Traced traced = dsl::trace(kernel, operands, blocks_in_place);
  for (const dsl::Operand& o : traced.outputs) out.push_back({o.dtype, o.shape});
  program::Environment environment;
  for (const Alias& a : traced.aliases) {
    environment.aliases.push_back({static_cast<std::uint32_t>(a.input), static_cast<std::uint32_t>(a.output)});
  }
  return prepare(*traced.module, std::move(in), std::move(out), environment);
}

}  // namespace api

struct Results::Writers {
  std::shared_ptr<const checkers::LastWriter> observer;
};

namespace {

Results results_of(api::Simulation s) {
  if (!s.stops.empty()) throw Error(ErrorCode::kFinding, fmt::format("{}: {}", s.stops[0].id, s.stops[0].message));
  Results r;
  r.arrays = std::move(s.outcome.outputs);
  r.races = std::move(s.races);
  r.undefined = std::move(s.undefined);
  r.work = s.outcome.work;
  if (s.writers) r.writers = std::make_shared<Results::Writers>(Results::Writers{std::move(s.writers)});
  return r;
}

}  // namespace

Results::operator Array() const {
  if (arrays.size() == 1) return arrays[0];
  throw Error(ErrorCode::kUser,
              fmt::format("the kernel has {} outputs; take one by its number, results[0]", arrays.size()));
}

std::optional<Writer> Results::writer(std::size_t output, std::int64_t flat) const {
  if (!writers) throw Error(ErrorCode::kUser, "who wrote what is known only with RunOptions::track_writers");
  const Array& array = arrays.at(output);
  if (flat < 0 || flat >= array.size())
    throw Error(ErrorCode::kUser,
                fmt::format("element {} lies outside output {}, which has {} elements", flat, output, array.size()));
  return api::last_writer(*writers->observer, output, position_of(flat, array.shape()));
}

struct Prepared::State {
  std::unique_ptr<const api::Executable> executable;
};

Prepared::Prepared(const Kernel& kernel, const std::vector<Array>& like)
    : state_(std::make_shared<State>(State{api::prepared(kernel, like)})) {}

Results Prepared::run(const std::vector<Array>& inputs, const RunOptions& options) const {
  return results_of(api::simulate(*state_->executable, inputs, options));
}

Results run(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options) {
  return Prepared(kernel, inputs).run(inputs, options);
}

Report Prepared::check(const std::vector<Array>& inputs, const RunOptions& options) const {
  api::Checked checked = api::check(*state_->executable, inputs, options);
  Report report;
  report.findings = std::move(checked.findings);
  report.verdict = checkers::verdict_on(report.findings);
  if (checked.outcome.ended()) report.outputs = std::move(checked.outcome.outputs);
  report.work = checked.outcome.work;
  return report;
}

Report check(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options) {
  return Prepared(kernel, inputs).check(inputs, options);
}

}  // namespace millrace
