// SPDX-License-Identifier: Apache-2.0
// A pipeline over blocks inside a kernel: windows, asynchronous copies and semaphores written out for you, so that
// loads and stores go on while the body computes.
//
//   emit_pipeline(body, {.grid = {3, 3}, .in = {tile, tile}, .out = {tile}})(x, y, out);
//
// docs/semantics.md states which copies are made, and when.
#pragma once

#include <initializer_list>

#include "millrace/block.h"

namespace millrace {

// Steps along each axis, known while tracing or only in the kernel: {3, 3}, {rows_of_this_group, 4}. Where one is 0, or
// turns out to be less, nothing happens.
class PipelineGrid {
 public:
  PipelineGrid() = default;
  PipelineGrid(std::initializer_list<Index> axes) : axes_(axes) {}
  PipelineGrid(std::vector<Index> axes) : axes_(std::move(axes)) {}
  PipelineGrid(const Shape& axes) : axes_(axes.begin(), axes.end()) {}
  const std::vector<Index>& axes() const { return axes_; }

 private:
  std::vector<Index> axes_;
};

struct PipelineSpec {
  PipelineGrid grid;
  std::vector<BlockSpec> in = {}, out = {};  // buffers: inputs 1 or more, outputs 1 or 2; 2 where nothing is said
  bool no_pipelining = false;                // every step copies in, computes and copies out, each waited for
};

class MILLRACE_API Pipeline {
 public:
  Pipeline(dsl::Body body, PipelineSpec spec, const Site& at);
  // The arrays, inputs first. Those that lie in the memory of their windows are not copied: the body sees slices.
  template <std::same_as<Ref>... R>
  void operator()(R... arrays) const {
    run({arrays...});
  }

 private:
  void run(const std::vector<Ref>& arrays) const;
  dsl::Body body_;
  PipelineSpec spec_;
  Site at_;
};

// The body's parameters are a Ref for the window of each input, then of each output, all of the block's shape.
// program_id and num_programs inside it speak of the pipeline's grid.
template <class F>
Pipeline emit_pipeline(F body, PipelineSpec spec, Site at = Site::current()) {
  return Pipeline(dsl::make_body(body), std::move(spec), at);
}

}  // namespace millrace
