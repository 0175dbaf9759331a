// SPDX-License-Identifier: Apache-2.0
// Every single edit of a kernel that a tired hand could make: what a checker must tell from the kernel itself.
#pragma once

#include <string>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::mutation {

// Kinds:
//   drop start, double start, drop wait, double wait, drop signal, double signal, halve wait
//   wrong semaphore   another one of the same type that is in scope, or the next one of the array
//   wrong slot        the next slot of a buffer, for one view or one load
//   wrong parity      a remainder by a constant, of one more
//   buffer fewer      a remainder by a constant less one
//   shift block       an index map's result or a slice of an array in HBM, one block on
//   drop guarded      what a condition guards never happens: a prologue, an epilogue, a fetch
//   drop guard        it always happens
//   loop shorter, loop longer, loop later
//   drop mask         of a store or a select
struct Edit {
  std::string kind;
  std::string place;  // of the operation that it changes, as the module has it
};

// In a fixed order, the order of the operations.
std::vector<Edit> edits_of(const mosaic::Module& module);

// The module with the edit of this number made.
mosaic::Module edited(const mosaic::Module& module, std::size_t number);

}  // namespace millrace::mutation
