// SPDX-License-Identifier: Apache-2.0
// Kernels: what is traced, and for which operands.
//
//   Kernel twice = grid_kernel("twice", [](Ref x, Ref out) { out.store(2 * x.load()); },
//                              {.grid = {4}, .in = {rows}, .out = {rows}});
//   Kernel copy = kernel("copy", {hbm(f32, {24, 384})}, {hbm(f32, {24, 384})},
//                        [](Ref x, Ref out) { sync_copy(x, out); });
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "millrace/block.h"
#include "millrace/scoped.h"

namespace millrace {

namespace dsl {
struct KernelPlan;
}

class MILLRACE_API Kernel {
 public:
  explicit Kernel(std::shared_ptr<const dsl::KernelPlan> plan) : plan_(std::move(plan)) {}
  const std::string& name() const;
  const dsl::KernelPlan& plan() const { return *plan_; }

 private:
  std::shared_ptr<const dsl::KernelPlan> plan_;
};

// An output that lies in the memory of an input, and so begins with its contents. Both have one dtype and shape.
struct Alias {
  int input = 0, output = 0;
};

struct KernelOptions {
  std::vector<ScratchSpec> scratch =
      {};  // lives as long as the kernel runs; follows the outputs in the body's parameters
  std::vector<Alias> aliases = {};
};

// An output array of a grid kernel.
struct ArraySpec {
  DType dtype;
  Shape shape;
};

// What a grid axis promises. The steps of a parallel axis may run in any order, or on several cores.
enum class Dimension { kArbitrary, kParallel };

struct GridSpec {
  Shape grid;  // steps along each axis, each at least 1
  // The first inputs, as many as this says, have no block: they lie in SMEM whole before the first step, and the body
  // and the index maps see them.
  int prefetch = 0;
  std::vector<Dimension> semantics = {};  // empty: kArbitrary for each axis
  std::vector<BlockSpec> in = {}, out = {};
  std::vector<ScratchSpec> scratch = {};  // keeps its contents from step to step
  // Empty: those of their inputs for aliased outputs; for others, of the dtype of the first blocked input and, along
  // each axis, just large enough for the blocks that the map names.
  std::vector<ArraySpec> out_arrays = {};
  std::vector<Alias> aliases = {};
};

namespace dsl {
MILLRACE_API Kernel make_kernel(std::string name, std::vector<MemorySpec> in, std::vector<MemorySpec> out, Body body,
                                KernelOptions options, const Site& at);
MILLRACE_API Kernel make_grid_kernel(std::string name, Body body, GridSpec spec, const Site& at);
}  // namespace dsl

// A kernel that runs once and sees whole arrays: those in hbm where they lie, those in vmem and smem copied in before
// and out after. The body's parameters are a Ref for each input, a Ref for each output, then the scratch.
template <class F>
Kernel kernel(std::string name, std::vector<MemorySpec> in, std::vector<MemorySpec> out, F body,
              KernelOptions options = {}, Site at = Site::current()) {
  return dsl::make_kernel(std::move(name), std::move(in), std::move(out), dsl::make_body(body), std::move(options), at);
}

// A kernel that runs once for each step of a grid and sees one block of each array. It takes inputs of any shape that
// the blocks can cut, so it is traced when it is run. Where a block sticks out of its array, what lies beyond reads as
// undefined and is dropped on writing.
template <class F>
Kernel grid_kernel(std::string name, F body, GridSpec spec, Site at = Site::current()) {
  return dsl::make_grid_kernel(std::move(name), dsl::make_body(body), std::move(spec), at);
}

}  // namespace millrace
