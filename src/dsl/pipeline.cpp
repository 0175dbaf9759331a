// SPDX-License-Identifier: Apache-2.0
// emit_pipeline: checks what it is given, and lays one region around the loop that pipeline_emitter.h describes.
#include "millrace/pipeline.h"

#include <algorithm>

#include <fmt/format.h>

#include "dsl/pipeline_emitter.h"
#include "millrace/functions.h"

namespace millrace {
namespace dsl {
namespace {

// Whether the map gives block (0, 0, ...) at every point: asked in a region that is thrown away.
bool gives_first_block(Tracer& t, const BlockSpec& spec, const std::vector<Index>& grid, std::size_t rank,
                       const std::string& name) {
  bool first = true;
  t.region(
      std::vector<mosaic::Type>(grid.size(), type_of(DType::i32, {})),
      [&](const auto& ids) {
        std::vector<Index> point;
        for (std::size_t axis = 0; axis < grid.size(); ++axis) {
          point.push_back(grid[axis].node().constant == 1 ? Index(0) : Index(t.node(ids[axis], DType::i32, {})));
        }
        for (const Index& place : block_at(spec, point, {}, rank, name)) first = first && place.node().constant == 0;
      },
      spec.at);
  return first;
}

std::vector<PipelineOperand> operands_of(Tracer& t, const PipelineSpec& spec, const std::vector<Ref>& arrays) {
  std::vector<PipelineOperand> operands;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    bool output = i >= spec.in.size();
    const BlockSpec& block = output ? spec.out[i - spec.in.size()] : spec.in[i];
    std::string name = fmt::format("{} of emit_pipeline", operand_name(i, spec.in.size()));
    operands.push_back(make_operand(block, arrays[i], output, name, [&](const Shape& shape) {
      return gives_first_block(t, block, spec.grid.axes(), shape.size(), name);
    }));
  }
  return operands;
}

// An axis that only the kernel knows counts as 0 where it is negative.
Steps steps_of(std::vector<Index> grid, const Site& at) {
  for (Index& axis : grid) {
    if (!axis.node().constant) axis = max(axis, 0, at);
  }
  return Steps(std::move(grid));
}

}  // namespace
}  // namespace dsl

Pipeline::Pipeline(dsl::Body body, PipelineSpec spec, const Site& at)
    : body_(std::move(body)), spec_(std::move(spec)), at_(at) {
  std::int64_t steps = 1;
  for (const Index& axis : spec_.grid.axes()) {
    auto n = axis.node().constant;
    if (n && *n < 0) dsl::fail(at, fmt::format("emit_pipeline: the grid has an axis of {} steps; take 0 or more", *n));
    if (n) steps = std::min<std::int64_t>(steps * *n, INT32_MAX);
  }
  if (steps >= INT32_MAX / 2) dsl::fail(at, "emit_pipeline: the grid has 2^30 steps or more");
  if (body_.parameters.size() != spec_.in.size() + spec_.out.size()) {
    dsl::fail(at, fmt::format("emit_pipeline: the body takes {} parameters for {} inputs and {} outputs",
                              body_.parameters.size(), spec_.in.size(), spec_.out.size()));
  }
}

void Pipeline::run(const std::vector<Ref>& arrays) const {
  dsl::Tracer& t = dsl::Tracer::current(at_, "emit_pipeline");
  if (arrays.size() != spec_.in.size() + spec_.out.size()) {
    dsl::fail(at_, fmt::format("emit_pipeline: it is called with {} arrays for {} inputs and {} outputs", arrays.size(),
                               spec_.in.size(), spec_.out.size()));
  }
  dsl::Phase own(t, {}, at_);
  auto operands = dsl::operands_of(t, spec_, arrays);
  if (t.blocks_in_place) dsl::see_in_place(operands);
  dsl::Steps steps = dsl::steps_of(spec_.grid.axes(), at_);
  auto any = Index(0) < steps.count();
  dsl::if_nodes(
      any,
      [&] {
        auto emit = [&](const auto&) {
          dsl::PipelineEmitter emitter(t, body_, at_, steps, std::move(operands));
          spec_.no_pipelining ? emitter.run_synchronously() : emitter.run();
          t.emit("tpu.yield", {}, {}, at_);
        };
        std::vector<mosaic::Region> regions;
        regions.push_back(t.region({}, emit, at_));
        t.emit("tpu.region", {}, {}, std::vector<mosaic::Type>{}, std::move(regions), at_);
        return dsl::Nodes{};
      },
      {}, at_);
}

}  // namespace millrace
