// SPDX-License-Identifier: Apache-2.0
#include "api/simulate.h"

#include <fmt/format.h>

#include "api/stops.h"
#include "check/coverage.h"
#include "check/races.h"
#include "check/undefined.h"
#include "mosaic/io.h"
#include "plan/chip.h"
#include "program/lower.h"

namespace millrace::api {

namespace {

std::vector<program::OperandSpec> specs_of(const std::vector<Array>& arrays) {
  std::vector<program::OperandSpec> specs;
  for (const Array& a : arrays) specs.push_back({a.dtype(), a.shape()});
  return specs;
}

// An executable reads its inputs where they lie: others than it was prepared for would be read past their end.
void require_same(const std::vector<Array>& inputs, const std::vector<program::OperandSpec>& specs, int devices) {
  const std::size_t wanted = specs.size() * static_cast<std::size_t>(devices);
  if (inputs.size() != wanted)
    throw Error(ErrorCode::kUser, fmt::format("prepared for {} inputs, but {} were given", wanted, inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const program::OperandSpec& spec = specs[i % specs.size()];
    if (inputs[i].dtype() != spec.dtype || inputs[i].shape() != spec.shape)
      throw Error(ErrorCode::kUser,
                  fmt::format("input {} is {} {}, but the kernel was prepared for {} {}", i, name_of(inputs[i].dtype()),
                              to_string(inputs[i].shape()), name_of(spec.dtype), to_string(spec.shape)));
  }
}

bool signals_whole(const std::string& dma_signal) {
  if (dma_signal == "progressive" || dma_signal == "whole") return dma_signal == "whole";
  throw Error(ErrorCode::kUser, fmt::format("DMAs signal 'progressive' or 'whole', not '{}'", dma_signal));
}

}  // namespace

std::unique_ptr<const Executable> prepare(const mosaic::Module& module, std::vector<program::OperandSpec> inputs,
                                          std::vector<program::OperandSpec> outputs,
                                          const program::Environment& environment, const Names& names) {
  mosaic::verify_module(module);
  auto e = std::make_unique<Executable>();
  e->inputs = std::move(inputs);
  e->outputs = std::move(outputs);
  e->program = program::lower(module, e->inputs, e->outputs, environment);
  if (rename(e->program, names)) e->names = names;
  e->linked = machine::link(e->program);
  return e;
}

Simulation simulate(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
                    std::vector<event::Observer*> observers, std::function<void(std::uint64_t steps)> progress,
                    Definedness definedness) {
  require_same(inputs, executable.inputs, executable.program.devices);
  auto choice = machine::choice_named(options.schedule);
  checkers::Races races;
  auto writers = std::make_shared<checkers::LastWriter>();
  if (options.detect_races) observers.push_back(&races);
  if (options.track_writers) observers.push_back(writers.get());
  checkers::Undefined undefined;
  checkers::Coverage coverage;
  if (options.check_definedness) observers.push_back(&undefined), observers.push_back(&coverage);
  Simulation s;
  machine::Request request{inputs, executable.outputs, choice.get(), observers, options.max_steps, std::move(progress)};
  request.dma_granule = plan::chip_named(options.chip).dma_granule;
  request.whole_signals = signals_whole(options.dma_signal);
  request.definedness = options.check_definedness || definedness == Definedness::kToObservers;
  s.outcome = machine::execute(executable.linked, request);
  s.races = races.findings();
  s.undefined = undefined.findings();
  s.undefined.insert(s.undefined.end(), coverage.findings().begin(), coverage.findings().end());
  if (options.track_writers) s.writers = std::move(writers);
  s.stops = stops_of(s.outcome, executable.program);
  return s;
}

Simulation simulate(const mosaic::Module& module, const std::vector<Array>& inputs,
                    const std::vector<program::OperandSpec>& outputs, const RunOptions& options,
                    std::vector<event::Observer*> observers, const program::Environment& environment) {
  return simulate(*prepare(module, specs_of(inputs), outputs, environment), inputs, options, std::move(observers));
}

}  // namespace millrace::api
