// SPDX-License-Identifier: Apache-2.0
// The phases of a pipelined loop: which copies are started and waited for, before it, in each step and after it.
#include <algorithm>

#include <fmt/format.h>

#include "dsl/pipeline_emitter.h"

// The sides of an operator are named first where both leave operations behind: compilers differ in which they run
// first, and a module must not depend on the compiler.
namespace millrace::dsl {

// Starts the first slots - 1 blocks of every input, as far as the grid goes: all first blocks before any second one.
PipelineEmitter::All PipelineEmitter::prologue() {
  All all(operands_.size());
  std::int64_t stages = 1;
  for (const auto& o : operands_) stages = std::max(stages, o.slots - 1);
  for (std::int64_t stage = 0; stage < std::min(stages, steps_.count()); ++stage) {
    auto point = steps_.point(stage);
    phase(fmt::format("ep_initialize_{}", stage), [&] {
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        const PipelineOperand& o = operands_[i];
        if (o.output || !buffered(o) || stage + 1 >= o.slots) continue;
        Bool fresh = stage == 0 ? Bool(known(DType::i1, 1)) : changed(o, point, steps_.point(stage - 1));
        when(fresh, [&] { start(o, point, all[i].started); });
        all[i].started = advanced(fresh, all[i].started);
      }
    });
  }
  return all;
}

// Whether the block that is `slots - 1` steps ahead has to be started in this step.
Bool PipelineEmitter::wants_block(const PipelineOperand& o, const Here& h, const std::vector<Index>& wanted) const {
  if (o.slots == 1) return changed(o, h.before, h.now) | h.first;
  Bool differs = changed(o, steps_.point_ahead(h.step, o.slots - 2), wanted);
  Bool exists = h.step < steps_.count() - (o.slots - 1);
  return differs & exists;
}

void PipelineEmitter::copy_in(const Here& h, All& all) {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (o.output || !buffered(o)) continue;
    auto wanted = steps_.point_ahead(h.step, o.slots - 1);
    Bool fresh = wants_block(o, h, wanted);
    when(fresh, [&] { phase("ep_copy_in", [&] { start(o, wanted, all[i].started); }); });
    if (o.slots > 1) all[i].started = advanced(fresh, all[i].started);
  }
}

void PipelineEmitter::wait_in(const Here& h, const All& all) {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (o.output || !buffered(o)) continue;
    Bool fresh = changed(o, h.before, h.now) | h.first;
    when(fresh, [&] { phase("ep_wait_in", [&] { finish(o, h.now, all[i].finished); }); });
  }
}

void PipelineEmitter::copy_out(const Here& h, All& all) {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (!o.output || !buffered(o)) continue;
    Bool leaves = changed(o, h.now, h.after) | h.last;
    when(leaves, [&] {
      phase("ep_copy_out", [&] { start(o, h.now, all[i].started); });
      // With one window the next step would write what is still being sent.
      if (o.slots == 1) phase("ep_wait_out", [&] { finish(o, h.now, all[i].started); });
    });
    if (o.slots > 1) all[i].started = advanced(leaves, all[i].started);
  }
}

void PipelineEmitter::wait_out(const Here& h, All& all) {
  Bool later = !h.first;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (!o.output || !buffered(o) || o.slots == 1) continue;
    Bool sent = changed(o, h.before, h.now) & later;
    when(sent, [&] { phase("ep_wait_out", [&] { finish(o, h.before, all[i].finished); }); });
    all[i].finished = advanced(sent, all[i].finished);
  }
}

PipelineEmitter::All PipelineEmitter::step(const Index& s, All all) {
  Here h = here(s);
  copy_in(h, all);
  wait_in(h, all);
  call(h, all);
  copy_out(h, all);
  wait_out(h, all);
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (o.output || !buffered(o) || o.slots == 1) continue;
    all[i].finished = advanced(changed(o, h.now, h.after) | h.last, all[i].finished);
  }
  return all;
}

void PipelineEmitter::epilogue(const All& all) {
  auto last = steps_.point(steps_.count() - 1);
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (!o.output || !buffered(o) || o.slots == 1) continue;
    phase("ep_finalize", [&] { finish(o, last, all[i].finished); });
  }
}

}  // namespace millrace::dsl
