// SPDX-License-Identifier: Apache-2.0
// The flat program: what a kernel does on each core, without MLIR and without a word on how instructions run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"
#include "mosaic/ir.h"
#include "program/instruction.h"
#include "program/view_plan.h"

namespace millrace::program {

using mosaic::Element;

// A memory that the program names: an operand, a scratch buffer, a buffer of a scope. Bound to storage when the run
// begins, or by kAllocate.
struct MemorySlot {
  std::string name;  // "in0", "out0", "scratch0", "scoped0", "scopedsem0"
  event::MemoryKind kind = event::MemoryKind::kVmem;
  Element element = Element::kF32;
  std::vector<std::int64_t> shape;
  enum class Binding : std::uint8_t { kInput, kOutput, kScratch, kScoped, kWindow } binding = Binding::kScoped;
  std::uint32_t operand = 0;                  // which input or output; of kWindow: which window
  std::optional<std::uint32_t> same_as = {};  // an input that is another name for this memory slot, an output
};

// A window of the grid: a block of an operand, staged in two slots (or one) of fast memory. `current` and `next` hold
// one i32 a dimension: the block index at this grid step and at the one after.
struct Window {
  std::uint32_t memory = 0;   // the slot that the body's argument names
  std::uint32_t operand = 0;  // the slot of the whole array
  bool input = false, output = false;
  std::uint32_t slots = 2;
  std::vector<std::int64_t> block, array;  // elements
  std::vector<Slot> current, next;
  std::string name;                     // "in0"
  bool elements = false;                // the map gives element offsets into the padded array, not numbers of blocks
  std::vector<std::int64_t> low, high;  // that padding: undefined elements before and behind the array
  bool reload = false;                  // an output that is read back when its block is entered
};

struct Elementwise {
  std::string op;  // MLIR's name, "arith.addf"
  Element from = Element::kF32, to = Element::kF32;
  std::int64_t predicate = -1;  // of arith.cmpi and arith.cmpf
  std::uint32_t arity = 1;
  bool scalar_rhs = false;
  friend bool operator==(const Elementwise&, const Elementwise&) = default;
};

struct Move {                         // kBroadcast, kTranspose, kSlice, kConcatenate, kRotate
  std::vector<std::int64_t> in, out;  // shapes
  std::vector<std::int64_t> numbers;  // permutation; offsets; or {dimension, offset}; or {dimension}
  std::uint32_t element_bytes = 4;
};

struct Reduction {
  std::string kind;
  Element element = Element::kF32;
  std::vector<std::int64_t> shape, dimensions;
};

struct Contraction {
  std::int64_t batch = 1, rows = 0, columns = 0, depth = 0;
  std::int64_t lhs_stride[3] = {}, rhs_stride[3] = {};  // (batch, row, k), (batch, k, column)
  Element lhs = Element::kF32, rhs = Element::kF32, out = Element::kF32;
  bool round_operands = false;
};

// A load or store of a box of a view: at `index`, of `shape`, every `strides`-th element.
struct MemoryAccess {
  ViewPlan view;
  std::vector<Sum> index;             // by shown dimension
  std::vector<std::int64_t> shape;    // of the value; all ones for a scalar
  std::vector<std::int64_t> strides;  // elements; 1 each where the access is dense
  bool masked = false;
};

struct Dma {
  ViewPlan source, target;
  ViewPlan semaphore;
  std::int64_t priority = 0;              // as the kernel asks; nothing depends on it
  std::optional<ViewPlan> sends = {};     // of a remote copy: the semaphore here that tells that the source was read
  Slot device = kNoSlot, core = kNoSlot;  // i32: whose memory and semaphore the target is; kNoSlot: this one's
};

struct DmaWait {
  ViewPlan semaphore;
  ViewPlan target;  // only its size counts
};

struct Constant {  // bytes that stand in the frame from the start
  Slot slot = 0;
  std::vector<std::byte> data;  // one element where count > 1 and it is a splat
  std::uint64_t count = 1;      // times data is repeated
};

// What the module leaves open: the whole arrays. Outputs follow the inputs.
struct OperandSpec {
  DType dtype = DType::f32;
  Shape shape;
};

// And what only the caller of the kernel knows.
struct Environment {
  struct Alias {
    std::uint32_t input = 0, output = 0;  // one buffer under two names: it begins with the input's data
  };
  std::vector<Alias> aliases = {};
  std::vector<std::int64_t> grid_bounds = {};  // for the dynamic bounds of the grid, in their order
  std::vector<std::uint32_t> unwritten = {};   // inputs that hold nothing yet
  int devices = 1, cores = 1;                  // how many devices run the kernel, and how many cores of each
};

struct Program {
  std::string name;
  std::vector<event::Place> places;
  std::vector<Instruction> code;
  std::uint32_t frame_units = 0;  // units of 8 bytes
  std::vector<Constant> constants;
  std::vector<MemorySlot> memories;
  std::uint32_t inputs = 0, outputs = 0;
  std::vector<Environment::Alias> aliases;
  std::vector<bool> unwritten;  // by input
  int devices = 1, cores = 1;   // of each device
  Slot device_slot = kNoSlot;   // i32: the device's number, where the kernel asks for it

  std::vector<std::int64_t> grid;  // empty: one step, no grid
  std::vector<Slot> grid_index;    // i32 each, of this step
  std::vector<Slot> grid_next;     // and of the one after
  std::vector<bool> parallel;      // by axis: its points may be taken in any order
  std::vector<bool> split;         // by axis: its points are shared out among the cores
  std::vector<Window> windows;

  std::vector<Elementwise> elementwise;
  std::vector<Move> moves;
  std::vector<Reduction> reductions;
  std::vector<Contraction> contractions;
  std::vector<MemoryAccess> accesses;
  std::vector<Dma> dmas;
  std::vector<DmaWait> dma_waits;
  std::vector<ViewPlan> semaphores;  // of kSignal, kWait and kReadSemaphore
  std::vector<std::string> scope_names;
  std::vector<std::string> messages;  // of kAssert
};

}  // namespace millrace::program
