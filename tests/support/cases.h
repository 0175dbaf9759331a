// SPDX-License-Identifier: Apache-2.0
// Case folders: a module as JAX serialised it (kernel.mlirbc) and case.json, which says what it takes and what a right
// checker finds. Inputs without a file in the folder count up from 0.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/report.h"
#include "mosaic/ir.h"
#include "program/program.h"

namespace millrace::test {

struct Case {
  std::string name;
  mosaic::Module module;
  std::vector<Array> inputs;
  std::vector<program::OperandSpec> outputs;
  program::Environment environment;   // aliases
  std::vector<std::string> findings;  // as described() words them
};

Case read_case(const std::filesystem::path& folder);
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& parent);  // sorted by name

// Every field that a case compares, on one line, for races, deadlocks, undefined data and uncovered outputs; empty for
// all other findings:
//   race.read-write scratch0 DMA write a.py:3 #0 | core read a.py:5 #2 | [0:8, 0:128] | all
std::string described(const Finding& finding);

}  // namespace millrace::test
