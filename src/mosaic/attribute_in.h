// SPDX-License-Identifier: Apache-2.0
// Types and attributes of MLIR as those of the tree. Only src/mosaic includes this.
#pragma once

#include <initializer_list>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mosaic/ir.h"

namespace millrace::mosaic {

// Error(kUnsupported) for types that the tree does not have, Error(kUser) for shapes past 2^62 elements.
Type import_type(mlir::Type type);

// Reads attributes of one module; its serde version settles how 1-bit constants are packed.
class AttributeImporter {
 public:
  explicit AttributeImporter(std::int64_t version) : version_(version) {}

  // Sorted by name, without those in `skip`.
  AttributeList list(mlir::DictionaryAttr dictionary, std::initializer_list<llvm::StringRef> skip);
  Attribute attribute(mlir::Attribute source);

 private:
  Attribute elements(mlir::DenseElementsAttr source) const;

  std::int64_t version_;
  std::int64_t seen_ = 0;  // attributes so far: shared ones multiply when they are written out as a tree
  int depth_ = 0;
};

}  // namespace millrace::mosaic
