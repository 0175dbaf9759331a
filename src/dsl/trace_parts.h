// SPDX-License-Identifier: Apache-2.0
// What tracing a kernel of whole arrays and a grid kernel have in common.
#pragma once

#include "dsl/blocks.h"
#include "dsl/plan.h"
#include "dsl/trace.h"

namespace millrace::dsl {

void check_inputs(const KernelPlan& plan, const std::vector<Operand>& inputs, std::size_t expected);
// The body's parameters, from the function's arguments `first` and on.
std::vector<Handle> handles_of(Tracer& t, const KernelPlan& plan, const std::vector<MemorySpec>& operands,
                               std::size_t inputs, const std::vector<mosaic::ValueId>& ids, std::size_t first);
mosaic::AttributeList kernel_attributes(const KernelPlan& plan);
Traced trace_grid(const KernelPlan& plan, const std::vector<Operand>& inputs, bool blocks_in_place);

}  // namespace millrace::dsl
