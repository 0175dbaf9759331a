// SPDX-License-Identifier: Apache-2.0
// What the CPU target knows of a program before it runs: which memories are one, which are written, and which windows
// can be views of their array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/linked.h"
#include "program/program.h"

namespace millrace::cpu {

// How a window shows its block: always as a view of the array, never, or only where the block lies within the array.
enum class Shown : std::uint8_t { kView, kWithinArray, kBuffer };

struct Plan {
  program::Program program;  // without the marks of direct loads and stores, which are the simulator's
  machine::Linked linked;
  std::vector<program::OperandSpec> inputs, outputs;
  std::vector<std::uint32_t> root;  // by memory slot: the slot of the array behind it; itself where there is none
  std::vector<bool> written;        // by memory slot: by the kernel, under this name
  std::vector<Shown> shown;         // by window
  std::vector<std::string> why;     // by window: why not always as a view; empty where it is
  // Places in the frame that hold something from step to step which begins as 0: a random state, accumulators.
  std::vector<std::uint32_t> carry;
  std::vector<std::uint64_t> carry_bytes;

  bool copies = false;        // windows are buffers, filled and emptied by a thread of their own
  bool asynchronous = false;  // so are the kernel's own DMAs; else each is done when it is started
  bool several = false;       // cores, of one device or more

  Plan() = default;
  Plan(const Plan&) = delete;  // `linked` points to `program`
  Plan& operator=(const Plan&) = delete;
};

// Error(kUnsupported) for what the CPU target does not run: several cores, one of which reads a semaphore's count.
void make_plan(const program::Program& program, std::vector<program::OperandSpec> inputs,
               std::vector<program::OperandSpec> outputs, bool copies, Plan& plan);

// The slots of the frame that an instruction reads and the one it writes, with how many bytes of each.
struct Touched {
  struct Bytes {
    program::Slot slot;
    std::uint64_t bytes;
  };
  std::vector<Bytes> reads, writes;
};
Touched touched(const program::Program& program, const program::Instruction& i);

// Whether a program whose pipelines see blocks in place (dsl/trace.h) does what it does with copies of them: no array
// that the core touches directly is one that a DMA moves as well, has another name, or is an input that is written.
bool blocks_in_place_are_safe(const program::Program& program);
bool touches_arrays(const program::Program& program);  // the core itself, directly

bool is_jump(program::Op op);
std::uint64_t bytes_of(const std::vector<std::int64_t>& shape, std::size_t element_bytes);

}  // namespace millrace::cpu
