// SPDX-License-Identifier: Apache-2.0
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

#include <algorithm>
#include <cstddef>

#include "target/cpu/kernel.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

namespace arith = mlir::arith;
namespace cf = mlir::cf;
namespace LLVM = mlir::LLVM;
using mlir::Value;
using program::Instruction;
using program::Op;
using program::Slot;

KernelEmitter::KernelEmitter(const Plan& plan, mlir::OpBuilder& builder, mlir::ModuleOp module)
    : plan_(plan),
      p_(plan.program),
      b_(builder),
      at_(builder.getUnknownLoc()),
      module_(module),
      loops_(plan, builder, at_, module.getOperation(),
             {[this](Slot s) { return frame(s); },
              [this](int symbol) {
                return stride(static_cast<std::uint32_t>(symbol / event::kMaxRank),
                              static_cast<std::size_t>(symbol % event::kMaxRank));
              }}) {}

void KernelEmitter::find_uses() {
  for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
    const Touched t = touched(p_, p_.code[pc]);
    for (const auto& r : t.reads) uses_[r.slot].push_back(pc);
    for (const auto& w : t.writes) ++definitions_[w.slot];
  }
  for (const program::Window& w : p_.windows)  // the worker reads and writes them
    for (const auto* numbers : {&w.current, &w.next})
      for (const Slot s : *numbers) definitions_[s] += 2;
  for (const auto* numbers : {&p_.grid_index, &p_.grid_next})
    for (const Slot s : *numbers) definitions_[s] += 2;
  for (const program::Constant& c : p_.constants)
    if (!definitions_.contains(c.slot)) constants_[c.slot] = &c;
}

// Not tiles, nor what the worker reads and writes of itself, nor what lives from run to run.
void KernelEmitter::find_registers() {
  constexpr std::size_t kMost = 4096;  // of a longer kernel they stay in the frame
  std::map<Slot, bool> fits;
  const auto keep = [&](Slot s) { fits[s] = false; };
  for (const Instruction& i : p_.code) {
    const Touched t = touched(p_, i);
    for (const auto* all : {&t.reads, &t.writes})
      for (const auto& b : *all) {
        const bool scalar = b.bytes <= 8;
        fits[b.slot] = fits.try_emplace(b.slot, true).first->second && scalar;
      }
  }
  for (const program::Window& w : p_.windows)
    for (const auto* numbers : {&w.current, &w.next}) std::ranges::for_each(*numbers, keep);
  for (const auto* numbers : {&p_.grid_index, &p_.grid_next}) std::ranges::for_each(*numbers, keep);
  for (const program::Constant& c : p_.constants) keep(c.slot);
  for (const Slot s : plan_.carry) keep(s);
  if (p_.device_slot != program::kNoSlot) keep(p_.device_slot);
  std::erase_if(fits, [](const auto& entry) { return !entry.second; });
  if (fits.size() > kMost) return;
  const Value one = i64(1), zero = i64(0);
  for (const auto& [slot, fit] : fits) {
    registers_[slot] = LLVM::AllocaOp::create(b_, at_, native_.getType(), b_.getI64Type(), one, 8);
    LLVM::StoreOp::create(b_, at_, zero, registers_[slot]);  // as the frame; what is narrower leaves bytes unwritten
  }
}

// A block begins where a jump lands, and behind each jump.
void KernelEmitter::find_blocks() {
  blocks_[0] = nullptr;
  for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
    const Instruction& i = p_.code[pc];
    if (!is_jump(i.op)) continue;
    blocks_[i.aux] = nullptr;
    blocks_[pc + 1] = nullptr;
  }
  blocks_.erase(static_cast<std::uint32_t>(p_.code.size()));
}

void KernelEmitter::emit() {
  find_uses();
  find_blocks();
  b_.setInsertionPointToEnd(module_.getBody());
  const mlir::Type ptr = LLVM::LLVMPointerType::get(b_.getContext());
  auto function = mlir::func::FuncOp::create(b_, at_, kEntry, b_.getFunctionType({ptr}, {}));
  mlir::Block* entry = function.addEntryBlock();
  for (auto& [pc, block] : blocks_) block = function.addBlock();
  exit_ = function.addBlock();
  b_.setInsertionPointToStart(exit_);
  mlir::func::ReturnOp::create(b_, at_);
  b_.setInsertionPointToStart(entry);
  native_ = entry->getArgument(0);
  frame_ = field(native_, offsetof(Native, frame), ptr);
  places_ = field(native_, offsetof(Native, places), ptr);
  execute_ = field(native_, offsetof(Native, execute), ptr);
  find_registers();
  cf::BranchOp::create(b_, at_, blocks_.at(0));
  for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
    if (blocks_.contains(pc)) begin_block(pc);
    pc_ = pc;
    instruction(pc);
  }
}

void KernelEmitter::begin_block(std::uint32_t pc) {
  mlir::Block* here = b_.getInsertionBlock();
  if (pc > 0 && (here->empty() || !here->back().hasTrait<mlir::OpTrait::IsTerminator>())) {
    flush(pc);
    cf::BranchOp::create(b_, at_, blocks_.at(pc));
  }
  pending_.clear();
  b_.setInsertionPointToEnd(blocks_.at(pc));
  const auto next = blocks_.upper_bound(pc);
  block_end_ = next == blocks_.end() ? static_cast<std::uint32_t>(p_.code.size()) : next->first;
}

