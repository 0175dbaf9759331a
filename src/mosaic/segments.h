// SPDX-License-Identifier: Apache-2.0
// Operations whose operands come in groups: MLIR's accessors take it that a group of one operand has one.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Support/LLVM.h>

namespace millrace::mosaic {

// Fails, with an error at the operation, where operandSegmentSizes gives a group more or fewer operands than it may
// have. To be asked before MLIR's verifier, which reads the operands of such an operation all the same.
mlir::LogicalResult check_segments(mlir::ModuleOp module);

}  // namespace millrace::mosaic
