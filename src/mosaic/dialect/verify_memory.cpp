// SPDX-License-Identifier: Apache-2.0
// What loads, stores, views, copies and semaphores must hold beyond the kinds of their operands.
#include "mosaic/dialect/shape_rules.h"

namespace millrace::mosaic::tpu {
namespace {

using mlir::failure;
using mlir::LogicalResult;
using mlir::MemRefType;
using mlir::success;
using mlir::VectorType;

MemRefType memref(mlir::Value value) { return mlir::cast<MemRefType>(value.getType()); }
VectorType vector(mlir::Value value) { return mlir::cast<VectorType>(value.getType()); }

// One index a dimension, and elements of one type.
LogicalResult check_access(mlir::Operation* op, MemRefType base, std::size_t indices, VectorType tile) {
  if (static_cast<std::size_t>(base.getRank()) != indices) {
    return op->emitOpError() << "takes " << base.getRank() << " indices for " << base << ", not " << indices;
  }
  if (base.getElementType() != tile.getElementType()) {
    return op->emitOpError() << "moves elements of " << tile << " from or to " << base << "; the elements differ";
  }
  return success();
}

// The tile covers the last dimensions of the base and is nowhere larger.
LogicalResult check_fits(mlir::Operation* op, MemRefType base, VectorType tile) {
  bool fits = tile.getRank() <= base.getRank();
  const auto trailing = base.getShape().take_back(fits ? tile.getRank() : 0);
  for (std::size_t i = 0; fits && i < trailing.size(); ++i) {
    fits = mlir::ShapedType::isDynamic(trailing[i]) || tile.getDimSize(static_cast<unsigned>(i)) <= trailing[i];
  }
  if (fits) return success();
  return op->emitOpError() << "moves " << tile << ", which does not fit " << base;
}

LogicalResult check_mask(mlir::Operation* op, mlir::Value mask, VectorType tile) {
  if (!mask || vector(mask).getShape() == tile.getShape()) return success();
  return op->emitOpError() << "has a mask of type " << mask.getType() << " for " << tile;
}

LogicalResult check_strided(mlir::Operation* op, MemRefType base, VectorType tile, llvm::ArrayRef<std::int32_t> strides,
                            std::int32_t least) {
  if (tile.getRank() != base.getRank() || strides.size() != static_cast<std::size_t>(base.getRank())) {
    return op->emitOpError() << "takes a tile and strides of the rank of " << base;
  }
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::int64_t size = base.getDimSize(static_cast<unsigned>(i)),
                       last = tile.getDimSize(static_cast<unsigned>(i)) - 1;
    if (strides[i] < least) {
      return op->emitOpError() << "has stride " << strides[i] << " in dimension " << i << "; it must be at least "
                               << least;
    }
    if (!mlir::ShapedType::isDynamic(size) && strides[i] != 0 && last > (size - 1) / strides[i]) {
      return op->emitOpError() << "reaches past the end of dimension " << i << " of " << base << " with stride "
                               << strides[i];
    }
  }
  return success();
}

LogicalResult check_semaphore(mlir::Operation* op, mlir::Value semaphore, bool one) {
  if (!semaphore) return success();
  const MemRefType type = memref(semaphore);
  auto space = mlir::dyn_cast_or_null<MemorySpaceAttr>(type.getMemorySpace());
  if (!space || space.getValue() != MemorySpace::kSemaphore) {
    return op->emitOpError() << "takes semaphores in semaphore_mem, not " << type;
  }
  if (one && type.getRank() != 0) return op->emitOpError() << "takes one semaphore, not an array of them: " << type;
  return success();
}

// A view keeps the memory, and unless it is a bitcast the elements.
LogicalResult check_view(mlir::Operation* op, MemRefType source, MemRefType result, bool elements) {
  if (source.getMemorySpace() != result.getMemorySpace()) {
    return op->emitOpError() << "leads from " << source << " into another memory space: " << result;
  }
  if (elements && source.getElementType() != result.getElementType()) {
    return op->emitOpError() << "changes the elements of " << source << " to those of " << result;
  }
  return success();
}

}  // namespace

LogicalResult VectorStoreOp::verify() {
  const VectorType tile = vector(getValue());
  const auto base = memref(getBase());
  if (failed(check_access(*this, base, getIndices().size(), tile)) || failed(check_fits(*this, base, tile)))
    return failure();
  if (!getStrides().empty()) return emitOpError() << "takes no strides; tpu.strided_store does";
  return check_mask(*this, getMask(), tile);
}

LogicalResult VectorLoadOp::verify() {
  const VectorType tile = vector(getResult());
  const auto base = memref(getBase());
  if (failed(check_access(*this, base, getIndices().size(), tile)) || failed(check_fits(*this, base, tile)))
    return failure();
  if (!getStrides().empty()) return emitOpError() << "takes no strides; tpu.strided_load does";
  return check_mask(*this, getMask(), tile);
}

LogicalResult StridedLoadOp::verify() {
  const VectorType tile = vector(getResult());
  if (failed(check_access(*this, memref(getBase()), getIndices().size(), tile))) return failure();
  return check_strided(*this, memref(getBase()), tile, getStrides(), 0);
}

LogicalResult StridedStoreOp::verify() {
  const VectorType tile = vector(getValue());
  if (failed(check_access(*this, memref(getBase()), getIndices().size(), tile))) return failure();
  return check_strided(*this, memref(getBase()), tile, getStrides(), 1);
}

