// SPDX-License-Identifier: Apache-2.0
// tpu.matmul: one contracting dimension a side, at most one batch dimension, and the output batch, lhs, rhs in order.
#include "mosaic/dialect/shape_rules.h"

namespace millrace::mosaic::tpu {
namespace {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;
using mlir::VectorType;
using List = llvm::SmallVector<std::int64_t>;

VectorType vector(mlir::Value value) { return mlir::cast<VectorType>(value.getType()); }

// The dimensions of both sides by role.
struct Roles {
  List lhs_contracting, rhs_contracting, lhs_free, rhs_free, output_order, lhs_batch, rhs_batch;
};

Roles roles_of(MatmulOp op) {
  if (auto given = op.getDimensionNumbersAttr()) {
    return {List(given.getLhsContracting()), List(given.getRhsContracting()), List(given.getLhsFree()),
            List(given.getRhsFree()),        List(given.getOutputOrder()),    List(given.getLhsBatch()),
            List(given.getRhsBatch())};
  }
  const std::int64_t lhs = op.getTransposeLhs() ? 0 : 1, rhs = op.getTransposeRhs() ? 1 : 0;
  return {{lhs}, {rhs}, {1 - lhs}, {1 - rhs}, {0, 1 - lhs, 1, 1 - rhs}, {}, {}};
}

// Every dimension of a side has one role.
LogicalResult check_side(MatmulOp op, llvm::StringRef side, VectorType type, const List& contracting, const List& free,
                         const List& batch) {
  List all(contracting);
  llvm::append_range(all, free);
  llvm::append_range(all, batch);
  llvm::sort(all);
  bool each_once = static_cast<std::int64_t>(all.size()) == type.getRank();
  for (std::size_t i = 0; each_once && i < all.size(); ++i) each_once = all[i] == static_cast<std::int64_t>(i);
  if (!each_once)
    return op.emitOpError() << "gives each dimension of " << side << " (" << type << ") one role, and only one";
  if (contracting.size() != 1)
    return op.emitOpError() << "contracts one dimension of " << side << ", not " << contracting.size();
  if (batch.size() > 1) return op.emitOpError() << "takes at most one batch dimension, not " << batch.size();
  return success();
}

List sizes(VectorType type, const List& axes) {
  return List(llvm::map_range(axes, [&](std::int64_t axis) { return type.getDimSize(static_cast<unsigned>(axis)); }));
}

LogicalResult check_elements(MatmulOp op) {
  const mlir::Type lhs = vector(op.getLhs()).getElementType(), rhs = vector(op.getRhs()).getElementType();
  const mlir::Type acc = vector(op.getAcc()).getElementType();
  if (op.getAcc().getType() != op.getResult().getType()) {
    return op.emitOpError() << "gives the type of its accumulator, " << op.getAcc().getType() << ", not "
                            << op.getResult().getType();
  }
  if (!acc.isF32() && !acc.isInteger(32)) return op.emitOpError() << "accumulates in f32 or i32, not in " << acc;
  for (const mlir::Type side : {lhs, rhs}) {
    if (mlir::isa<mlir::FloatType>(side) && !acc.isF32()) {
      return op.emitOpError() << "contracts floats into f32, and integers into f32 or i32, not " << lhs << " and "
                              << rhs << " into " << acc;
    }
  }
  return success();
}

}  // namespace

LogicalResult MatmulOp::verify() {
  const VectorType lhs = vector(getLhs()), rhs = vector(getRhs());
  const Roles roles = roles_of(*this);
  if (failed(check_elements(*this)) ||
      failed(check_side(*this, "lhs", lhs, roles.lhs_contracting, roles.lhs_free, roles.lhs_batch)) ||
      failed(check_side(*this, "rhs", rhs, roles.rhs_contracting, roles.rhs_free, roles.rhs_batch))) {
    return failure();
  }
  if (sizes(lhs, roles.lhs_contracting) != sizes(rhs, roles.rhs_contracting)) {
    return emitOpError() << "contracts dimensions of different sizes of " << lhs << " and " << rhs;
  }
  if (sizes(lhs, roles.lhs_batch) != sizes(rhs, roles.rhs_batch)) {
    return emitOpError() << "has different batch dimensions in " << lhs << " and " << rhs;
  }
  List order, expected;
  const auto add = [&](std::int64_t side, const List& axes, VectorType type) {
    for (const std::int64_t axis : axes) order.append({side, axis});
    llvm::append_range(expected, sizes(type, axes));
  };
  add(0, roles.lhs_batch, lhs);
  add(0, roles.lhs_free, lhs);
  add(1, roles.rhs_free, rhs);
  if (order != roles.output_order)
    return emitOpError() << "gives batch, lhs and rhs dimensions in this order and no other";
  if (llvm::ArrayRef<std::int64_t>(expected) != vector(getAcc()).getShape()) {
    return emitOpError() << "of " << lhs << " and " << rhs << " does not give " << getAcc().getType();
  }
  return success();
}

LogicalResult MatmulPushRhsOp::verify() {
  if (vector(getRhs()).getRank() == 2) return success();
  return emitOpError() << "takes a matrix, not " << getRhs().getType();
}

LogicalResult MatmulAccLhsOp::verify() {
  if (vector(getLhs()).getRank() == 2) return success();
  return emitOpError() << "takes a matrix, not " << getLhs().getType();
}

}  // namespace millrace::mosaic::tpu
