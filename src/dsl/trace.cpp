// SPDX-License-Identifier: Apache-2.0
// Tracing a kernel of whole arrays; grid kernels are in trace_grid.cpp.
#include "dsl/trace.h"

#include <fmt/format.h>

#include "dsl/attributes.h"
#include "dsl/plan.h"
#include "dsl/trace_parts.h"

namespace millrace::dsl {

void check_inputs(const KernelPlan& plan, const std::vector<Operand>& inputs, std::size_t expected) {
  if (inputs.size() == expected) return;
  fail(plan.at, fmt::format("{} takes {} inputs; it is given {}", plan.name, expected, inputs.size()));
}

std::vector<Handle> handles_of(Tracer& t, const KernelPlan& plan, const std::vector<MemorySpec>& operands,
                               std::size_t inputs, const std::vector<mosaic::ValueId>& ids, std::size_t first) {
  std::vector<Handle> handles;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    handles.push_back(operand_of(t, operands[i], ids[first + i], operand_name(i, inputs)));
  }
  for (std::size_t i = 0; i < plan.scratch.size(); ++i) {
    auto id = ids[first + operands.size() + i];
    handles.push_back(operand_of(t, plan.scratch[i], id, fmt::format("scratch {}", i)));
  }
  return handles;
}

mosaic::AttributeList kernel_attributes(const KernelPlan& plan) {
  const GridSpec grid = plan.grid.value_or(GridSpec{});
  mosaic::ArrayAttr semantics;
  for (std::size_t i = 0; i < grid.grid.size(); ++i) {
    bool parallel = !grid.semantics.empty() && grid.semantics[i] == Dimension::kParallel;
    semantics.values.push_back(keyword("tpu", "dimension_semantics", parallel ? "parallel" : "arbitrary"));
  }
  mosaic::AttributeList attributes{{"dimension_semantics", {std::move(semantics)}}};
  if (!grid.grid.empty()) attributes.emplace_back("iteration_bounds", integers(grid.grid, mosaic::Element::kI64));
  attributes.emplace_back("scalar_prefetch", integer(grid.prefetch, mosaic::Element::kI64));
  attributes.emplace_back("scratch_operands",
                          integer(static_cast<std::int64_t>(plan.scratch.size()), mosaic::Element::kI64));
  return attributes;
}

namespace {

Traced trace_whole(const KernelPlan& plan, const std::vector<Operand>& inputs, bool blocks_in_place) {
  check_inputs(plan, inputs, plan.in.size());
  Traced traced;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype != plan.in[i].dtype || inputs[i].shape != plan.in[i].shape) {
      fail(plan.at,
           fmt::format("{}: input {} is {}; the kernel takes {}", plan.name, i,
                       describe(inputs[i].dtype, inputs[i].shape), describe(plan.in[i].dtype, plan.in[i].shape)));
    }
  }
  std::vector<MemorySpec> operands = plan.in;
  operands.insert(operands.end(), plan.out.begin(), plan.out.end());
  std::vector<mosaic::Type> types;
  for (const auto& spec : operands) types.push_back(memory_type(spec.dtype, spec.shape, spec.space));
  for (const auto& spec : plan.scratch) types.push_back(type_of(spec));

  auto tracer = std::make_shared<Tracer>(plan.name);
  tracer->blocks_in_place = blocks_in_place;
  Running running(*tracer);
  tracer->function(
      "main", types, plan.at,
      [&](const std::vector<mosaic::ValueId>& ids) {
        call_body(plan.body, handles_of(*tracer, plan, operands, plan.in.size(), ids, 0), plan.name, plan.at);
        tracer->emit("func.return", {}, {}, plan.at);
      },
      [&] { return kernel_attributes(plan); });
  traced.module = std::make_shared<mosaic::Module>(tracer->finish());
  traced.inputs = inputs;
  for (const auto& spec : plan.out) traced.outputs.push_back({spec.dtype, spec.shape});
  traced.aliases = plan.aliases;
  return traced;
}

}  // namespace

Traced trace(const Kernel& kernel, const std::vector<Operand>& inputs, bool blocks_in_place) {
  const KernelPlan& plan = kernel.plan();
  return plan.grid ? trace_grid(plan, inputs, blocks_in_place) : trace_whole(plan, inputs, blocks_in_place);
}

}  // namespace millrace::dsl
