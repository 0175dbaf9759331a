// SPDX-License-Identifier: Apache-2.0
#include "lab/axpy.h"

#include "millrace/functions.h"
#include "millrace/pipeline.h"

namespace millrace::lab {
namespace {

// One tile. bf16 is widened first, so that it is rounded once, at the end.
void axpy_tile(Ref x, Ref y, Ref out) {
  const Value a = cast(x.load(), f32);  // C++ leaves open which of two loads in one expression comes first
  const Value b = cast(y.load(), f32);
  out.store(cast(2.0f * a + b, out.dtype()));
}

Block own_block(Index i, Index j) { return block(i, j); }

Shape shape_of(Extent extent) { return {extent.rows, extent.columns}; }

Shape grid_of(Extent padded, Extent block) { return {padded.rows / block.rows, padded.columns / block.columns}; }

}  // namespace

Kernel blocked_axpy(DType dtype, Extent padded, Extent block) {
  const BlockSpec tile(shape_of(block), own_block);
  return grid_kernel("blocked_axpy", axpy_tile,
                     GridSpec{.grid = grid_of(padded, block),
                              .in = {tile, tile},
                              .out = {tile},
                              .scratch = {},
                              .out_arrays = {{dtype, shape_of(padded)}}});
}

Kernel pipelined_axpy(DType dtype, Extent padded, const Configuration& c) {
  const MemorySpec whole = hbm(dtype, shape_of(padded));
  return kernel("pipelined_axpy", {whole, whole}, {whole}, [=](Ref x, Ref y, Ref out) {
    const auto tile = [&](int slots) { return BlockSpec(shape_of(c.block), own_block, Buffered{slots}); };
    emit_pipeline(axpy_tile, PipelineSpec{.grid = grid_of(padded, c.block),
                                          .in = {tile(c.input_slots), tile(c.input_slots)},
                                          .out = {tile(c.output_slots)},
                                          .no_pipelining = c.synchronous})(x, y, out);
  });
}

Simulated simulate_axpy(const Configuration& c, const Pair& input, RunOptions options) {
  require_configuration(c);
  require_pair(input.x, input.y);
  require_target(c.mode);
  const Shape& shape = input.x.shape();
  const Extent padded = plan::plan_tiles({shape[0], shape[1]}, c.block).padded;
  const DType dtype = input.x.dtype();
  const Kernel axpy =
      c.program == Program::kBlocked ? blocked_axpy(dtype, padded, c.block) : pipelined_axpy(dtype, padded, c);
  options.detect_races = true;
  Results results = run(axpy, {input.x.padded(shape_of(padded)), input.y.padded(shape_of(padded))}, options);
  return {results[0].cropped(shape), std::move(results)};
}

}  // namespace millrace::lab
