// SPDX-License-Identifier: Apache-2.0
#include "site.h"

namespace millrace::mutation {

using mosaic::Element;
using mosaic::Op;
using mosaic::Type;
using mosaic::ValueId;

void Site::drop() { ops_.erase(ops_.begin() + static_cast<std::ptrdiff_t>(at_)); }

void Site::repeat() {
  Op copy = op();
  ops_.insert(ops_.begin() + static_cast<std::ptrdiff_t>(at_), std::move(copy));
}

ValueId Site::insert(Op op, Type result) {
  function_.values.push_back(std::move(result));
  const auto value = static_cast<ValueId>(function_.values.size() - 1);
  op.results = {value};
  op.location = ops_[at_].location;
  ops_.insert(ops_.begin() + static_cast<std::ptrdiff_t>(at_++), std::move(op));
  return value;
}

ValueId Site::constant(std::int64_t value, const Type& type) {
  Op op;
  op.name = "arith.constant";
  op.attributes = {{"value", {mosaic::IntegerAttr{value, type.element}}}};
  return insert(std::move(op), type);
}

ValueId Site::binary(const std::string& name, ValueId a, ValueId b) {
  Op op;
  op.name = name;
  op.operands = {a, b};
  if (name == "arith.addi" || name == "arith.subi")
    op.attributes = {{"overflowFlags", {mosaic::DialectAttr{"arith", "overflow", {"none"}, {}}}}};
  return insert(std::move(op), type_of(a));
}

ValueId Site::plus(ValueId a, std::int64_t b) {
  const Type type = type_of(a);
  return binary("arith.addi", a, constant(b, type));
}

ValueId Site::next_in_ring(ValueId a, std::int64_t size) {
  const Type type = type_of(a);
  return binary("arith.remui", plus(a, 1), constant(size, type));
}

ValueId Site::first_part(ValueId memref, std::vector<std::int64_t> shape) {
  const Type type = type_of(memref);
  const ValueId zero = constant(0, Type::scalar(Element::kI32));
  Op op;
  op.name = "tpu.memref_slice";
  op.operands = {memref};
  op.operands.insert(op.operands.end(), shape.size(), zero);
  op.attributes = {{"operandSegmentSizes",
                    {mosaic::DenseArrayAttr{{1, static_cast<std::int64_t>(shape.size()), 0}, Element::kI32}}}};
  return insert(std::move(op), Type::memref(type.element, std::move(shape), type.space));
}

}  // namespace millrace::mutation
