// SPDX-License-Identifier: Apache-2.0
// Scoped memory and semaphores, and how bodies get their operands.
#include <algorithm>

#include <fmt/format.h>

#include "dsl/attributes.h"
#include "dsl/view.h"

namespace millrace::dsl {
namespace {

const char* kind_name(std::size_t kind) {
  constexpr const char* kNames[] = {"memory (a Ref)", "one semaphore (a Semaphore)",
                                    "a semaphore array (a Semaphores)"};
  return kNames[kind];
}

const Shape& shape_of(const ScratchSpec& spec) {
  static const Shape kScalar;
  if (auto* memory = std::get_if<MemorySpec>(&spec)) return memory->shape;
  if (auto* array = std::get_if<SemaphoresSpec>(&spec)) return array->shape;
  return kScalar;
}

void check_spec(const ScratchSpec& spec, const std::string& name, const Site& at) {
  const Shape& shape = shape_of(spec);
  bool memory = std::holds_alternative<MemorySpec>(spec);
  if (memory && std::get<MemorySpec>(spec).space == Space::kHbm) {
    fail_unsupported(at, fmt::format("{} in HBM: only VMEM and SMEM are allocated inside a kernel", name));
  }
  bool positive = std::all_of(shape.begin(), shape.end(), [](std::int64_t n) { return n > 0; });
  if (!positive || ((memory || std::holds_alternative<SemaphoresSpec>(spec)) && shape.empty())) {
    fail(at, fmt::format("{} has shape {}; it has at least one dimension, each at least 1", name, to_string(shape)));
  }
}

}  // namespace

mosaic::Type memory_type(DType dtype, const Shape& shape, Space space) {
  return mosaic::Type::memref(element_of(stored_as(dtype)), shape, space_of(space));
}

mosaic::Type semaphore_type(bool dma, const Shape& shape) {
  auto element = dma ? mosaic::Element::kDmaSemaphore : mosaic::Element::kSemaphore;
  return mosaic::Type::memref(element, shape, mosaic::MemorySpace::kSemaphore);
}

mosaic::Type type_of(const ScratchSpec& spec) {
  if (auto* memory = std::get_if<MemorySpec>(&spec)) return memory_type(memory->dtype, memory->shape, memory->space);
  if (auto* one = std::get_if<SemaphoreSpec>(&spec)) return semaphore_type(one->dma, {});
  const auto& array = std::get<SemaphoresSpec>(spec);
  return semaphore_type(array.dma, array.shape);
}

Handle operand_of(Tracer& t, const ScratchSpec& spec, mosaic::ValueId id, const std::string& name) {
  if (auto* memory = std::get_if<MemorySpec>(&spec)) return whole_ref(t, id, memory->dtype, memory->space, name);
  auto view = std::make_shared<SemaphoreView>();
  view->type = t.type(id);
  view->shape = view->type.shape;
  view->base = t.node(id, DType::i32, view->shape);
  view->name = name;
  if (auto* one = std::get_if<SemaphoreSpec>(&spec)) {
    view->dma = one->dma;
    return Semaphore(std::move(view));
  }
  view->dma = std::get<SemaphoresSpec>(spec).dma;
  return Semaphores(std::move(view));
}

Handle allocate(Tracer& t, const ScratchSpec& spec, const Site& at) {
  bool memory = std::holds_alternative<MemorySpec>(spec);
  std::string name = memory ? fmt::format("scoped buffer {}", t.scoped_memories++)
                            : fmt::format("scoped semaphore {}", t.scoped_semaphores++);
  check_spec(spec, name, at);
  auto id = memory ? t.emit("memref.alloca", {}, {segments({0, 0})}, type_of(spec), at)
                   : t.emit("tpu.sem_alloc", {}, {}, type_of(spec), at);
  return operand_of(t, spec, id, name);
}

void call_body(const Body& body, const std::vector<Handle>& operands, const std::string& what, const Site& at) {
  if (body.parameters.size() != operands.size()) {
    fail(at, fmt::format("the body of {} takes {} parameters; it is given {}", what, body.parameters.size(),
                         operands.size()));
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].index() == body.parameters[i]) continue;
    fail(at, fmt::format("the body of {} takes {} as parameter {}; it is given {}", what, kind_name(body.parameters[i]),
                         i, kind_name(operands[i].index())));
  }
  body.call(operands);
}

void scoped_operands(const std::vector<ScratchSpec>& specs, const Body& body, const Site& at) {
  Tracer& t = Tracer::current(at, "scoped");
  mosaic::Region region = t.region(
      {},
      [&](const auto&) {
        std::vector<Handle> operands;
        for (const ScratchSpec& spec : specs) operands.push_back(allocate(t, spec, at));
        call_body(body, operands, "scoped", at);
        t.emit("tpu.yield", {}, {}, at);
      },
      at);
  std::vector<mosaic::Region> regions;
  regions.push_back(std::move(region));
  t.emit("tpu.region", {}, {}, std::vector<mosaic::Type>{}, std::move(regions), at);
}

}  // namespace millrace::dsl
