// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/program.h"

namespace millrace::program {

// In Instruction::small of an elementwise operation, beside the marks of direct_loads.h: the store behind it runs it.
inline constexpr std::uint16_t kStoredNext = 4;

// Finds the stores of a tile that the elementwise instruction before them has made for them alone: such an instruction
// is marked kStoredNext, and the store (small 1) carries it out, in the memory itself where it can.
void mark_direct_stores(Program& program);

}  // namespace millrace::program
