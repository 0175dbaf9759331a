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
  stages = std::min(stages, steps_.known_count().value_or(stages));
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    // Where only the kernel knows the grid, the stage may lie beyond it: its point wraps, and it is not started.
    auto point_of = [&](std::int64_t s) { return steps_.known_count() ? steps_.point(s) : steps_.point_ahead(0, s); };
    auto point = point_of(stage);
    std::string name = fmt::format("ep_initialize_{}", stage);
    phase(name, [&] {
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        const PipelineOperand& o = operands_[i];
        if (o.output || !buffered(o) || stage + 1 >= o.slots) continue;
        if (stage > 0 && o.lookahead()) {
          all[i] = look_ahead(o, all[i], stage + 1, nullptr);
          continue;
        }
        Bool fresh = stage == 0 ? Bool(known(DType::i1, 1)) : changed(o, point, point_of(stage - 1));
        if (stage > 0) fresh = fresh & (Index(stage) < steps_.count());
        when(fresh, [&] { start(o, point, all[i].started); });
        all[i].started = advanced(fresh, all[i].started);
      }
    });
  }
  return all;
}

Counters PipelineEmitter::look_ahead(const PipelineOperand& o, const Counters& c, const Index& limit,
                                     const char* name) {
  auto test = [&](Index started, Index seen) {
    Bool room = started < limit;
    Bool more = seen + 1 < steps_.count();
    return room & more;
  };
  auto body = [&](Index started, Index seen) {
    Index next = seen + 1;
    auto point = steps_.point(next);
    Bool fresh = changed(o, steps_.point(seen), point);
    when(fresh, [&] {
      if (name) {
        phase(name, [&] { start(o, point, started); });
      } else {
        start(o, point, started);
      }
    });
    return carry(advanced(fresh, started), next);
  };
  auto [started, seen] = while_loop(carry(c.started, c.seen), test, body, at_);
  return {started, c.finished, seen};
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
    if (o.lookahead()) {
      all[i] = look_ahead(o, all[i], all[i].finished + o.slots, "ep_copy_in");
      continue;
    }
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
