// SPDX-License-Identifier: Apache-2.0
#include "api/simulate.h"

#include <fmt/format.h>

#include "check/coverage.h"
#include "check/races.h"
#include "check/undefined.h"
#include "mosaic/io.h"
#include "program/lower.h"

namespace millrace::api {

namespace {

std::vector<program::OperandSpec> specs_of(const std::vector<Array>& arrays) {
  std::vector<program::OperandSpec> specs;
  for (const Array& a : arrays) specs.push_back({a.dtype(), a.shape()});
  return specs;
}

// An executable reads its inputs where they lie: others than it was prepared for would be read past their end.
void require_same(const std::vector<Array>& inputs, const std::vector<program::OperandSpec>& specs) {
  if (inputs.size() != specs.size())
    throw Error(ErrorCode::kUser,
                fmt::format("prepared for {} inputs, but {} were given", specs.size(), inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].dtype() != specs[i].dtype || inputs[i].shape() != specs[i].shape)
      throw Error(ErrorCode::kUser,
                  fmt::format("input {} is {} {}, but the kernel was prepared for {} {}", i, name_of(inputs[i].dtype()),
                              to_string(inputs[i].shape()), name_of(specs[i].dtype), to_string(specs[i].shape)));
}

Finding deadlock(const machine::Outcome& outcome, const std::vector<event::Place>& places) {
  Finding f;
  f.id = "deadlock";
  f.clause = "S4.4";
  f.hint = "each wait needs a start or a signal before it that brings what it asks for";
  for (std::size_t i = 0; i < outcome.waiters.size(); ++i) {
    const event::Blocked& b = outcome.waiters[i];
    const event::Place& place = places[b.at];
    f.waiters.push_back({outcome.waiter_names[i], place.at, outcome.waiter_nth[i], b.who.core, b.has, b.needs});
    f.message += fmt::format("{}core {} waits for ever on {} at {}: it has {}, needs {}", i ? "; " : "", b.who.core,
                             outcome.waiter_names[i], place.where, b.has, b.needs);
  }
  return f;
}

Finding left_its_memory(const machine::Fault& fault, const std::vector<event::Place>& places) {
  Finding f;
  f.id = fault.id;
  f.clause = "S2.6";
  f.message = fmt::format("{} (at {})", fault.message, places[fault.at].where);
  f.hint = "hold the offset and the size against the shape; the last step of a loop is the usual one";
  f.first = Side{"", places[fault.at].at, 0, 0, 0, {}, places[fault.at].where};
  return f;
}

}  // namespace

std::unique_ptr<const Executable> prepare(const mosaic::Module& module, std::vector<program::OperandSpec> inputs,
                                          std::vector<program::OperandSpec> outputs,
                                          const program::Environment& environment) {
  mosaic::verify_module(module);
  auto e = std::make_unique<Executable>();
  e->inputs = std::move(inputs);
  e->outputs = std::move(outputs);
  e->program = program::lower(module, e->inputs, e->outputs, environment);
  e->linked = machine::link(e->program);
  return e;
}

Simulation simulate(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
                    std::vector<event::Observer*> observers, std::function<void(std::uint64_t steps)> progress) {
  require_same(inputs, executable.inputs);
  auto choice = machine::choice_named(options.schedule);
  checkers::Races races;
  auto writers = std::make_shared<checkers::LastWriter>();
  if (options.detect_races) observers.push_back(&races);
  if (options.track_writers) observers.push_back(writers.get());
  checkers::Undefined undefined;
  checkers::Coverage coverage;
  if (options.check_definedness) observers.push_back(&undefined), observers.push_back(&coverage);
  Simulation s;
  s.outcome = machine::execute(executable.linked, {inputs, executable.outputs, choice.get(), observers,
                                                   options.max_steps, std::move(progress), options.check_definedness});
  s.races = races.findings();
  s.undefined = undefined.findings();
  s.undefined.insert(s.undefined.end(), coverage.findings().begin(), coverage.findings().end());
  if (options.track_writers) s.writers = std::move(writers);
  const auto& places = executable.program.places;
  if (!s.outcome.waiters.empty()) s.stops.push_back(deadlock(s.outcome, places));
  if (s.outcome.fault && s.outcome.fault->id != "uninitialized.read")
    s.stops.push_back(left_its_memory(*s.outcome.fault, places));
  return s;
}

Simulation simulate(const mosaic::Module& module, const std::vector<Array>& inputs,
                    const std::vector<program::OperandSpec>& outputs, const RunOptions& options,
                    std::vector<event::Observer*> observers, const program::Environment& environment) {
  return simulate(*prepare(module, specs_of(inputs), outputs, environment), inputs, options, std::move(observers));
}

}  // namespace millrace::api
