// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

namespace millrace::program {

// Marks loads whose tile is only read by elementwise operations, before anything could change the memory: the machine
// may hand these the memory itself instead of a copy. Such a load has `small` = 1 and in `a` a slot for the address;
// its readers have bit 0 (for a) or bit 1 (for b) of `small`.
void mark_direct_loads(Program& program);

}  // namespace millrace::program
