// SPDX-License-Identifier: Apache-2.0
// Small kernels, one a thing that the TPU compiler takes or refuses, with its verdict by chip. tests/rules holds
// Millrace's rules to them; tests/tpu holds the table itself to the compiler (libtpu 0.0.37).
#pragma once

#include <string>
#include <vector>

#include "dsl/trace.h"
#include "millrace/language.h"

namespace millrace::test {

struct ChipKernel {
  std::string name;  // "f32 (64, 384) from (5, 0) take (8, 384), computed"
  Kernel kernel;
  std::vector<dsl::Operand> inputs;
  std::vector<std::string> takes, refuses;  // chips
  std::string rule;                         // the id where it is refused; empty: no rule says so, only the compiler
  std::string memory;                       // that the finding names; empty: not compared
};

std::vector<ChipKernel> slices_of_arrays();    // DMAs from parts of an HBM array
std::vector<ChipKernel> slices_of_scratch();   // DMAs to parts of a buffer of the kernel's own
std::vector<ChipKernel> loads_from_windows();  // vector loads at constant and computed places
std::vector<ChipKernel> operations();          // element types and operations
std::vector<ChipKernel> blocks_of_grids();     // block shapes
std::vector<ChipKernel> budgets();             // VMEM, SMEM, semaphores
std::vector<ChipKernel> all_chip_kernels();

}  // namespace millrace::test
