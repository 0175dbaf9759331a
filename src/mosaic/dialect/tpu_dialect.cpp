// SPDX-License-Identifier: Apache-2.0
// Registers the `tpu` dialect; what TableGen made of the .td files is compiled here.
#include "mosaic/dialect/tpu_dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

// Of the form `[1, 2, 3]`, or `[]`.
static mlir::ParseResult parseIntegerList(mlir::AsmParser& parser, llvm::SmallVector<int64_t>& list) {
  return parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

static void printIntegerList(mlir::AsmPrinter& printer, llvm::ArrayRef<int64_t> list) {
  printer << '[';
  llvm::interleaveComma(list, printer);
  printer << ']';
}

#include "tpu_dialect.cpp.inc"
#include "tpu_enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tpu_attributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tpu_types.cpp.inc"

#define GET_OP_CLASSES
#include "tpu_ops.cpp.inc"

namespace millrace::mosaic {

void tpu::TpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tpu_types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tpu_attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tpu_ops.cpp.inc"
      >();
}

}  // namespace millrace::mosaic
