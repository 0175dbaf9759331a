// SPDX-License-Identifier: Apache-2.0
// How much one instruction computes, read off its shapes.
#pragma once

#include <optional>

#include "event/work.h"
#include "program/program.h"

namespace millrace::program {

// Empty for instructions that compute on no tile: scalars, control, memory, DMAs. `who` is left to the caller.
std::optional<event::Computed> work_of(const Program& program, const Instruction& instruction);

}  // namespace millrace::program
