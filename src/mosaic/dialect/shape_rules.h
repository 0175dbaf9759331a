// SPDX-License-Identifier: Apache-2.0
// Rules that hold for tiles in memory and in registers alike. Only the verifiers include this.
#pragma once

#include "mosaic/dialect/tpu_dialect.h"

namespace millrace::mosaic::tpu {

inline bool is_semaphore(mlir::ShapedType type) {
  return mlir::isa<SemaphoreType, DmaSemaphoreType>(type.getElementType());
}

// Where the width of the elements changes, the second last dimension changes the other way; all others stay.
mlir::LogicalResult check_bitcast(mlir::Operation* op, mlir::ShapedType source, mlir::ShapedType result);

}  // namespace millrace::mosaic::tpu
