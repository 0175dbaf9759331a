// SPDX-License-Identifier: Apache-2.0
// Reading, verifying and writing modules through MLIR.
#include "mosaic/io.h"

#include <fmt/format.h>

#include <algorithm>

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mosaic/bridge.h"
#include "mosaic/bytecode_guard.h"
#include "mosaic/dialect/tpu_dialect.h"
#include "mosaic/kernel_rules.h"
#include "mosaic/nesting.h"
#include "mosaic/segments.h"
#include "mosaic/upgrade.h"

namespace millrace::mosaic {
namespace {

// One thread, and all the dialects that a kernel is written in.
class Context {
 public:
  Context() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.loadDialect<tpu::TpuDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                         mlir::func::FuncDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                         mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
    context_.allowUnregisteredDialects();  // stable_mosaic is one; others are refused when they are met
  }
  mlir::MLIRContext* get() { return &context_; }

 private:
  mlir::MLIRContext context_;
};

// Without recursion: the module may nest deeper than the stack can follow, and has to be taken apart then as well.
void check_region_nesting(mlir::ModuleOp module, const std::string& name) {
  std::vector<std::pair<mlir::Operation*, int>> all{{module.getOperation(), 0}};
  int deepest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [op, depth] = all[i];
    deepest = std::max(deepest, depth);
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& block : region) {
        for (mlir::Operation& inner : block) all.emplace_back(&inner, depth + 1);
      }
    }
  }
  if (deepest <= kMaxRegionDepth + 1) return;
  for (std::size_t i = all.size() - 1; i > 0; --i) {
    all[i].first->dropAllUses();
    all[i].first->erase();
  }
  throw Error(ErrorCode::kUser, fmt::format("{}: regions nest deeper than {}", name, kMaxRegionDepth));
}

// MLIR's bytecode reader makes nothing of an attribute that has a default and is given with the wrong type, and the
// operation's accessors do not survive that.
void check_defaults(mlir::ModuleOp module, const Diagnostics& diagnostics) {
  const auto walked = module.walk([](mlir::Operation* op) {
    if (!op->isRegistered() || op->getPropertiesStorageSize() == 0) return mlir::WalkResult::advance();
    const mlir::Attribute read = op->getPropertiesAsAttribute();
    op->getName().populateDefaultProperties(op->getPropertiesStorage());
    if (op->getPropertiesAsAttribute() == read) return mlir::WalkResult::advance();
    op->emitOpError("has an attribute of the wrong type");
    return mlir::WalkResult::interrupt();
  });
  if (walked.wasInterrupted()) diagnostics.raise("the module does not verify");
}

mlir::LogicalResult verify(mlir::ModuleOp module) {
  return mlir::failed(check_segments(module)) ? mlir::failure() : mlir::verify(module);
}

void verify_in(mlir::MLIRContext* context, const Module& module, Diagnostics& diagnostics) {
  const WriteOptions plain{.names = Names::kPlain};
  const auto exported = export_module(module, plain, context, diagnostics);
  if (mlir::failed(verify(*exported))) diagnostics.raise("the module does not verify");
  check_kernel(module);
}

std::string printed(mlir::ModuleOp module, const WriteOptions& options, const Diagnostics& diagnostics) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  if (options.form == Form::kText) {
    mlir::OpPrintingFlags flags;
    flags.printGenericOpForm();
    flags.enableDebugInfo(options.locations, false);
    module.print(stream, flags);
    stream << '\n';
    return result;
  }
  mlir::BytecodeWriterConfig config;
  config.setDesiredBytecodeVersion(0);
  if (mlir::failed(mlir::writeBytecodeToFile(module, stream, config))) diagnostics.raise("the module was not written");
  return result;
}

}  // namespace

Diagnostics::Diagnostics(mlir::MLIRContext* context, std::string name)
    : name_(std::move(name)), handler_(context, [this](mlir::Diagnostic& diagnostic) {
        collect(diagnostic);
        return mlir::success();
      }) {}

void Diagnostics::collect(mlir::Diagnostic& diagnostic) {
  if (sentence_ || diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error) return;
  sentence_ = diagnostic.str();
  place_ = location_of(diagnostic.getLocation());
}

void Diagnostics::raise(const std::string& otherwise) const {
  raise_at(place_, ErrorCode::kUser, sentence_.value_or(otherwise), name_);
}

void raise_at(const Location& place, ErrorCode code, const std::string& sentence, const std::string& name) {
  const std::string where = place.scope.empty() ? "" : fmt::format("in {}: ", place.scope);
  if (!place.file.empty() && place.line > 0) {
    throw Error(code, where + sentence, SourcePlace{place.file, place.line, place.column});
  }
  throw Error(code, fmt::format("{}{}{}{}", name, name.empty() ? "" : ": ", where, sentence));
}

Module read_module(std::string_view bytes, const std::string& name) {
  Origin origin;
  return read_module(bytes, name, origin);
}

Module read_module(std::string_view bytes, const std::string& name, Origin& origin) {
  const std::string source(bytes);  // MLIR's lexer looks one character past the end
  if (is_bytecode(source)) {
    check_bytecode(source, name);
  } else {
    check_text_nesting(source, name);
  }
  Context context;
  Diagnostics diagnostics(context.get(), name);
  const mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/false);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(source, config, name);
  if (!parsed) diagnostics.raise("this is no Mosaic module");
  check_region_nesting(*parsed, name);
  if (is_bytecode(source)) check_defaults(*parsed, diagnostics);
  Imported imported = import_module(*parsed, name);
  origin = {is_bytecode(source) ? Form::kBytecode : Form::kText, imported.stable ? Names::kStable : Names::kPlain,
            imported.version.value_or(0)};
  if (!imported.stable) {
    if (mlir::failed(verify(*parsed))) diagnostics.raise("the module does not verify");
    check_kernel(imported.module);
    return std::move(imported.module);
  }
  if (!imported.version) {
    throw Error(ErrorCode::kUser, fmt::format("{}: the module has no stable_mosaic.version", name));
  }
  upgrade(imported.module, *imported.version, name);
  // Through the real operations and back: what has a default value stands there then.
  const auto upgraded = export_module(imported.module, {.names = Names::kPlain}, context.get(), diagnostics);
  if (mlir::failed(verify(*upgraded))) diagnostics.raise("the module does not verify");
  check_kernel(imported.module);
  return import_module(*upgraded, name).module;
}

std::vector<std::string> operation_names() {
  Context context;
  std::vector<std::string> names;
  for (const mlir::RegisteredOperationName& name : context.get()->getRegisteredOperations()) {
    if (name.getDialectNamespace() != "builtin") names.push_back(name.getStringRef().str());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void verify_module(const Module& module) {
  Context context;
  Diagnostics diagnostics(context.get(), module.name);
  verify_in(context.get(), module, diagnostics);
}

std::string write_module(const Module& module, const WriteOptions& options) {
  if (options.serde_version != kCurrentVersion) {
    throw Error(
        ErrorCode::kUnsupported,
        fmt::format("serde version {} is not written; Millrace writes version {}, which every libtpu since November "
                    "2025 reads",
                    options.serde_version, kCurrentVersion));
  }
  Context context;
  Diagnostics diagnostics(context.get(), module.name);
  verify_in(context.get(), module, diagnostics);
  const auto exported = export_module(module, options, context.get(), diagnostics);
  return printed(*exported, options, diagnostics);
}

}  // namespace millrace::mosaic
