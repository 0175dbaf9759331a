// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, and what the real TPU compiler makes of it, beside what Millrace's own rules and budgets say.
// Nothing is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "front/session.h"
#include "millrace/report.h"
#include "plan/chip.h"
#include "rules/rules.h"
#include "target/tpu/compile.h"

namespace millrace::front {

// A kernel with everything that its call needs.
struct KernelToCompile {
  std::string module, kernel;  // names of the file and of the kernel
  mosaic::Module tree;
  target::KernelCall call;                 // its body is the module as it is handed to the compiler
  std::vector<rules::Operand> operands;    // inputs and outputs, for the rules
  std::optional<std::int64_t> vmem_limit;  // that the kernel asks for
};

// `file` is a module, a StableHLO text or a case folder. A bare module does not say how large its arrays are: where its
// windows do not either, `input_shapes` has to (all inputs, or none).
KernelToCompile read_to_compile(const std::filesystem::path& file, const std::string& pick, const Wish& wish,
                                const std::vector<Shape>& input_shapes = {});

// Of one chip.
struct CompiledKernel {
  plan::Chip chip;
  target::Compiled compiled;
  rules::Budget modeled;        // what Millrace counts, bytes
  std::int64_t vmem_limit = 0;  // what the kernel gets: the chip's, or what it asks for
  std::vector<Finding> rules;   // what `check --chip` would say
  bool rules_apply = true;      // not before v4
  // Whether rules and compiler say the same. A compiler that died or hung has said nothing.
  std::optional<bool> agrees() const;
};

struct CompileSettings {
  target::Library library;
  target::Worker worker;
  std::filesystem::path keep;  // empty: nothing is kept
};

CompiledKernel compile_kernel(const KernelToCompile& kernel, const plan::Chip& chip, const CompileSettings& settings);

}  // namespace millrace::front
