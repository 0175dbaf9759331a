// SPDX-License-Identifier: Apache-2.0
#include "front/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "millrace/error.h"
#include "plan/chip.h"

namespace millrace::front {

namespace {

using program::MemorySlot;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

constexpr std::uint64_t kCountless = ~std::uint64_t{0};

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kCountless : result;
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? kCountless : result;
}

std::uint64_t bytes_of(const MemorySlot& memory) {
  const bool semaphore = memory.kind == event::MemoryKind::kSemaphore ||
                         memory.element == mosaic::Element::kSemaphore ||
                         memory.element == mosaic::Element::kDmaSemaphore;
  std::uint64_t bytes = semaphore ? 8 : static_cast<std::uint64_t>(mosaic::size_in_bytes(memory.element));
  for (std::int64_t n : memory.shape) bytes = times(bytes, static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0)));
  return bytes;
}

std::string in_units(std::uint64_t bytes) {
  if (bytes == kCountless) return "more than 2^64 bytes";
  if (bytes < 10'000'000) return fmt::format("{} bytes", bytes);
  return fmt::format("{} MB", bytes / 1'000'000);
}

void require_room(std::uint64_t needed, std::uint64_t max_bytes) {
  const std::uint64_t most = max_bytes ? max_bytes : default_max_bytes();
  if (needed > most)
    refuse(
        fmt::format("this run needs {} of memory; {} are allowed (--max-bytes N; by default three quarters of the "
                    "machine's memory)",
                    in_units(needed), in_units(most)));
}

// The operands' arrays as the StableHLO call has them.
void from_call(const CustomCall& call, std::size_t bounds, bool bounds_given, Plan& plan) {
  const std::size_t operands = plan.elements.size();
  if (call.operands.size() < bounds || call.operands.size() - bounds + call.results.size() != operands)
    refuse(fmt::format("the call has {} operands and {} results, but its kernel {} dynamic grid bounds and {} operands",
                       call.operands.size(), call.results.size(), bounds, operands));
  plan.bounds = bounds_given ? 0 : bounds;
  for (std::size_t i = bounds; i < call.operands.size(); ++i) plan.inputs.push_back(call.operands[i]);
  for (const Tensor& t : call.results) plan.outputs.push_back(t);
  for (const Aliased& a : call.aliases) {
    if (a.input < bounds)
      refuse(fmt::format("operand {} is a grid bound and cannot share an output's buffer", a.input));
    plan.environment.aliases.push_back({a.input - static_cast<std::uint32_t>(bounds), a.output});
  }
}

void from_module(const Signature& signature, const Wish& wish, Plan& plan) {
  const std::size_t operands = signature.operands.size(), outputs = wish.outputs.value_or(1);
  if (outputs > operands) refuse(fmt::format("--outputs {}, but the kernel has {} operands in all", outputs, operands));
  std::optional<std::vector<std::int64_t>> grid;
  if (wish.grid_bounds.size() == signature.dynamic_bounds()) grid = bounded_grid(signature, wish.grid_bounds);
  for (std::size_t i = 0; i < operands; ++i) {
    const bool output = i >= operands - outputs;
    const std::string name = output ? fmt::format("out{}", i - (operands - outputs)) : fmt::format("in{}", i);
    const DType dtype = stored_as(signature.operands[i].type.element, wish.dtype)
                            .value_or(array_dtype(signature.operands[i].type.element, name));
    const auto shape = grid ? derived_shape(signature.operands[i], *grid) : std::nullopt;
    auto& list = output ? plan.outputs : plan.inputs;
    list.push_back(shape ? std::optional(Tensor{dtype, *shape}) : std::nullopt);
  }
}

void apply_shapes(const Wish& wish, const Signature& signature, Plan& plan) {
  if (wish.output_shapes.empty()) return;
  if (wish.output_shapes.size() != plan.outputs.size())
    refuse(fmt::format("the kernel has {} outputs, but {} --output-shape were given", plan.outputs.size(),
                       wish.output_shapes.size()));
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const mosaic::Element element = signature.operands[plan.inputs.size() + i].type.element;
    const DType dtype = stored_as(element, wish.dtype).value_or(array_dtype(element, fmt::format("out{}", i)));
    plan.outputs[i] = Tensor{plan.outputs[i] ? plan.outputs[i]->dtype : dtype, wish.output_shapes[i]};
  }
}

}  // namespace

std::optional<DType> stored_as(mosaic::Element element, std::optional<DType> dtype) {
  using mosaic::Element;
  const auto fits = [&](std::initializer_list<DType> types) {
    return dtype && std::find(types.begin(), types.end(), *dtype) != types.end() ? dtype : std::nullopt;
  };
  switch (element) {
    case Element::kBF16: return DType::bf16;  // .npy files hold it as u16
    case Element::kI4:
    case Element::kI8: return fits({DType::i8, DType::u8});
    case Element::kI16: return fits({DType::i16, DType::u16});
    case Element::kI32: return fits({DType::i32, DType::u32, DType::i1});
    default: return {};
  }
}

