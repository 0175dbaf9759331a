// SPDX-License-Identifier: Apache-2.0
// Runs a kernel's C++ once, for operands of these shapes, and gives the module that it leaves behind.
#pragma once

#include <memory>
#include <vector>

#include "millrace/kernel.h"
#include "mosaic/ir.h"

namespace millrace::dsl {

// An array at the door of a kernel. One of dtype i1 lies in the module as i32, each element 0 or 1.
struct Operand {
  DType dtype;
  Shape shape;
};

struct Traced {
  std::shared_ptr<const mosaic::Module> module;
  std::vector<Operand> inputs, outputs;
  std::vector<Alias> aliases;
};

// Throws Error(kUser) at the caller's place: for inputs that the kernel does not take, and for misuse in its body.
// `blocks_in_place`: the bodies of pipelines see the blocks of arrays in HBM where they lie, as far as no other operand
// of the pipeline lies in the same memory; then such a pipeline copies nothing (its module is no TPU's any more).
Traced trace(const Kernel& kernel, const std::vector<Operand>& inputs, bool blocks_in_place = false);

}  // namespace millrace::dsl
