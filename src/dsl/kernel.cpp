// SPDX-License-Identifier: Apache-2.0
// Declaring kernels: what can be refused before any array is there.
#include <set>

#include <fmt/format.h>

#include "dsl/fail.h"
#include "dsl/plan.h"
#include "dsl/types.h"

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
  if (spec.buffered && spec.buffered->lookahead) {
    fail(spec.at, fmt::format("{}: a block spec asks for lookahead, which only inputs of emit_pipeline have", name));
  }
  if (!spec.buffered || spec.buffered->count == 1 || spec.buffered->count == 2) return;
  fail(spec.at, fmt::format("{}: a block spec asks for {} buffers; the windows of a grid kernel have 1 or 2 "
                            "(emit_pipeline takes more for inputs)",
                            name, spec.buffered->count));
}

void check_aliases(const std::string& name, const std::vector<Alias>& aliases, std::size_t prefetch, std::size_t inputs,
                   std::size_t outputs, const Site& at) {
  std::set<int> in, out;
  for (const Alias& a : aliases) {
    bool input = a.input >= 0 && a.input < static_cast<int>(inputs);
    bool output = a.output >= 0 && a.output < static_cast<int>(outputs);
    if (!input || !output) {
      fail(at, fmt::format("{}: the alias of input {} and output {} names what is not there: inputs are 0 to {}, "
                           "outputs 0 to {}",
                           name, a.input, a.output, static_cast<int>(inputs) - 1, static_cast<int>(outputs) - 1));
    }
    if (a.input < static_cast<int>(prefetch)) {
      fail(at, fmt::format("{}: input {} is prefetched and has no alias; aliases begin at input {}", name, a.input,
                           prefetch));
    }
    if (!in.insert(a.input).second) fail(at, fmt::format("{}: input {} is aliased twice", name, a.input));
    if (!out.insert(a.output).second) fail(at, fmt::format("{}: output {} is aliased twice", name, a.output));
  }
}

void check_grid(const std::string& name, const GridSpec& spec, const Site& at) {
  if (spec.grid.empty()) fail(at, fmt::format("{}: the grid has no axis; kernel(...) runs once", name));
  for (auto n : spec.grid) {
    if (n < 1 || n > INT32_MAX) {
      fail(at, fmt::format("{}: the grid {} has an axis of {} steps; take 1 to {}", name, to_string(spec.grid), n,
                           INT32_MAX));
    }
  }
  if (!spec.semantics.empty() && spec.semantics.size() != spec.grid.size()) {
    fail(at, fmt::format("{}: {} semantics for a grid of {} axes", name, spec.semantics.size(), spec.grid.size()));
  }
  if (spec.prefetch < 0) fail(at, fmt::format("{}: prefetch is {}; take 0 or more", name, spec.prefetch));
}

}  // namespace

void check_alias(const KernelPlan& plan, const Alias& alias, const ArraySpec& input, const ArraySpec& output) {
  if (input.dtype == output.dtype && input.shape == output.shape) return;
  fail(plan.at,
       fmt::format("{}: output {} is {} and lies in input {}, which is {}; aliases are alike", plan.name, alias.output,
                   describe(output.dtype, output.shape), alias.input, describe(input.dtype, input.shape)));
}

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
  check_aliases(name, options.aliases, 0, in.size(), out.size(), at);
  KernelPlan plan{std::move(name), at, std::move(body), std::move(in), std::move(out), {}, {}, {}};
  plan.scratch = std::move(options.scratch);
  plan.aliases = std::move(options.aliases);
  for (const Alias& a : plan.aliases) {
    const MemorySpec &from = plan.in[static_cast<std::size_t>(a.input)],
                     &to = plan.out[static_cast<std::size_t>(a.output)];
    check_alias(plan, a, {from.dtype, from.shape}, {to.dtype, to.shape});
  }
  return Kernel(std::make_shared<KernelPlan>(std::move(plan)));
}

Kernel make_grid_kernel(std::string name, Body body, GridSpec spec, const Site& at) {
  check_name(name, at);
  if (spec.out.empty()) fail(at, fmt::format("{}: a kernel needs at least one output", name));
  check_grid(name, spec, at);
  if (!spec.out_arrays.empty() && spec.out_arrays.size() != spec.out.size()) {
    fail(at, fmt::format("{}: {} out_arrays for {} outputs", name, spec.out_arrays.size(), spec.out.size()));
  }
  auto prefetch = static_cast<std::size_t>(spec.prefetch);
  check_parameters(name, body, prefetch + spec.in.size() + spec.out.size() + spec.scratch.size(), at);
  check_aliases(name, spec.aliases, prefetch, prefetch + spec.in.size(), spec.out.size(), at);
  for (const auto* group : {&spec.in, &spec.out}) {
    for (const BlockSpec& block : *group) check_buffers(name, block, at);
  }
  KernelPlan plan{std::move(name), at, std::move(body), {}, {}, std::move(spec), {}, {}};
  plan.scratch = plan.grid->scratch;
  plan.aliases = plan.grid->aliases;
  return Kernel(std::make_shared<KernelPlan>(std::move(plan)));
}

}  // namespace dsl
}  // namespace millrace
