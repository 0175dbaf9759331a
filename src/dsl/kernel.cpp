// SPDX-License-Identifier: Apache-2.0
// Declaring kernels: what can be refused before any array is there.
#include <fmt/format.h>

#include "dsl/fail.h"
#include "dsl/plan.h"

namespace millrace {

const std::string& Kernel::name() const { return plan_->name; }

namespace dsl {
namespace {

void check_parameters(const std::string& name, const Body& body, std::size_t expected, const Site& at) {
  if (body.parameters.size() == expected) return;
  fail(at, fmt::format("{}: the body takes {} parameters; inputs, outputs and scratch make {}", name,
                       body.parameters.size(), expected));
}

void check_name(const std::string& name, const Site& at) {
  if (name.empty()) fail(at, "a kernel needs a name");
}

void check_buffers(const std::string& name, const BlockSpec& spec, const Site& at) {
  static_cast<void>(at);
  if (!spec.buffered || spec.buffered->count == 1 || spec.buffered->count == 2) return;
  fail(spec.at, fmt::format("{}: a block spec asks for {} buffers; the windows of a grid kernel have 1 or 2 "
                            "(emit_pipeline takes more for inputs)",
                            name, spec.buffered->count));
}

}  // namespace

Kernel make_kernel(std::string name, std::vector<MemorySpec> in, std::vector<MemorySpec> out, Body body,
                   KernelOptions options, const Site& at) {
  check_name(name, at);
  if (out.empty()) fail(at, fmt::format("{}: a kernel needs at least one output", name));
  check_parameters(name, body, in.size() + out.size() + options.scratch.size(), at);
  for (const auto* group : {&in, &out}) {
    for (const MemorySpec& spec : *group) {
      for (auto n : spec.shape) {
        if (n < 1)
          fail(at,
               fmt::format("{}: an operand has shape {}; every dimension is at least 1", name, to_string(spec.shape)));
      }
    }
  }
  return Kernel(std::make_shared<KernelPlan>(
      KernelPlan{std::move(name), at, std::move(body), std::move(in), std::move(out), {}, std::move(options.scratch)}));
}

Kernel make_grid_kernel(std::string name, Body body, GridSpec spec, const Site& at) {
  check_name(name, at);
  if (spec.out.empty()) fail(at, fmt::format("{}: a kernel needs at least one output", name));
  if (spec.grid.empty()) fail(at, fmt::format("{}: the grid has no axis; kernel(...) runs once", name));
  for (auto n : spec.grid) {
    if (n < 1 || n > INT32_MAX) {
      fail(at, fmt::format("{}: the grid {} has an axis of {} steps; take 1 to {}", name, to_string(spec.grid), n,
                           INT32_MAX));
    }
  }
  if (!spec.out_arrays.empty() && spec.out_arrays.size() != spec.out.size()) {
    fail(at, fmt::format("{}: {} out_arrays for {} outputs", name, spec.out_arrays.size(), spec.out.size()));
  }
  check_parameters(name, body, spec.in.size() + spec.out.size() + spec.scratch.size(), at);
  for (const auto* group : {&spec.in, &spec.out}) {
    for (const BlockSpec& block : *group) check_buffers(name, block, at);
  }
  auto scratch = spec.scratch;
  return Kernel(std::make_shared<KernelPlan>(
      KernelPlan{std::move(name), at, std::move(body), {}, {}, std::move(spec), std::move(scratch)}));
}

}  // namespace dsl
}  // namespace millrace
