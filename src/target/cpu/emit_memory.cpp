// SPDX-License-Identifier: Apache-2.0
// Where things lie: the frame, memories, and the elements that a load or a store names.
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

#include <cstddef>

#include "machine/memory.h"
#include "target/cpu/kernel.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;
using program::MemoryAccess;
using program::Slot;

Value KernelEmitter::offset(Value pointer, std::int64_t bytes) {
  if (bytes == 0) return pointer;
  if (bytes > 0x7fffffff) return offset(pointer, i64(bytes));
  return LLVM::GEPOp::create(b_, at_, pointer.getType(), b_.getI8Type(), pointer,
                             llvm::ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(bytes)});
}

Value KernelEmitter::offset(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(b_, at_, pointer.getType(), b_.getI8Type(), pointer, llvm::ArrayRef<LLVM::GEPArg>{bytes});
}

Value KernelEmitter::field(Value pointer, std::int64_t bytes, mlir::Type type) {
  return LLVM::LoadOp::create(b_, at_, type, offset(pointer, bytes));
}

Value KernelEmitter::frame(Slot s) { return offset(frame_, std::int64_t{8} * s); }

// A window that is always a view steps through memory as its array does; one that may be a buffer as it is at the time.
std::optional<std::int64_t> KernelEmitter::known_stride(std::uint32_t memory, std::size_t d) const {
  const std::vector<std::int64_t>* shape = &p_.memories[memory].shape;
  for (std::size_t w = 0; w < p_.windows.size(); ++w) {
    if (p_.windows[w].memory != memory) continue;
    if (plan_.shown[w] == Shown::kWithinArray && d + 1 < shape->size()) return {};
    if (plan_.shown[w] == Shown::kView) shape = &p_.windows[w].array;
  }
  std::int64_t stride = 1;
  for (std::size_t k = d + 1; k < shape->size(); ++k) stride *= (*shape)[k];
  return stride;
}

Value KernelEmitter::stride(std::uint32_t memory, std::size_t d) {
  if (const auto known = known_stride(memory, d)) return i64(*known);
  const std::size_t at = memory * sizeof(Place) + offsetof(Place, strides) + 8 * d;
  return field(places_, static_cast<std::int64_t>(at), b_.getI64Type());
}

bool KernelEmitter::plain(const MemoryAccess& a) const {
  if (a.view.frame) return false;
  for (const program::ViewDim& d : a.view.dims)
    if (d.size_slot != program::kNoSlot) return false;
  for (const std::int64_t n : a.shape)
    if (n < 1) return false;
  return machine::bytes_or_none(a.view.element) == machine::bytes_or_none(p_.memories[a.view.memory].element);
}

// A block of a large output that the kernel never reads, in rows that begin at multiples of the alignment if the first
// one does.
bool KernelEmitter::streams(const MemoryAccess& a) const {
  constexpr std::uint64_t kLarge = std::uint64_t{8}
                                   << 20;  // bytes; what is smaller may stay in a cache until it is read
  const std::uint32_t root = plan_.root[a.view.memory];
  if (p_.memories[root].binding != program::MemorySlot::Binding::kOutput || a.shape.empty()) return false;
  const auto bytes = static_cast<std::int64_t>(machine::bytes_in_memory(a.view.element));
  if (bytes_of(p_.memories[root].shape, static_cast<std::size_t>(bytes)) < kLarge) return false;
  for (const program::Instruction& i : p_.code)
    if (i.op == program::Op::kLoad && plan_.root[p_.accesses[i.aux].view.memory] == root) return false;
  for (std::size_t k = 0; k < a.shape.size(); ++k) {
    const auto step = known_stride(a.view.memory, a.view.shown[k]);
    const bool last = k + 1 == a.shape.size();
    if (!step || a.strides[k] != 1 || (last ? *step != 1 : *step * bytes % kStreamAlignment != 0)) return false;
  }
  return a.shape.back() * bytes >= 4 * kStreamAlignment;
}

Layout KernelEmitter::layout_of(const MemoryAccess& a) const {
  Layout l;
  for (std::size_t k = 0; k < a.shape.size(); ++k) {
    const std::uint8_t d = a.view.shown[k];
    if (const auto known = known_stride(a.view.memory, d))
      l.push_back({a.shape[k], *known * a.strides[k], -1});
    else
      l.push_back({a.shape[k], a.strides[k], static_cast<int>(a.view.memory) * event::kMaxRank + d});
  }
  return l;
}

std::optional<Value> KernelEmitter::address(std::uint32_t pc, const MemoryAccess& a) {
  Value wrong;  // i1
  bool outside = false;
  // 0 <= s <= most
  const auto check = [&](const program::Sum& s, std::int64_t most) {
    if (s.terms.empty()) {
      outside |= s.constant < 0 || s.constant > most;
      return;
    }
    const Value v = sum(s);
    const Value bad = most < 0 ? arith::ConstantOp::create(b_, at_, b_.getBoolAttr(true)).getResult()
                               : arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::ugt, v, i64(most)).getResult();
    wrong = wrong ? arith::OrIOp::create(b_, at_, wrong, bad).getResult() : bad;
  };
  for (const program::ViewDim& d : a.view.dims) check(d.start, d.extent - d.size);
  for (std::size_t k = 0; k < a.shape.size(); ++k)
    check(a.index[k], a.view.dims[a.view.shown[k]].size - (a.shape[k] - 1) * a.strides[k] - 1);
  if (outside) return {};
  if (wrong) {  // the worker says what is wrong
    mlir::Block* here = b_.getInsertionBlock();
    auto* fault = new mlir::Block;
    auto* on = new mlir::Block;
    here->getParent()->getBlocks().insertAfter(here->getIterator(), on);
    here->getParent()->getBlocks().insertAfter(on->getIterator(), fault);
    branch(wrong, fault, on);
    b_.setInsertionPointToEnd(fault);
    call_worker(pc);
    branch_to_exit();
    b_.setInsertionPointToEnd(on);
  }
  Value place = field(places_, static_cast<std::int64_t>(a.view.memory * sizeof(Place) + offsetof(Place, base)),
                      native_.getType());
  const auto bytes = static_cast<std::int64_t>(machine::bytes_in_memory(a.view.element));
  std::int64_t constant = 0;
  const auto add = [&](const program::Sum& s, std::size_t d) {
    const auto known = known_stride(a.view.memory, d);
    if (s.terms.empty() && (known || s.constant == 0)) {
      constant += s.constant * known.value_or(0) * bytes;
      return;
    }
    const Value step = arith::MulIOp::create(b_, at_, stride(a.view.memory, d), i64(bytes));
    place = offset(place, arith::MulIOp::create(b_, at_, sum(s), step).getResult());
  };
  for (std::size_t d = 0; d < a.view.dims.size(); ++d) add(a.view.dims[d].start, d);
  for (std::size_t k = 0; k < a.shape.size(); ++k) add(a.index[k], a.view.shown[k]);
  return offset(place, constant);
}

}  // namespace millrace::cpu