Plan plan_of(const Kernel& kernel, const Wish& wish) {
  const Signature signature = signature_of(kernel.module);
  Plan plan;
  for (const Operand& o : signature.operands) plan.elements.push_back(o.type.element);
  const std::size_t bounds = signature.dynamic_bounds();
  if (!wish.grid_bounds.empty() || (bounds > 0 && !kernel.call)) bounded_grid(signature, wish.grid_bounds);
  plan.environment.grid_bounds = wish.grid_bounds;
  if (kernel.call)
    from_call(*kernel.call, bounds, !wish.grid_bounds.empty(), plan);
  else
    from_module(signature, wish, plan);
  if (kernel.call && wish.outputs && *wish.outputs != plan.outputs.size())
    refuse(fmt::format("--outputs {}, but the call in {} has {} results", *wish.outputs, kernel.name,
                       plan.outputs.size()));
  for (const Aliased& a : wish.aliases) {
    if (a.input >= plan.inputs.size() || a.output >= plan.outputs.size())
      refuse(fmt::format("--alias {}:{}, but the kernel has {} inputs and {} outputs", a.input, a.output,
                         plan.inputs.size(), plan.outputs.size()));
    plan.environment.aliases.push_back(a);
  }
  apply_shapes(wish, signature, plan);
  return plan;
}

std::uint64_t default_max_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return kCountless;
  return times(static_cast<std::uint64_t>(pages), static_cast<std::uint64_t>(size)) / 4 * 3;
}

std::uint64_t bytes_needed(const program::Program& program) {
  const auto devices = static_cast<std::uint64_t>(program.devices);
  const std::uint64_t cores = devices * static_cast<std::uint64_t>(program.cores);
  std::uint64_t sum = times(times(program.frame_units, 8), cores);
  for (const MemorySlot& memory : program.memories) {
    std::uint64_t bytes = bytes_of(memory);
    if (memory.binding == MemorySlot::Binding::kWindow && memory.operand < program.windows.size())
      bytes = times(bytes, program.windows[memory.operand].slots);
    const bool shared = memory.kind == event::MemoryKind::kHbm && memory.binding != MemorySlot::Binding::kScratch &&
                        memory.binding != MemorySlot::Binding::kScoped;
    sum = plus(sum, times(bytes, shared ? devices : cores));
  }
  return sum;
}

std::unique_ptr<const api::Executable> prepare(const Kernel& kernel, const Plan& plan, std::vector<Tensor> inputs,
                                               std::vector<Tensor> outputs, std::uint64_t max_bytes) {
  auto executable = api::prepare(kernel.module, std::move(inputs), std::move(outputs), plan.environment, plan.names);
  require_room(bytes_needed(executable->program), max_bytes);
  return executable;
}

void require_filled_fit(const Plan& plan, std::size_t files, std::uint64_t max_bytes) {
  const auto devices = static_cast<std::uint64_t>(plan.environment.devices);
  std::uint64_t sum = 0;
  const auto add = [&](const std::optional<Tensor>& t) {
    if (t) sum = plus(sum, times(static_cast<std::uint64_t>(element_count(t->shape)), size_of(t->dtype)));
  };
  for (std::size_t i = files; i < plan.inputs.size(); ++i) add(plan.inputs[i]);
  for (const auto& output : plan.outputs) add(output);
  require_room(times(sum, devices), max_bytes);
}

void require_machine(const std::string& target, const std::string& chip, const std::string& dma_signal,
                     std::int64_t cores, std::int64_t devices) {
  const auto unsupported = [](const std::string& what) { throw Error(ErrorCode::kUnsupported, what); };
  if (target == "cpu")
    unsupported("only `run` and `view` run kernels on this CPU; nothing was run. --target simulator is for all else");
  if (target == "tpu")
    unsupported(
        "there is no tpu target in this build; nothing was run. --target simulator runs the kernel in the simulator");
  if (target != "simulator") refuse(fmt::format("--target `{}` is none of simulator, cpu, tpu", target));
  if (dma_signal != "progressive" && dma_signal != "whole")
    refuse(fmt::format("--dma-signal `{}` is none of progressive, whole", dma_signal));
  if (cores < 1 || cores > kMostCores) refuse(fmt::format("--cores {}: take 1 to {}", cores, kMostCores));
  if (devices < 1 || devices > kMostDevices) refuse(fmt::format("--devices {}: take 1 to {}", devices, kMostDevices));
  if (plan::chip_named(chip).generation < 4)
    unsupported(fmt::format("--chip {}: the layout of arrays before v4 is not modelled", chip));
}

}  // namespace millrace::front