// What direct movement leaves nothing to do for.
bool KernelEmitter::is_nothing(const Instruction& i) const {
  if (plan_.copies && i.op >= Op::kWindowFetch && i.op <= Op::kStepEnd) return false;
  switch (i.op) {
    case Op::kWindowFetch:
    case Op::kWindowAwait:
    case Op::kWindowAwaitSent:
    case Op::kStepEnd:
    case Op::kScopeBegin:
    case Op::kScopeEnd:
    case Op::kAssume: return true;
    case Op::kFree: return !plan_.several;
    case Op::kWindowSend: return plan_.shown[i.aux] == Shown::kView;
    default: return false;
  }
}

void KernelEmitter::instruction(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  if (i.op == Op::kWindowFetch || i.op == Op::kStepBegin) maps_end();
  if (is_nothing(i)) return;
  if (i.op == Op::kEnd) {
    cf::BranchOp::create(b_, at_, exit_);
    return;
  }
  if (is_jump(i.op)) return jump(i);
  for (const auto& w : touched(p_, i).writes) before_overwrite(w.slot);
  if (scalar(i) || single(i) || lazy(pc)) return;
  hand_over(pc);
}

void KernelEmitter::maps_end() {
  if (std::exchange(maps_ended_, true)) return;
  leave_if(arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::ne,
                                 field(native_, offsetof(Native, maps_only), b_.getI64Type()), i64(0)));
}

void KernelEmitter::leave_if(Value condition) {
  mlir::Block* here = b_.getInsertionBlock();
  auto* on = new mlir::Block;
  here->getParent()->getBlocks().insertAfter(here->getIterator(), on);
  cf::CondBranchOp::create(b_, at_, condition, exit_, on);
  b_.setInsertionPointToEnd(on);
}

void KernelEmitter::jump(const Instruction& i) {
  const auto next = [&] { return blocks_.at(pc_ + 1); };
  mlir::Block* to = blocks_.at(i.aux);
  switch (i.op) {
    case Op::kJump:
      flush(pc_);
      cf::BranchOp::create(b_, at_, to);
      return;
    case Op::kJumpIfFalse: {
      const Value condition = truth(i.a);
      flush(pc_);
      cf::CondBranchOp::create(b_, at_, condition, next(), to);
      return;
    }
    case Op::kLoopTest: {
      const Value more = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::slt, word(i.a), word(i.b));
      flush(pc_);
      cf::CondBranchOp::create(b_, at_, more, next(), to);
      return;
    }
    default:  // kLoopNext
      before_overwrite(i.a);
      set(i.a, arith::AddIOp::create(b_, at_, word(i.a), word(i.b)));
      flush(pc_);
      cf::BranchOp::create(b_, at_, to);
  }
}

namespace {

// Arithmetic on tiles cannot fail.
bool may_stop(Op op) { return op < Op::kUnary || op > Op::kMatmul; }

}  // namespace

void KernelEmitter::hand_over(std::uint32_t pc) {
  const Instruction& i = p_.code[pc];
  const Touched t = touched(p_, i);
  for (const auto& r : t.reads) compute_if_pending(r.slot);
  if (i.op == Op::kStore) before_write(p_.accesses[i.aux].view.memory, i.aux);
  if (i.op == Op::kDmaStart) before_write(p_.dmas[i.aux].target.memory, {});
  if (i.op == Op::kAllocate) before_write(i.aux, {});
  if (plan_.several && (i.op == Op::kSignal || i.op == Op::kDmaStart)) before_release();
  if (i.op >= Op::kWindowFetch && i.op <= Op::kStepEnd)
    for (const program::Window& w : p_.windows) before_write(w.memory, {});
  for (const auto& w : t.writes) pending_.erase(w.slot);
  const Value stopped = call_worker(pc);
  if (may_stop(i.op)) leave_if(arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::ne, stopped, i32(0)));
}

Value KernelEmitter::call_worker(std::uint32_t pc) {
  const mlir::Type word = b_.getI32Type(), ptr = native_.getType();
  const auto type = LLVM::LLVMFunctionType::get(word, {ptr, word});
  const Value number = LLVM::ConstantOp::create(b_, at_, word, b_.getI32IntegerAttr(static_cast<std::int32_t>(pc)));
  const Touched t = touched(p_, p_.code[pc]);
  const auto move = [&](const Touched::Bytes& b, bool to_frame) {
    const auto r = registers_.find(b.slot);
    if (r == registers_.end()) return;
    const Value in_frame = offset(frame_, std::int64_t{8} * b.slot);
    const Value v = LLVM::LoadOp::create(b_, at_, b_.getI64Type(), to_frame ? r->second : in_frame);
    LLVM::StoreOp::create(b_, at_, v, to_frame ? in_frame : r->second);
  };
  for (const auto& b : t.reads) move(b, true);
  const Value stopped = LLVM::CallOp::create(b_, at_, type, mlir::ValueRange{execute_, native_, number}).getResult();
  for (const auto& b : t.writes) move(b, false);
  return stopped;
}

void KernelEmitter::branch(Value condition, mlir::Block* yes, mlir::Block* no) {
  cf::CondBranchOp::create(b_, at_, condition, yes, no);
}

void KernelEmitter::branch_to_exit() { cf::BranchOp::create(b_, at_, exit_); }

mlir::OwningOpRef<mlir::ModuleOp> emit_module(const Plan& plan, mlir::MLIRContext& context) {
  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder.getUnknownLoc());
  KernelEmitter(plan, builder, *module).emit();
  return module;
}

}  // namespace millrace::cpu
