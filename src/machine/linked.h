// SPDX-License-Identifier: Apache-2.0
// A program with each tile operation looked up, and each view that can be worked out: what the machine needs beside the
// instructions.
#pragma once

#include <vector>

#include "machine/located.h"
#include "machine/tile/tile.h"
#include "program/program.h"

namespace millrace::machine {

struct Linked {
  const program::Program* program = nullptr;
  union Function {
    tile::Unary unary;
    tile::Binary binary;
  };
  std::vector<Function> elementwise;  // by Program::elementwise
  std::vector<tile::Reduce> reduce;   // by Program::reductions; null where it is a kReduceIndex
  std::vector<tile::ReduceIndex> reduce_index;
  std::vector<tile::Matmul> matmuls;  // by Program::contractions
  std::vector<LocatedAccess> accesses;
  std::vector<LocatedDma> dmas;
  std::vector<LocatedWait> dma_waits;
  std::vector<Located> semaphores;
};

// Throws Error(kUnsupported), naming operation, type and place, where no tile function exists. `program` must outlive
// it.
Linked link(const program::Program& program);

}  // namespace millrace::machine
