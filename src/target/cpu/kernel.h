// SPDX-License-Identifier: Apache-2.0
// The kernel function: control flow and scalars of the flat program as operations of their own, its elementwise
// instructions gathered into loops, and everything else handed to the worker, instruction by instruction.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

#include "target/cpu/tiles.h"

namespace millrace::cpu {

inline constexpr const char* kEntry = "kernel";

mlir::OwningOpRef<mlir::ModuleOp> emit_module(const Plan& plan, mlir::MLIRContext& context);

class KernelEmitter {
 public:
  KernelEmitter(const Plan& plan, mlir::OpBuilder& builder, mlir::ModuleOp module);
  void emit();

 private:
  // emit_kernel.cpp: blocks, jumps, what is handed over
  void find_uses();
  void find_blocks();
  void find_registers();
  void begin_block(std::uint32_t pc);
  void instruction(std::uint32_t pc);
  void jump(const program::Instruction& i);
  void hand_over(std::uint32_t pc);
  void leave_if(mlir::Value condition);
  mlir::Value call_worker(std::uint32_t pc);  // i32: not 0 where the run stops
  void branch(mlir::Value condition, mlir::Block* yes, mlir::Block* no);
  void branch_to_exit();
  void maps_end();
  bool is_nothing(const program::Instruction& i) const;

  // emit_scalars.cpp
  bool scalar(const program::Instruction& i);
  bool single(const program::Instruction& i);  // an elementwise instruction of one element
  mlir::Value word(program::Slot s);           // i32
  mlir::Value truth(program::Slot s);          // i1
  mlir::Value bits(program::Slot s, unsigned bytes);
  void set(program::Slot s, mlir::Value v);  // an i32 or an i1, zero-extended as the frame holds it
  void set_bits(program::Slot s, mlir::Value v);
  mlir::Value sum(const program::Sum& s);  // i64
  mlir::Value i64(std::int64_t v);
  mlir::Value i32(std::int64_t v);

  // emit_values.cpp: values that are not computed yet
  bool lazy(std::uint32_t pc);
  bool load(std::uint32_t pc);
  bool store(std::uint32_t pc);
  bool copy(std::uint32_t pc);
  bool reduce(std::uint32_t pc);
  void expect(const program::Instruction& i, NodePtr node);
  NodePtr node_of(program::Slot s, std::int64_t count, unsigned bytes);
  void compute(const NodePtr& node);  // into its place in the frame
  void compute_if_pending(program::Slot s);
  void fill(const NodePtr& root, const Target& to);
  void prepare(const NodePtr& root);
  void flush(std::uint32_t end);
  bool used_later(program::Slot s) const;  // in this block
  void before_write(std::uint32_t memory, std::optional<std::uint32_t> access);
  void before_release();
  void before_overwrite(program::Slot s);

  // emit_memory.cpp: addresses
  bool plain(const program::MemoryAccess& a) const;
  bool streams(const program::MemoryAccess& a) const;
  // The address of the first element; none where the access certainly leaves its memory. Emits what checks it.
  std::optional<mlir::Value> address(std::uint32_t pc, const program::MemoryAccess& a);
  Layout layout_of(const program::MemoryAccess& a) const;
  std::optional<std::int64_t> known_stride(std::uint32_t memory, std::size_t d) const;
  mlir::Value stride(std::uint32_t memory, std::size_t d);
  mlir::Value frame(program::Slot s);
  mlir::Value field(mlir::Value pointer, std::int64_t bytes, mlir::Type type);
  mlir::Value offset(mlir::Value pointer, std::int64_t bytes);
  mlir::Value offset(mlir::Value pointer, mlir::Value bytes);

  const Plan& plan_;
  const program::Program& p_;
  mlir::OpBuilder& b_;
  mlir::Location at_;
  mlir::ModuleOp module_;
  Loops loops_;
  mlir::Value native_, frame_, places_, execute_;
  mlir::Block* exit_ = nullptr;
  std::map<std::uint32_t, mlir::Block*> blocks_;  // by first instruction
  std::uint32_t block_end_ = 0, pc_ = 0;
  bool maps_ended_ = false;
  std::map<program::Slot, std::vector<std::uint32_t>> uses_;
  std::map<program::Slot, int> definitions_;
  std::map<program::Slot, const program::Constant*> constants_;
  std::map<program::Slot, NodePtr> pending_;
  // Scalars that the worker sees only where an instruction is handed over: they have places of their own, which LLVM
  // turns into registers.
  std::map<program::Slot, mlir::Value> registers_;
};

}  // namespace millrace::cpu