LogicalResult LoadOp::verify() {
  return check_access(*this, memref(getBase()), getIndices().size(), vector(getResult()));
}

LogicalResult StoreOp::verify() {
  const VectorType tile = vector(getValue());
  if (failed(check_access(*this, memref(getBase()), getIndices().size(), tile))) return failure();
  return check_mask(*this, getMask(), tile);
}

LogicalResult MemrefSliceOp::verify() {
  const auto source = memref(getSource()), result = memref(getResult());
  if (failed(check_view(*this, source, result, true))) return failure();
  if (source.getRank() != result.getRank()) {
    return emitOpError() << "keeps the rank; " << source << " does not become " << result;
  }
  if (static_cast<std::int64_t>(getOffsets().size()) != source.getRank()) {
    return emitOpError() << "takes " << source.getRank() << " offsets, not " << getOffsets().size();
  }
  if (getSizes().size() != static_cast<std::size_t>(result.getNumDynamicDims())) {
    return emitOpError() << "takes one size for each `?` of " << result << ", not " << getSizes().size();
  }
  for (const auto [whole, part] : llvm::zip_equal(source.getShape(), result.getShape())) {
    const bool fixed = !mlir::ShapedType::isDynamic(whole) && !mlir::ShapedType::isDynamic(part);
    if (fixed && part > whole) return emitOpError() << "cuts " << result << " out of the smaller " << source;
  }
  return success();
}

LogicalResult MemrefSqueezeOp::verify() {
  const auto source = memref(getSource()), result = memref(getResult());
  if (failed(check_view(*this, source, result, true))) return failure();
  auto left = result.getShape();
  for (const std::int64_t size : llvm::reverse(source.getShape())) {
    if (!left.empty() && left.back() == size) {
      left = left.drop_back();
    } else if (size != 1) {
      return emitOpError() << "drops dimensions of size 1 only; " << source << " does not become " << result;
    }
  }
  if (!left.empty()) return emitOpError() << "drops dimensions only; " << source << " does not become " << result;
  return success();
}

LogicalResult MemrefReshapeOp::verify() {
  const auto source = memref(getSource()), result = memref(getResult());
  if (failed(check_view(*this, source, result, true))) return failure();
  if (!source.hasStaticShape() || !result.hasStaticShape() || source.getNumElements() != result.getNumElements()) {
    return emitOpError() << "keeps the number of elements, which must be fixed; " << source << " does not become "
                         << result;
  }
  return success();
}

LogicalResult MemrefBitcastOp::verify() {
  const auto source = memref(getSource()), result = memref(getResult());
  if (failed(check_view(*this, source, result, false))) return failure();
  if (source.getElementType() != result.getElementType() && (is_semaphore(source) || is_semaphore(result))) {
    return emitOpError() << "does not make semaphores into anything else";
  }
  return check_bitcast(*this, source, result);
}

LogicalResult EnqueueDmaOp::verify() {
  const auto source = memref(getSource()), target = memref(getTarget());
  if (source.getElementType() != target.getElementType()) {
    return emitOpError() << "copies elements of one type; the source is " << source << " and the target " << target;
  }
  if (source.getShape() != target.getShape()) {
    return emitOpError() << "copies between equal shapes; the source is " << source << " and the target " << target;
  }
  if (is_semaphore(source)) return emitOpError() << "does not copy semaphores";
  if (failed(check_semaphore(*this, getSourceSemaphore(), true)) ||
      failed(check_semaphore(*this, getTargetSemaphore(), true))) {
    return failure();
  }
  const bool remote = getDeviceId() || getCoreId();
  if (remote && !getSourceSemaphore()) return emitOpError() << "to another device or core needs a source semaphore";
  if (!remote && getSourceSemaphore()) return emitOpError() << "within one core takes no source semaphore";
  if (getPriority() > 1) return emitOpError() << "has priority " << getPriority() << "; it is 0 or 1";
  return success();
}

LogicalResult WaitDma2Op::verify() {
  if (is_semaphore(memref(getSrc())) || is_semaphore(memref(getDst())))
    return emitOpError() << "does not copy semaphores";
  return check_semaphore(*this, getSemaphore(), true);
}

LogicalResult WaitDmaOp::verify() { return check_semaphore(*this, getSemaphore(), true); }

LogicalResult SemAllocOp::verify() {
  if (!memref(getResult()).hasStaticShape()) return emitOpError() << "makes a fixed number of semaphores";
  return check_semaphore(*this, getResult(), false);
}

LogicalResult SemBarrierOp::verify() {
  if (!mlir::isa<SemaphoreType>(memref(getResult()).getElementType()))
    return emitOpError() << "gives a regular semaphore";
  return check_semaphore(*this, getResult(), true);
}

LogicalResult SemReadOp::verify() { return check_semaphore(*this, getSemaphore(), true); }
LogicalResult SemWaitOp::verify() { return check_semaphore(*this, getSemaphore(), true); }
LogicalResult SemSignalOp::verify() { return check_semaphore(*this, getSemaphore(), true); }

LogicalResult RegionOp::verify() {
  mlir::Block& block = getBody().front();
  if (block.getNumArguments() != 0) return emitOpError() << "takes no block arguments";
  auto yield = block.empty() ? YieldOp() : mlir::dyn_cast<YieldOp>(block.back());
  if (!yield) return emitOpError() << "must end in tpu.yield";
  if (yield.getOperandTypes() != getResultTypes()) {
    return yield.emitOpError() << "gives other types than its tpu.region returns";
  }
  return success();
}

}  // namespace millrace::mosaic::tpu
