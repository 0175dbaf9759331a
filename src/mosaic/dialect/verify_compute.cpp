// SPDX-License-Identifier: Apache-2.0
// What tile arithmetic must hold beyond the kinds of its operands: shapes, axes and widths that agree. Contractions are
// in verify_matmul.cpp.
#include "llvm/ADT/SmallBitVector.h"
#include "mosaic/dialect/shape_rules.h"

namespace millrace::mosaic::tpu {
namespace {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using mlir::VectorType;
using Shape = llvm::SmallVector<std::int64_t>;

VectorType vector(mlir::Value value) { return mlir::cast<VectorType>(value.getType()); }
Shape shape(mlir::Value value) { return Shape(vector(value).getShape()); }

LogicalResult check_axis(mlir::Operation* op, std::int64_t axis, VectorType type) {
  if (0 <= axis && axis < type.getRank()) return success();
  return op->emitOpError() << "names dimension " << axis << " of " << type;
}

template <class Integer>
LogicalResult check_axes(mlir::Operation* op, llvm::ArrayRef<Integer> axes, VectorType type) {
  llvm::SmallBitVector seen(static_cast<unsigned>(type.getRank()));
  for (const std::int64_t axis : axes) {
    if (failed(check_axis(op, axis, type))) return failure();
    if (seen.test(static_cast<unsigned>(axis))) return op->emitOpError() << "names dimension " << axis << " twice";
    seen.set(static_cast<unsigned>(axis));
  }
  return success();
}

LogicalResult check_result(mlir::Operation* op, VectorType result, const Shape& shape, mlir::Type element) {
  const auto expected = VectorType::get(shape, element);
  if (result == expected) return success();
  return op->emitOpError() << "gives " << expected << ", not " << result;
}

template <class RotateOp>
LogicalResult check_rotate(RotateOp op) {
  const VectorType type = vector(op.getValue());
  if (failed(check_axis(op, op.getDimension(), type))) return failure();
  if (op.getStride().has_value() != op.getStrideDimension().has_value()) {
    return op.emitOpError() << "takes stride and stride_dimension together or neither";
  }
  if (!op.getStride()) return success();
  if (failed(check_axis(op, *op.getStrideDimension(), type))) return failure();
  if (*op.getStrideDimension() == op.getDimension()) {
    return op.emitOpError() << "rotates dimension " << op.getDimension() << " and cannot stride along it";
  }
  return success();
}

unsigned width(mlir::Type type) { return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0; }

// The 32-bit type that words of `part` are unpacked to: f32 of floats, i32 of integers.
mlir::Type word_of(mlir::Type part) {
  mlir::Builder builder(part.getContext());
  return mlir::isa<mlir::FloatType>(part) ? mlir::Type(builder.getF32Type()) : builder.getI32Type();
}

LogicalResult check_part(mlir::Operation* op, mlir::Type part) {
  const unsigned bits = width(part);
  if (bits == 4 || bits == 8 || bits == 16) return success();
  return op->emitOpError() << "packs 4, 8 or 16 bits into a word, not " << part;
}

}  // namespace

LogicalResult check_bitcast(mlir::Operation* op, mlir::ShapedType source, mlir::ShapedType result) {
  const std::int64_t from = width(source.getElementType()), to = width(result.getElementType());
  bool fits = source.getRank() == result.getRank() && (from == to || source.getRank() >= 2);
  for (std::int64_t i = 0; fits && i < source.getRank(); ++i) {
    const std::int64_t a = source.getDimSize(static_cast<unsigned>(i)), b = result.getDimSize(static_cast<unsigned>(i));
    const bool scaled = from != to && i == source.getRank() - 2;
    const bool fixed = !mlir::ShapedType::isDynamic(a) && !mlir::ShapedType::isDynamic(b);
    fits = scaled ? fixed && a * from == b * to : a == b;
  }
  if (fits) return success();
  return op->emitOpError()
         << "keeps the shape, but for a second last dimension that makes up for another width of elements; " << source
         << " does not become " << result;
}

LogicalResult BitcastOp::verify() { return check_bitcast(*this, vector(getInput()), vector(getOutput())); }

LogicalResult IotaOp::verify() {
  if (getDimensions().empty()) return emitOpError() << "counts along at least one dimension";
  return check_axes(*this, getDimensions(), vector(getResult()));
}

LogicalResult TransposeOp::verify() {
  const VectorType source = vector(getVector());
  if (static_cast<std::int64_t>(getPermutation().size()) != source.getRank()) {
    return emitOpError() << "has a permutation of " << getPermutation().size() << " dimensions for " << source;
  }
  if (failed(check_axes(*this, getPermutation(), source))) return failure();
  Shape expected;
  for (const std::int64_t axis : getPermutation()) expected.push_back(source.getDimSize(static_cast<unsigned>(axis)));
  return check_result(*this, vector(getResult()), expected, source.getElementType());
}

LogicalResult ConcatenateOp::verify() {
  if (getSources().empty()) return emitOpError() << "takes at least one vector";
  const VectorType first = vector(getSources().front());
  const std::int64_t axis = static_cast<std::int32_t>(getDimension());
  if (failed(check_axis(*this, axis, first))) return failure();
  Shape expected = shape(getSources().front());
  for (const mlir::Value source : getSources().drop_front()) {
    Shape other = shape(source);
    if (other.size() != expected.size()) return emitOpError() << "takes vectors of one rank";
    const std::int64_t more =
        std::exchange(other[static_cast<std::size_t>(axis)], expected[static_cast<std::size_t>(axis)]);
    if (other != expected || vector(source).getElementType() != first.getElementType()) {
      return emitOpError() << "takes vectors that agree but for dimension " << axis << "; " << first << " and "
                           << source.getType() << " do not";
    }
    auto& whole = expected[static_cast<std::size_t>(axis)];
    if (llvm::AddOverflow(whole, more, whole)) return emitOpError() << "gives a vector that is too long";
  }
  return check_result(*this, vector(getResult()), expected, first.getElementType());
}

LogicalResult RepeatOp::verify() {
  const VectorType source = vector(getSource());
  const std::int64_t axis = static_cast<std::int32_t>(getDimension()), times = static_cast<std::int32_t>(getTimes());
  if (failed(check_axis(*this, axis, source))) return failure();
  if (times < 1) return emitOpError() << "repeats " << times << " times; it must be at least 1";
  Shape expected = shape(getSource());
  auto& whole = expected[static_cast<std::size_t>(axis)];
  if (llvm::MulOverflow(whole, times, whole)) return emitOpError() << "gives a vector that is too long";
  return check_result(*this, vector(getResult()), expected, source.getElementType());
}

LogicalResult ReshapeOp::verify() {
  const VectorType source = vector(getSource()), result = vector(getResult());
  if (source.getElementType() == result.getElementType() && source.getNumElements() == result.getNumElements()) {
    return success();
  }
  return emitOpError() << "keeps the elements and their number; " << source << " does not become " << result;
}

LogicalResult RotateOp::verify() { return check_rotate(*this); }
LogicalResult DynamicRotateOp::verify() { return check_rotate(*this); }

LogicalResult DynamicGatherOp::verify() {
  const VectorType source = vector(getSource()), indices = vector(getIndices());
  if (source.getRank() != indices.getRank()) return emitOpError() << "takes indices of the rank of its source";
  if (failed(check_axes(*this, getDimensions(), source))) return failure();
  for (std::int64_t i = 0; i < source.getRank(); ++i) {
    const bool gathered = llvm::is_contained(getDimensions(), i);
    if (!gathered &&
        source.getShape()[static_cast<std::size_t>(i)] != indices.getShape()[static_cast<std::size_t>(i)]) {
      return emitOpError() << "gathers along its dimensions only; " << source << " and " << indices
                           << " differ in dimension " << i;
    }
  }
  return check_result(*this, vector(getResult()), shape(getIndices()), source.getElementType());
}

LogicalResult ReduceIndexOp::verify() {
  const VectorType input = vector(getInput());
  const std::int64_t axis = static_cast<std::int32_t>(getAxis());
  if (failed(check_axis(*this, axis, input))) return failure();
  if (getKind() != ReductionKind::kArgMax && getKind() != ReductionKind::kArgMin) {
    return emitOpError() << "finds arg_max or arg_min, not " << stringifyReductionKind(getKind());
  }
  Shape expected = shape(getInput());
  expected.erase(expected.begin() + axis);
  return check_result(*this, vector(getOutput()), expected, mlir::IntegerType::get(getContext(), 32));
}

LogicalResult WeirdOp::verify() {
  const auto input = mlir::dyn_cast<VectorType>(getInput().getType()),
             output = mlir::dyn_cast<VectorType>(getOutput().getType());
  if (bool(input) == bool(output) && (!input || input.getShape() == output.getShape())) return success();
  return emitOpError() << "keeps the shape; " << getInput().getType() << " does not become " << getOutput().getType();
}

LogicalResult PackElementwiseOp::verify() {
  if (failed(check_part(*this, getTargetType()))) return failure();
  const unsigned parts = 32 / width(getTargetType());
  if (getSources().size() != parts) {
    return emitOpError() << "packs " << parts << " vectors of " << getTargetType() << ", not " << getSources().size();
  }
  const auto expected = VectorType::get(vector(getOutput()).getShape(), word_of(getTargetType()));
  for (const mlir::Value source : getSources()) {
    if (source.getType() != expected)
      return emitOpError() << "packs vectors of " << expected << ", not " << source.getType();
  }
  return success();
}

LogicalResult UnpackElementwiseOp::verify() {
  if (failed(check_part(*this, getSourceType()))) return failure();
  const unsigned parts = 32 / width(getSourceType());
  if (getIndex() >= parts)
    return emitOpError() << "has parts 0 to " << parts - 1 << ", not " << static_cast<int>(getIndex());
  return check_result(*this, vector(getOutput()), shape(getSource()), word_of(getSourceType()));
}

LogicalResult StochasticConvertOp::verify() {
  const VectorType input = vector(getInput()), output = vector(getOutput());
  if (input.getShape() != vector(getRandom()).getShape() || input.getShape() != output.getShape()) {
    return emitOpError() << "takes and gives one shape; " << input << ", " << getRandom().getType() << " and " << output
                         << " differ";
  }
  if (width(output.getElementType()) > 16) return emitOpError() << "rounds to 8 or 16 bits, not to " << output;
  return success();
}

LogicalResult AssumeMultipleOp::verify() {
  const auto multiple = static_cast<std::int32_t>(getMultiple());
  return multiple >= 1 ? success() : emitOpError() << "assumes a multiple of " << multiple << "; it must be at least 1";
}

LogicalResult LogBufferOp::verify() {
  const auto input = mlir::cast<mlir::MemRefType>(getInput().getType());
  if (static_cast<std::int64_t>(getShape().size()) == input.getRank()) return success();
  return emitOpError() << "prints " << getShape().size() << " dimensions of " << input;
}

}  // namespace millrace::mosaic::tpu
