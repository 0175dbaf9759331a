// SPDX-License-Identifier: Apache-2.0
// The `tpu` dialect in MLIR. Only src/mosaic includes this.
#pragma once

#include <optional>

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "tpu_dialect.h.inc"
#include "tpu_enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tpu_attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tpu_types.h.inc"

#define GET_OP_CLASSES
#include "tpu_ops.h.inc"
