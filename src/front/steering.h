// SPDX-License-Identifier: Apache-2.0
// Which inputs decide what a kernel does, not only what it computes: those whose elements reach a branch, a bound of a
// loop, an address, an index map, the amount of a wait or signal. For other inputs of these, the same kernel may do
// something else. Read off the module, without running it, so that it may name an input too many, never one too few.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mosaic/ir.h"
#include "program/program.h"

namespace millrace::front {

// "in0", "in2". `inputs`: how many of the kernel's operands are inputs.
std::vector<std::string> steering_inputs(const mosaic::Module& module, std::size_t inputs,
                                         const std::vector<program::Environment::Alias>& aliases);

}  // namespace millrace::front
