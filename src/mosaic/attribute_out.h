// SPDX-License-Identifier: Apache-2.0
// Types and attributes of the tree as those of MLIR. Only src/mosaic includes this.
#pragma once

#include <map>
#include <string>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mosaic/ir.h"

namespace millrace::mosaic {

// Error(kInternal) for types that cannot be: it is our own code that builds trees.
mlir::Type export_type(const Type& type, mlir::MLIRContext* context);

class AttributeExporter {
 public:
  explicit AttributeExporter(mlir::MLIRContext* context) : context_(context) {}

  mlir::NamedAttribute named(const std::string& name, const Attribute& source);
  // Error(kUser) for a dialect attribute that MLIR does not take.
  mlir::Attribute attribute(const Attribute& source);

 private:
  mlir::Attribute make(const UnitAttr& source);
  mlir::Attribute make(const IntegerAttr& source);
  mlir::Attribute make(const FloatAttr& source);
  mlir::Attribute make(const StringAttr& source);
  mlir::Attribute make(const SymbolAttr& source);
  mlir::Attribute make(const DenseArrayAttr& source);
  mlir::Attribute make(const DenseElementsAttr& source);
  mlir::Attribute make(const TypeAttr& source);
  mlir::Attribute make(const ArrayAttr& source);
  mlir::Attribute make(const DictionaryAttr& source);
  mlir::Attribute make(const DialectAttr& source);

  mlir::MLIRContext* context_;
  std::map<std::string, mlir::Attribute> parsed_;  // dialect attributes by their text
};

}  // namespace millrace::mosaic
