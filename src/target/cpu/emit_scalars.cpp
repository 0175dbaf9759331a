// SPDX-License-Identifier: Apache-2.0
// Scalars in the frame: index arithmetic, conditions, and elementwise instructions of one element.
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

#include <cstring>

#include "machine/tile/tile.h"
#include "target/cpu/arithmetic.h"
#include "target/cpu/kernel.h"

namespace millrace::cpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;
using program::Instruction;
using program::Op;
using program::Slot;

Value KernelEmitter::i64(std::int64_t v) { return arith::ConstantOp::create(b_, at_, b_.getI64IntegerAttr(v)); }
Value KernelEmitter::i32(std::int64_t v) {
  return arith::ConstantOp::create(b_, at_, b_.getI32IntegerAttr(static_cast<std::int32_t>(v)));
}

Value KernelEmitter::bits(Slot s, unsigned bytes) {
  compute_if_pending(s);
  const mlir::Type type = b_.getIntegerType(8 * bytes);
  if (const auto c = constants_.find(s); c != constants_.end() && c->second->data.size() >= bytes) {
    std::uint64_t v = 0;
    std::memcpy(&v, c->second->data.data(), bytes);
    const llvm::APInt value(8 * bytes, v, false, true);
    return arith::ConstantOp::create(b_, at_, b_.getIntegerAttr(type, value));
  }
  return LLVM::LoadOp::create(b_, at_, type, frame(s));
}

Value KernelEmitter::word(Slot s) { return bits(s, 4); }
Value KernelEmitter::truth(Slot s) { return arith::TruncIOp::create(b_, at_, b_.getI1Type(), bits(s, 1)); }

void KernelEmitter::set_bits(Slot s, Value v) { LLVM::StoreOp::create(b_, at_, v, frame(s)); }
void KernelEmitter::set(Slot s, Value v) {
  pending_.erase(s);
  set_bits(s, arith::ExtUIOp::create(b_, at_, b_.getI64Type(), v));
}

// As program::add_places: places that are 64-bit numbers stop far outside any memory.
Value KernelEmitter::sum(const program::Sum& s) {
  Value total = i64(s.constant);
  for (const program::Sum::Term& t : s.terms) {
    Value v;
    if (t.wide) {
      v = bits(t.slot, 8);
      v = arith::MinSIOp::create(b_, at_, v, i64(program::kFarOutside));
      v = arith::MaxSIOp::create(b_, at_, v, i64(-program::kFarOutside));
    } else {
      v = arith::ExtSIOp::create(b_, at_, b_.getI64Type(), word(t.slot));
    }
    total = arith::AddIOp::create(b_, at_, total, v);
  }
  return total;
}

namespace {

// The elementwise operation that an instruction on scalars is.
const char* operation_of(Op op) {
  switch (op) {
    case Op::kAdd: return "arith.addi";
    case Op::kSub: return "arith.subi";
    case Op::kMul: return "arith.muli";
    case Op::kRemU: return "arith.remui";
    case Op::kDivS: return "arith.divsi";
    case Op::kRemS: return "arith.remsi";
    case Op::kMinS: return "arith.minsi";
    case Op::kMaxS: return "arith.maxsi";
    case Op::kAnd1: return "arith.andi";
    case Op::kOr1: return "arith.ori";
    case Op::kXor1: return "arith.xori";
    default: return nullptr;
  }
}

}  // namespace

bool KernelEmitter::scalar(const Instruction& i) {
  const bool of_bools = i.op >= Op::kAnd1 && i.op <= Op::kXor1;
  if (const char* op = operation_of(i.op)) {
    const Element e = of_bools ? Element::kI1 : Element::kI32;
    std::vector<Lane> operands{{{}, of_bools ? truth(i.a) : word(i.a), e}, {{}, of_bools ? truth(i.b) : word(i.b), e}};
    Lane result = Arithmetic(b_, at_).apply({op, e, e, -1, 2, false}, operands);
    set(i.dst, result.seen);
    return true;
  }
  switch (i.op) {
    case Op::kCompare: {
      const auto predicate = static_cast<arith::CmpIPredicate>(i.small);
      set(i.dst, arith::CmpIOp::create(b_, at_, predicate, word(i.a), word(i.b)));
      return true;
    }
    case Op::kSelectScalar: {
      const Value c = truth(i.a), x = bits(i.b, 8), y = bits(i.c, 8);
      pending_.erase(i.dst);
      set_bits(i.dst, arith::SelectOp::create(b_, at_, c, x, y));
      return true;
    }
    case Op::kWiden: {
      const Value v = arith::ExtSIOp::create(b_, at_, b_.getI64Type(), word(i.a));
      pending_.erase(i.dst);
      set_bits(i.dst, v);
      return true;
    }
    case Op::kNarrow: set(i.dst, word(i.a)); return true;
    case Op::kExtend1: set(i.dst, truth(i.a)); return true;
    default: return false;
  }
}

bool KernelEmitter::single(const Instruction& i) {
  const bool elementwise = i.op == Op::kUnary || i.op == Op::kBinary || i.op == Op::kBinaryScalar;
  if (i.n != 1 || (!elementwise && i.op != Op::kSelect)) return false;
  Arithmetic arithmetic(b_, at_);
  Lane result;
  if (elementwise) {
    const program::Elementwise& e = p_.elementwise[i.aux];
    if (!Arithmetic::knows(e)) return false;
    const unsigned bytes = raw_bits(e.from) / 8;
    std::vector<Lane> operands{{bits(i.a, bytes), {}}};
    if (i.op != Op::kUnary) operands.push_back({bits(i.b, bytes), {}});
    result = arithmetic.apply(e, operands);
  } else {
    result = arithmetic.select({bits(i.a, 1), {}}, {bits(i.b, i.small), {}}, {bits(i.c, i.small), {}}, i.small);
  }
  pending_.erase(i.dst);
  set_bits(i.dst, arithmetic.raw(result));
  return true;
}

}  // namespace millrace::cpu
