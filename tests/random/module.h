// SPDX-License-Identifier: Apache-2.0
// A random program as the kernel that really runs.
#pragma once

#include <vector>

#include "millrace/array.h"
#include "mosaic/ir.h"
#include "program.h"
#include "program/program.h"

namespace millrace::programs {

mosaic::Module module_of(const Program& program);  // steps are at "random.py:LINE"

// The flags first, then the input memories: of each device.
std::vector<Array> inputs_of(const Program& program);
std::vector<program::OperandSpec> input_specs(const Program& program);
std::vector<program::OperandSpec> output_specs(const Program& program);
program::Environment environment_of(const Program& program);

}  // namespace millrace::programs
