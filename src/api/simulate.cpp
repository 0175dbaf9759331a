// SPDX-License-Identifier: Apache-2.0
#include "api/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/races.h"
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

// "core 1", and of which device where there are several.
std::string core_name(int device, int core, int devices) {
  return devices > 1 ? fmt::format("core {} of device {}", core, device) : fmt::format("core {}", core);
}

Finding deadlock(const machine::Outcome& outcome, const program::Program& program) {
  const std::vector<event::Place>& places = program.places;
  Finding f;
  f.id = "deadlock";
  f.clause = "S4.4";
  f.hint = "each wait needs a start or a signal before it that brings what it asks for";
  for (std::size_t i = 0; i < outcome.waiters.size(); ++i) {
    const event::Blocked& b = outcome.waiters[i];
    const event::Place& place = places[b.at];
    f.waiters.push_back(
        {outcome.waiter_names[i], place.at, outcome.waiter_nth[i], b.who.core, b.has, b.needs, b.who.device});
    f.message += fmt::format("{}{} waits for ever on {} at {}: it has {}, needs {}", i ? "; " : "",
                             core_name(b.who.device, b.who.core, program.devices), outcome.waiter_names[i], place.where,
                             b.has, b.needs);
  }
  return f;
}

Finding left_its_memory(const machine::Fault& fault, const std::vector<event::Place>& places) {
  Finding f;
  f.id = fault.id;
  f.clause = "S2.6";
  f.message = fmt::format("{} (at {})", fault.message, places[fault.at].where);
  f.hint = "hold the offset and the size against the shape; the last step of a loop is the usual one";
  f.first = Side{"", places[fault.at].at, 0, fault.core, fault.device, {}, places[fault.at].where};
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
  require_same(inputs, executable.inputs, executable.program.devices);
  auto choice = machine::choice_named(options.schedule);
  checkers::Races races;
  auto writers = std::make_shared<checkers::LastWriter>();
  if (options.detect_races) observers.push_back(&races);
  if (options.track_writers) observers.push_back(writers.get());
  Simulation s;
  s.outcome = machine::execute(
      executable.linked, {inputs, executable.outputs, choice.get(), observers, options.max_steps, std::move(progress)});
  s.races = races.findings();
  if (options.track_writers) s.writers = std::move(writers);
  const auto& places = executable.program.places;
  if (!s.outcome.waiters.empty()) s.stops.push_back(deadlock(s.outcome, executable.program));
  if (s.outcome.fault) s.stops.push_back(left_its_memory(*s.outcome.fault, places));
  for (const machine::Fault& f : s.outcome.other_faults)  // one a place
    if (std::none_of(s.stops.begin(), s.stops.end(),
                     [&](const Finding& known) { return known.id == f.id && known.first->at == places[f.at].at; }))
      s.stops.push_back(left_its_memory(f, places));
  return s;
}

Simulation simulate(const mosaic::Module& module, const std::vector<Array>& inputs,
                    const std::vector<program::OperandSpec>& outputs, const RunOptions& options,
                    std::vector<event::Observer*> observers, const program::Environment& environment) {
  return simulate(*prepare(module, specs_of(inputs), outputs, environment), inputs, options, std::move(observers));
}

}  // namespace millrace::api
