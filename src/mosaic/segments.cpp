// SPDX-License-Identifier: Apache-2.0
#include "mosaic/segments.h"

#include <llvm/ADT/StringMap.h>
#include <mlir/IR/BuiltinAttributes.h>

#include <string_view>

namespace millrace::mosaic {

namespace {

// 1: one operand, ?: one or none, *: any number. Of MLIR's own dialects those with a group of one.
std::string_view groups_of(llvm::StringRef operation) {
  static const llvm::StringMap<std::string_view> kGroups{
      {"tpu.enqueue_dma", "1?11??"},       {"tpu.memref_slice", "1**"},
      {"tpu.sem_signal", "11??"},          {"tpu.store", "11*?"},
      {"tpu.vector_load", "1*?"},          {"tpu.vector_store", "11*?"},
      {"tpu.wait_dma2", "111??"},          {"cf.cond_br", "1**"},
      {"memref.reinterpret_cast", "1***"}, {"memref.subview", "1***"},
      {"vector.transfer_read", "1*1?"},    {"vector.transfer_write", "11*?"},
  };
  const auto found = kGroups.find(operation);
  return found == kGroups.end() ? std::string_view() : found->second;
}

bool fit(llvm::ArrayRef<std::int32_t> sizes, std::string_view groups) {
  if (sizes.size() != groups.size()) return false;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::int32_t least = groups[i] == '1' ? 1 : 0;
    if (sizes[i] < least || (groups[i] != '*' && sizes[i] > 1)) return false;
  }
  return true;
}

}  // namespace

mlir::LogicalResult check_segments(mlir::ModuleOp module) {
  const auto walked = module.walk([](mlir::Operation* op) {
    const std::string_view groups = groups_of(op->getName().getStringRef());
    if (groups.empty() || !op->isRegistered()) return mlir::WalkResult::advance();
    const auto sizes = mlir::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(
        op->getInherentAttr("operandSegmentSizes").value_or(mlir::Attribute()));
    if (sizes && fit(sizes.asArrayRef(), groups)) return mlir::WalkResult::advance();
    op->emitOpError("has operandSegmentSizes that do not fit its operands");
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(walked.wasInterrupted());
}

}  // namespace millrace::mosaic
