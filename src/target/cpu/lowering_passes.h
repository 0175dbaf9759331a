// SPDX-License-Identifier: Apache-2.0
// From the emitted module to LLVM's dialect.
#pragma once

#include <mlir/IR/BuiltinOps.h>

#include <memory>

namespace millrace::cpu {

std::unique_ptr<mlir::MLIRContext> make_context();
// Error(kInternal) where a pass fails.
void lower_to_llvm(mlir::ModuleOp module);

}  // namespace millrace::cpu
