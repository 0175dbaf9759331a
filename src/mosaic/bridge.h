// SPDX-License-Identifier: Apache-2.0
// From MLIR's module to ours and back. Only src/mosaic includes this.
#pragma once

#include <optional>
#include <string>

#include "millrace/error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mosaic/io.h"
#include "mosaic/ir.h"

namespace millrace::mosaic {

inline constexpr llvm::StringLiteral kStablePrefix("stable_mosaic.");
inline constexpr llvm::StringLiteral kStableVersion("stable_mosaic.version");
inline constexpr std::int64_t kCurrentVersion = 9;  // of the operations that the tree holds

// Scope, file, line and column of a location: of a call stack the innermost call, of fused ones the first known.
Location location_of(mlir::Location location);

// Collects what MLIR complains of while it lives. Exceptions never cross MLIR's frames, so what is to be thrown waits
// here.
class Diagnostics {
 public:
  Diagnostics(mlir::MLIRContext* context, std::string name);
  // The first error as one sentence with its place. `name` stands in for a missing file.
  [[noreturn]] void raise(const std::string& otherwise) const;

 private:
  void collect(mlir::Diagnostic& diagnostic);

  std::string name_;
  std::optional<std::string> sentence_;
  Location place_;
  mlir::ScopedDiagnosticHandler handler_;
};

// Error of `code` at a place of the module, worded as those of Diagnostics.
[[noreturn]] void raise_at(const Location& place, ErrorCode code, const std::string& sentence, const std::string& name);

struct Imported {
  Module module;
  std::optional<std::int64_t> version;  // stable_mosaic.version
  bool stable = false;                  // the operations carried the prefix, which is off now
};

// Takes a module that need not have been verified. `name` stands in messages.
Imported import_module(mlir::ModuleOp module, const std::string& name);

// Builds operations under plain or stable names, without verifying them.
mlir::OwningOpRef<mlir::ModuleOp> export_module(const Module& module, const WriteOptions& options,
                                                mlir::MLIRContext* context, const Diagnostics& diagnostics);

}  // namespace millrace::mosaic
