// SPDX-License-Identifier: Apache-2.0
// One instruction of the flat program. Values live in a frame of bytes: a scalar takes eight, a tile its elements; both
// are named by their offset in units of eight bytes. Memories are named by slot, views by plan (view_plan.h).
#pragma once

#include <cstdint>

namespace millrace::program {

using Slot = std::uint32_t;  // offset into the frame, in units of 8 bytes
inline constexpr Slot kNoSlot = 0xffffffff;

enum class Op : std::uint16_t {
  // Control. Targets are instruction numbers, in `aux`.
  kJump,
  kJumpIfFalse,  // a: i1
  kLoopTest,     // jumps to aux unless a < b (i32, signed)
  kLoopNext,     // a += b (i32), jumps to aux
  kEnd,
  kCopy,  // dst <- a, n units of 8 bytes
  // Scalars that every kernel is full of. i32 unless said.
  kAdd,
  kSub,
  kMul,
  kRemU,
  kDivS,
  kRemS,
  kMinS,
  kMaxS,
  kCompare,  // small = MLIR's predicate; dst: i1
  kAnd1,
  kOr1,
  kXor1,          // i1
  kSelectScalar,  // dst <- a (i1) ? b : c
  kWiden,         // i32 -> index
  kNarrow,        // index -> i32
  kExtend1,       // i1 -> i32, zero-extended
  // Element by element: aux names the operation in Program::elementwise, n elements.
  kUnary,
  kBinary,
  kBinaryScalar,  // kBinaryScalar: b is one element for all
  kSelect,        // a: i1 tile; small = bytes an element
  // Tiles as a whole: aux names the shape in the table of that name.
  kBroadcast,
  kTranspose,
  kSlice,
  kConcatenate,
  kRotate,  // Program::moves; kRotate: b = amount (i32)
  kReduce,  // Program::reductions; b = accumulator
  kReduceIndex,
  kMatmul,  // Program::contractions; a, b, c = lhs, rhs, accumulator
  // Memory: aux names the access in Program::accesses.
  kLoad,   // small 1: a = slot of an address; see direct_loads.h
  kStore,  // kStore: a = value, b = mask or kNoSlot; small 1: see direct_stores.h
  kAllocate,
  kFree,  // aux = memory slot
  // DMAs and semaphores.
  kDmaStart,       // aux: Program::dmas
  kDmaWait,        // aux: Program::dma_waits
  kSignal,         // b, c = device and core whose semaphore it is (i32), or kNoSlot: this one's
  kWait,           // both: aux = view plan of the semaphore, a = amount (i32)
  kReadSemaphore,  // dst: i32
  // The window pipeline of a grid kernel: aux names the window.
  kWindowFetch,      // small 0: the current block, unless it is there; 1: the next, where it differs
  kWindowAwait,      // until the current block is there
  kWindowSend,       // the current block, where the next differs or a (i1: there is a next step) is false
  kWindowAwaitSent,  // small 0: where the window moves on (as kWindowSend), until the slot that comes
                     // next is free; 1: until all is sent
  kWindowAdvance,    // current = next; moves on to the other slot where they differed
  kGridNext,         // dst: i1, there is a next step; writes Program::grid_next
  kStepBegin,
  kStepEnd,
  kScopeBegin,
  kScopeEnd,    // aux: Program::scope_names
  kAssume,      // a is a multiple of n (i32), or the kernel lied
  kAssert,      // a (i1) is true, or the kernel fails with Program::messages[aux]
  kGather,      // Program::moves; b = indices (i32)
  kNibbles,     // n bytes of a; small 0: each becomes two i4; 1: made of two i4, the low half first
  kSeed,        // the random state at dst takes in a (i32); small 0: begins anew with it
  kRandomBits,  // n words at dst, from the random state at a
  kCount,       // no operation: how many there are
};

struct Instruction {
  Op op = Op::kEnd;
  std::uint16_t small = 0;
  std::uint32_t place = 0;  // index into Program::places
  Slot dst = kNoSlot, a = kNoSlot, b = kNoSlot, c = kNoSlot;
  std::uint32_t n = 0;
  std::uint32_t aux = 0;
};

}  // namespace millrace::program
