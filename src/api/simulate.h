// SPDX-License-Identifier: Apache-2.0
// One module, its arrays, the observers that the options ask for: where the rooms meet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "api/names.h"
#include "check/last_writer.h"
#include "machine/machine.h"
#include "millrace/run.h"
#include "mosaic/ir.h"

namespace millrace::api {

struct Simulation {
  machine::Outcome outcome;
  std::vector<Finding> races;                           // with detect_races
  std::vector<Finding> undefined;                       // with check_definedness: undefined data, uncovered outputs
  std::shared_ptr<const checkers::LastWriter> writers;  // with track_writers
  std::vector<Finding> stops;                           // why the kernel did not end: a deadlock, a bound
};

// A program with what it needs to run.
struct Executable {
  program::Program program;
  machine::Linked linked;
  std::vector<program::OperandSpec> inputs, outputs;
  Names names;  // that its memories go by, where they were given any
};

// Verifies and lowers. Memories that `names` knows go by the names that it gives.
std::unique_ptr<const Executable> prepare(const mosaic::Module& module, std::vector<program::OperandSpec> inputs,
                                          std::vector<program::OperandSpec> outputs,
                                          const program::Environment& environment = {}, const Names& names = {});

// Whether definedness (S7) is kept where the options do not ask for it, for observers that do.
enum class Definedness : std::uint8_t { kAsAsked, kToObservers };

// Runs; `inputs` are those of device 0, then those of device 1, ...
// Faults of the kernel are in the result; everything else is an Error.
// `progress` is called now and then, with the instructions done.
Simulation simulate(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
                    std::vector<event::Observer*> observers = {},
                    std::function<void(std::uint64_t steps)> progress = {},
                    Definedness definedness = Definedness::kAsAsked);

// Both at once.
Simulation simulate(const mosaic::Module& module, const std::vector<Array>& inputs,
                    const std::vector<program::OperandSpec>& outputs, const RunOptions& options,
                    std::vector<event::Observer*> observers = {}, const program::Environment& environment = {});

}  // namespace millrace::api
