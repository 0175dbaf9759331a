// SPDX-License-Identifier: Apache-2.0
// One operand of a pipeline: its array, its windows and semaphores, and the places of its blocks in both.
#pragma once

#include <string>
#include <vector>

#include "dsl/blocks.h"
#include "millrace/pipeline.h"

namespace millrace::dsl {

enum class Delivery {
  kPassed,    // lies in the memory of its window already: the body sees a slice
  kOnce,      // one block that is the whole array: one copy before the first step, or after the last
  kBuffered,  // a copy for each change of block
};

struct PipelineOperand {
  std::string name;  // "input 0 of emit_pipeline"
  bool output = false;
  BlockSpec spec;
  Ref array;
  Shape block;  // of the array, squeezed dimensions as 1
  Delivery delivery = Delivery::kBuffered;
  std::int64_t slots = 2;
  // For each dimension, what the last block holds where that is less than a block: rounded up to whole tiles.
  struct Ragged {
    std::int64_t last = 0;  // the block's place
    std::int64_t size = 0;  // 0: every block is whole
    std::int64_t tile = 1;
  };
  std::vector<Ragged> ragged;
  std::optional<Ref> windows;              // (slots, block...), without the squeezed dimensions
  std::optional<Semaphores> arrived = {};  // one for each slot; of an output: has left

  bool is_copied() const { return delivery != Delivery::kPassed; }
  bool lookahead() const { return delivery == Delivery::kBuffered && spec.buffered && spec.buffered->lookahead; }
};

// Checks an operand against its array and decides how it is delivered. `constant_map` says that its map gives block
// (0, 0, ...) at every step.
PipelineOperand make_operand(const BlockSpec& spec, const Ref& array, bool output, const std::string& name,
                             const std::function<bool(const Shape& block)>& constant_map);

// Lets the body see in place what lies in HBM, in whole blocks, under a name that no other operand has.
void see_in_place(std::vector<PipelineOperand>& operands);

// The window in a slot, as the body sees it.
Ref window(const PipelineOperand& o, const Index& slot);
// The block in the array, where the body sees it directly.
Ref passed_block(const PipelineOperand& o, const std::vector<Index>& block);

// The two ends of a copy of one block: only as much as the array holds of it, in whole tiles.
struct CopyEnds {
  View array, window;
  SemaphoreView done;
};
CopyEnds copy_ends(Tracer& t, const PipelineOperand& o, const std::vector<Index>& block, const Index& slot);

}  // namespace millrace::dsl
