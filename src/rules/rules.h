// SPDX-License-Identifier: Apache-2.0
// Rules of a chip that a kernel must keep to be taken by the TPU compiler: alignment, element types, operations, memory
// budgets. Judged from the module alone; what the compiler decides in ways that are not known is left to it. The
// source of each rule is what the compiler of libtpu 0.0.37 accepted and refused (docs/semantics.md, clause T).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "millrace/report.h"
#include "mosaic/ir.h"
#include "plan/chip.h"

namespace millrace::rules {

struct Operand {
  std::string name;  // "in0"
  Shape shape;       // of the whole array
};

struct Question {
  const mosaic::Module& module;  // verified
  const plan::Chip& chip;
  std::vector<Operand> operands;                  // scalar prefetch included, in the kernel's order
  std::optional<std::int64_t> vmem_limit = {};    // bytes that the kernel asks for instead of the chip's limit
  std::map<std::string, std::string> names = {};  // of scratch and scopes, where they have better ones: "scratch0"
};

// `target.*` findings, in the order of the module, one a rule, place and memory. They say nothing about what the kernel
// computes.
std::vector<Finding> check_rules(const Question& question);

// Bytes that the kernel allocates, whole tiles counted: windows, scratch, the most that its scopes hold at one time.
struct Budget {
  std::int64_t vmem = 0, smem = 0, semaphores = 0;
};
Budget budget_of(const Question& question);

}  // namespace millrace::rules
