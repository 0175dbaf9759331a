// SPDX-License-Identifier: Apache-2.0
// The frame of a pipeline: windows, single copies, the call of the body, the loop. Its phases are in
// pipeline_phases.cpp.
#include "dsl/pipeline_emitter.h"

#include "dsl/attributes.h"

namespace millrace::dsl {

Here PipelineEmitter::here(const Index& s) const {
  return {s, steps_.point(s), steps_.point_ahead(s, -1), steps_.point_ahead(s, 1), s == 0, s == steps_.count() - 1};
}

void PipelineEmitter::phase(const std::string& name, const std::function<void()>& body) {
  Phase phase(t_, name, at_);
  t_.emit("tpu.trace_start", {}, {{"level", integer(10)}, {"message", text(name)}}, at_);
  body();
  t_.emit("tpu.trace_stop", {}, {}, at_);
}

void PipelineEmitter::allocate_windows(bool single) {
  for (PipelineOperand& o : operands_) {
    if (!o.is_copied()) continue;
    if (single) o.slots = 1;
    Shape shape = window_shape(o.spec, o.block);
    shape.insert(shape.begin(), o.slots);
    o.windows = std::get<Ref>(allocate(t_, MemorySpec{o.spec.space, o.array.dtype(), shape}, at_));
    o.arrived = std::get<Semaphores>(allocate(t_, SemaphoresSpec{true, {o.slots}}, at_));
  }
}

void PipelineEmitter::start(const PipelineOperand& o, const std::vector<Index>& point, const Index& counter) {
  auto place = block(o, point);
  CopyEnds ends = copy_ends(t_, o, place, slot(o, counter));
  const View& from = o.output ? ends.window : ends.array;
  const View& to = o.output ? ends.array : ends.window;
  start_copy(t_, from, to, ends.done, at_);
}

void PipelineEmitter::finish(const PipelineOperand& o, const std::vector<Index>& point, const Index& counter) {
  auto place = block(o, point);
  CopyEnds ends = copy_ends(t_, o, place, slot(o, counter));
  const View& from = o.output ? ends.window : ends.array;
  const View& to = o.output ? ends.array : ends.window;
  wait_copy(t_, from, to, ends.done, at_);
}

void PipelineEmitter::copy_once(const PipelineOperand& o, const char* name) {
  auto point = steps_.point(0);
  phase(name, [&] {
    start(o, point, 0);
    finish(o, point, 0);
  });
}

void PipelineEmitter::call(const Here& h, const All& all) {
  std::vector<Handle> windows;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const PipelineOperand& o = operands_[i];
    if (!o.is_copied()) {
      windows.push_back(passed_block(o, block(o, h.now)));
    } else {
      windows.push_back(window(o, slot(o, o.output ? all[i].started : all[i].finished)));
    }
  }
  auto outer = t_.programs;
  t_.programs.ids = h.now;
  t_.programs.sizes = steps_.grid();
  phase("ep_run_kernel", [&] {
    Phase users_own(t_, {}, {});  // what the body does has its own places
    call_body(body_, windows, "emit_pipeline", at_);
  });
  t_.programs = outer;
}

Nodes PipelineEmitter::pack(const All& all) const {
  Nodes nodes;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    if (!counted(operands_[i])) continue;
    nodes.push_back(all[i].started.node());
    nodes.push_back(all[i].finished.node());
    if (operands_[i].lookahead()) nodes.push_back(all[i].seen.node());
  }
  return nodes;
}

PipelineEmitter::All PipelineEmitter::unpack(const Nodes& nodes) const {
  All all(operands_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    if (!counted(operands_[i])) continue;
    all[i].started = Index(nodes[next++]);
    all[i].finished = Index(nodes[next++]);
    if (operands_[i].lookahead()) all[i].seen = Index(nodes[next++]);
  }
  return all;
}

void PipelineEmitter::run() {
  allocate_windows(false);
  for (const auto& o : operands_) {
    if (o.delivery == Delivery::kOnce && !o.output) copy_once(o, "ep_copy_in");
  }
  Nodes first = pack(prologue());
  Nodes last =
      steps_.known_count() == 1
          ? pack(step(0, unpack(first)))
          : for_nodes(
                0, steps_.count(), first, [&](Index s, const Nodes& now) { return pack(step(s, unpack(now))); }, at_);
  epilogue(unpack(last));
  for (const auto& o : operands_) {
    if (o.delivery == Delivery::kOnce && o.output) copy_once(o, "ep_copy_out");
  }
}

void PipelineEmitter::run_synchronously() {
  allocate_windows(true);
  for_nodes(
      0, steps_.count(), {},
      [&](Index s, const Nodes&) {
        Here h = here(s);
        for (bool outputs : {false, true}) {
          for (const auto& o : operands_) {
            if (o.output != outputs || !o.is_copied()) continue;
            phase(outputs ? "ep_copy_out" : "ep_copy_in", [&] { start(o, h.now, 0); });
            phase(outputs ? "ep_wait_out" : "ep_wait_in", [&] { finish(o, h.now, 0); });
          }
          if (!outputs) call(h, All(operands_.size()));
        }
        return Nodes{};
      },
      at_);
}

}  // namespace millrace::dsl
