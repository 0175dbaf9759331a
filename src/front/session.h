// SPDX-License-Identifier: Apache-2.0
// One run of a kernel from outside: which arrays it takes, how much memory that needs, and what came out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/simulate.h"
#include "front/module_file.h"
#include "front/signature.h"

namespace millrace::front {

// What the caller says about a kernel, as the command line has it. Empty: not said.
struct Wish {
  std::optional<std::size_t> outputs;  // default 1; a StableHLO text knows
  std::vector<Aliased> aliases;        // inputs count from the first, dynamic grid bounds left out
  std::vector<std::int64_t> grid_bounds;
  std::vector<Shape> output_shapes;
  std::optional<DType> dtype;  // of the operands whose elements in the module have this size and kind
};

// The arrays of one run, without their elements. Of a bare module the inputs' shapes are those that its windows give,
// until files say more.
struct Plan {
  std::vector<std::optional<Tensor>> inputs;   // nothing where only a file can say
  std::vector<std::optional<Tensor>> outputs;  // nothing where only --output-shape can
  program::Environment environment;
  std::size_t bounds = 0;  // of the inputs of a StableHLO call, the first so many are grid bounds and not in `inputs`
  std::vector<mosaic::Element> elements;  // of the inputs and then the outputs, as the module has them
  api::Names names;                       // how memories are to be called
};

Plan plan_of(const Kernel& kernel, const Wish& wish);

// The elements of a file in the form in which the operand takes them.
std::optional<DType> stored_as(mosaic::Element element, std::optional<DType> dtype);

std::uint64_t default_max_bytes();  // three quarters of the machine's memory

// Bytes that a run allocates, at most: operands, windows, scratch, scopes and the frame.
std::uint64_t bytes_needed(const program::Program& program);

// Verifies and lowers; Error(kUser) where the run would need more memory than it may have (0: default_max_bytes).
std::unique_ptr<const api::Executable> prepare(const Kernel& kernel, const Plan& plan, std::vector<Tensor> inputs,
                                               std::vector<Tensor> outputs, std::uint64_t max_bytes);

// The arrays that no file gives, before they are made: Error(kUser) where they are too large. `files`: inputs that have
// one.
void require_filled_fit(const Plan& plan, std::size_t files, std::uint64_t max_bytes);

// A chip, its schedule of signals, its size: what can be asked for and is not there ends with Error(kUnsupported).
inline constexpr std::int64_t kMostDevices = 256, kMostCores = 64;
void require_machine(const std::string& target, const std::string& chip, const std::string& dma_signal,
                     std::int64_t cores, std::int64_t devices);

}  // namespace millrace::front
