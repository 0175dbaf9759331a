// SPDX-License-Identifier: Apache-2.0
#include "front/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/error.h"
#include "mosaic/each_op.h"
#include "program/lower.h"
#include "program/scopes.h"

namespace millrace::front {

namespace {

bool is_semaphore(const mosaic::Type& type) {
  return type.element == mosaic::Element::kSemaphore || type.element == mosaic::Element::kDmaSemaphore;
}

std::int64_t bytes_of(const mosaic::Type& type) {
  std::int64_t bytes = is_semaphore(type) ? 0 : mosaic::size_in_bytes(type.element);
  for (std::int64_t n : type.shape)
    if (n < 0 || __builtin_mul_overflow(bytes, n, &bytes)) return -1;
  return bytes;
}

std::string place_of(const mosaic::Module& module, mosaic::LocationId id) { return to_string(module.locations[id]); }

bool is_dma(const std::string& operation) {
  return operation == "tpu.enqueue_dma" || operation == "tpu.wait_dma2" || operation == "tpu.wait_dma" ||
         operation == "tpu.enqueue_indirect_dma" || operation == "tpu.wait_indirect_dma";
}

struct Walk {
  const mosaic::Module& module;
  const mosaic::Function& function;
  Inspection& out;
  const std::vector<program::Scoped> scoped = program::scoped_of(function);
  std::size_t next = 0;  // of them

  void op(const mosaic::Op& o) {
    ++out.operations[o.name];
    if (is_dma(o.name)) out.dmas.push_back({o.name, place_of(module, o.location)});
    if (next == scoped.size() || o.results.size() != 1 || o.results[0] != scoped[next].value) return;
    const mosaic::Type& type = function.values[o.results[0]];
    (scoped[next].semaphore ? out.semaphores : out.memories)
        .push_back({name_of(scoped[next]), mosaic::to_string(type), place_of(module, o.location), bytes_of(type)});
    ++next;
  }

  void region(const mosaic::Region& region) {
    mosaic::each_op(region, [&](const mosaic::Op& o) { op(o); });
  }
};

void add_operands(const Kernel& kernel, const Signature& signature, std::size_t outputs, Inspection& out) {
  const std::size_t operands = signature.operands.size();
  if (kernel.call) outputs = kernel.call->results.size();
  outputs = std::min(outputs, operands);
  for (std::size_t i = 0; i < operands; ++i) {
    const Operand& o = signature.operands[i];
    const bool output = i >= operands - outputs;
    InspectedOperand shown;
    shown.name = output ? fmt::format("out{}", i - (operands - outputs)) : fmt::format("in{}", i);
    shown.type = mosaic::to_string(o.type);
    shown.prefetch = o.prefetch, shown.windowed = o.windowed, shown.element_window = o.element_window;
    const bool fast = o.type.space == mosaic::MemorySpace::kVmem || o.type.space == mosaic::MemorySpace::kSmem;
    if (o.windowed)
      shown.slots = o.synchronous ? 1 : 2;
    else if (fast && !o.prefetch)
      shown.slots = 1;
    shown.block = o.block;
    if (o.map) shown.map = "@" + o.map->name;
    if (signature.dynamic_bounds() == 0) shown.smallest_array = derived_shape(o, signature.grid);
    if (shown.slots > 0) {
      const std::int64_t bytes = bytes_of(o.type);
      out.memories.push_back({shown.name + " window", fmt::format("{} x {}", shown.slots, shown.type), "",
                              bytes < 0 ? -1 : bytes * shown.slots});
    }
    out.operands.push_back(std::move(shown));
  }
}

}  // namespace

Inspection inspect(const Kernel& kernel, std::size_t outputs) {
  const Signature signature = signature_of(kernel.module);
  const mosaic::Function& function = *kernel.module.kernel();
  Inspection result;
  result.module = kernel.name;
  result.kernel = signature.name;
  result.form = kernel.origin.form == mosaic::Form::kBytecode ? "bytecode" : "text";
  result.names = kernel.origin.names == mosaic::Names::kStable ? "stable" : "plain";
  result.serde_version = kernel.origin.serde_version;
  result.grid = signature.grid;
  result.semantics = signature.semantics;
  add_operands(kernel, signature, outputs, result);
  for (std::size_t i = 0; i < signature.scratch.size(); ++i) {
    const mosaic::Type& type = signature.scratch[i];
    (is_semaphore(type) ? result.semaphores : result.memories)
        .push_back({fmt::format("scratch{}", i), mosaic::to_string(type), "", bytes_of(type)});
  }
  Walk walk{kernel.module, function, result};
  walk.region(function.body);
  for (const mosaic::Function& f : kernel.module.functions)
    if (&f != &function) Walk{kernel.module, f, result}.region(f.body);
  for (const auto& [name, count] : result.operations) {
    result.kernel_operations += static_cast<std::size_t>(count);
    if (!program::is_supported(name)) result.unsupported.push_back(name);
  }
  return result;
}

}  // namespace millrace::front
