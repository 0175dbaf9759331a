// SPDX-License-Identifier: Apache-2.0
// The kernel function as a whole: its arguments become memories and windows, its body one step of the grid.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "millrace/error.h"
#include "program/direct_loads.h"
#include "program/direct_stores.h"
#include "program/lower.h"
#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::MemorySpace;
using mosaic::Type;

event::MemoryKind kind_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::kVmem: return event::MemoryKind::kVmem;
    case MemorySpace::kSmem: return event::MemoryKind::kSmem;
    case MemorySpace::kSemaphore: return event::MemoryKind::kSemaphore;
    default: return event::MemoryKind::kHbm;
  }
}

Element element_of(DType type) {
  switch (type) {
    case DType::f32: return Element::kF32;
    case DType::bf16: return Element::kBF16;
    case DType::f16: return Element::kF16;
    case DType::i8:
    case DType::u8: return Element::kI8;
    case DType::i16:
    case DType::u16: return Element::kI16;
    case DType::i1:  // a bool array crosses the border as i32
    case DType::i32:
    case DType::u32: return Element::kI32;
  }
  return Element::kI32;
}

// An i4 is kept in a byte of its own; the bits of an f8 in one without a sign.
bool holds(DType type, Element element) {
  if (element == Element::kI4) return element_of(type) == Element::kI8;
  if (!is_integer(element) && bytes_of(element) == 1) return type == DType::u8;
  return element_of(type) == element;
}

bool has_keyword(const mosaic::Attribute* attribute, std::string_view keyword) {
  const auto* dialect = mosaic::as_dialect(attribute);
  return dialect && !dialect->keywords.empty() && dialect->keywords[0] == keyword;
}

// The arrays of a window in elements: offsets run over the array with this much padding around it.
void read_element_window(const mosaic::DictionaryAttr& params, Window& w) {
  const auto* kind = mosaic::as_dialect(params.find("window_kind"));
  if (!kind) return;
  if (kind->mnemonic != "element_window")
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: a window of the kind {} is not supported", w.name, kind->mnemonic));
  w.elements = true;
  w.low = !kind->lists.empty() ? kind->lists[0] : std::vector<std::int64_t>{};
  w.high = kind->lists.size() > 1 ? kind->lists[1] : std::vector<std::int64_t>{};
  w.low.resize(w.block.size(), 0), w.high.resize(w.block.size(), 0);
  for (std::size_t d = 0; d < w.block.size(); ++d)
    if (w.low[d] < 0 || w.high[d] < 0)
      throw Error(ErrorCode::kUser, fmt::format("{} is padded by {} and {} elements along dimension {}; take 0 or more",
                                                w.name, w.low[d], w.high[d], d));
}

void require_known_extents(const std::string& name, const std::vector<std::int64_t>& shape) {
  if (std::ranges::any_of(shape, [](std::int64_t n) { return n < 0; }))
    throw Error(ErrorCode::kUser, fmt::format("{} has an extent that its type leaves open", name));
}

}  // namespace

std::uint32_t Lowering::add_memory(MemorySlot memory) {
  if (memory.shape.size() > event::kMaxRank)
    unsupported(
        fmt::format("{} has rank {}; at most {} is supported", memory.name, memory.shape.size(), event::kMaxRank));
  require_known_extents(memory.name, memory.shape);
  out_.memories.push_back(std::move(memory));
  return static_cast<std::uint32_t>(out_.memories.size() - 1);
}

void Lowering::declare_operand(std::size_t argument, std::uint32_t operand, bool output, const OperandSpec& spec,
                               const mosaic::DictionaryAttr& params) {
  mosaic::ValueId value = kernel_->body.arguments[argument];
  const Type& type = type_of(value);
  std::string name = fmt::format("{}{}", output ? "out" : "in", operand);
  if (!holds(spec.dtype, type.element))
    throw Error(ErrorCode::kUser,
                fmt::format("{} is {}, but the kernel takes {}", name, name_of(spec.dtype), to_string(type)));
  bool staged = type.space == MemorySpace::kVmem || type.space == MemorySpace::kSmem;
  if (argument >= out_.grid.size() + prefetch_ && (params.find("window_bounds") || staged)) {
    declare_window(argument, operand, output, spec, params);
    return;
  }
  if (spec.shape != type.shape)
    throw Error(ErrorCode::kUser,
                fmt::format("{} has shape {}, but the kernel takes {}", name, to_string(spec.shape), to_string(type)));
  auto binding = output ? MemorySlot::Binding::kOutput : MemorySlot::Binding::kInput;
  set_view(value,
           whole_view(add_memory({name, kind_of(type.space), type.element, spec.shape, binding, operand}), type));
}

void Lowering::declare_window(std::size_t argument, std::uint32_t operand, bool output, const OperandSpec& spec,
                              const mosaic::DictionaryAttr& params) {
  mosaic::ValueId value = kernel_->body.arguments[argument];
  const Type& type = type_of(value);
  Window w;
  w.name = fmt::format("{}{}", output ? "out" : "in", operand);
  w.input = !output;
  w.output = output;
  w.block = type.shape;
  w.array = spec.shape;
  require_known_extents(w.name, w.block);
  if (w.array.size() != w.block.size())
    throw Error(ErrorCode::kUser, fmt::format("{} has shape {}, but the kernel takes blocks of rank {}: {}", w.name,
                                              to_string(spec.shape), w.block.size(), to_string(type)));
  read_element_window(params, w);
  w.reload = output && has_keyword(params.find("revisit_mode"), "any");
  if (has_keyword(params.find("pipeline_mode"), "synchronous")) w.slots = 1;
  const auto* bounds = mosaic::as_integers(params.find("window_bounds"));
  if (!bounds) {
    w.slots = 1;
    if (w.array != w.block)
      throw Error(ErrorCode::kUser, fmt::format("{} has shape {}, but the kernel takes {}", w.name,
                                                to_string(spec.shape), to_string(type)));
  }
  auto binding = output ? MemorySlot::Binding::kOutput : MemorySlot::Binding::kInput;
  w.operand = add_memory({w.name, event::MemoryKind::kHbm, type.element, spec.shape, binding, operand});
  auto index = static_cast<std::uint32_t>(out_.windows.size());
  w.memory = add_memory({w.name, kind_of(type.space), type.element, type.shape, MemorySlot::Binding::kWindow, index});
  for (std::size_t d = 0; d < w.block.size(); ++d) {
    w.current.push_back(allocate(8));
    w.next.push_back(allocate(8));
  }
  const mosaic::Function* map = nullptr;
  if (const auto* a = params.find("transform_indices"))
    if (const auto* symbol = std::get_if<mosaic::SymbolAttr>(&a->value)) map = module_.find(symbol->name);
  if (bounds && !map) throw Error(ErrorCode::kUser, fmt::format("{} has no index map (transform_indices)", w.name));
  maps_.push_back(map);
  set_view(value, whole_view(w.memory, type));
  out_.windows.push_back(std::move(w));
}

void Lowering::declare_scratch(std::size_t argument, std::uint32_t index) {
  mosaic::ValueId value = kernel_->body.arguments[argument];
  const Type& type = type_of(value);
  MemorySlot memory{fmt::format("scratch{}", index),
                    kind_of(type.space),
                    type.element,
                    type.shape,
                    MemorySlot::Binding::kScratch,
                    index};
  set_view(value, whole_view(add_memory(std::move(memory)), type));
}

void Lowering::declare_operands(const std::vector<OperandSpec>& inputs, const std::vector<OperandSpec>& outputs) {
  const std::size_t rank = out_.grid.size(), given = inputs.size() + outputs.size();
  const std::size_t scratch = [&] {
    const std::int64_t* n = mosaic::as_integer(kernel_->find("scratch_operands"));
    return n ? static_cast<std::size_t>(*n) : 0;
  }();
  const std::size_t operands = kernel_->body.arguments.size() - rank - scratch;
  if (given != operands)
    throw Error(ErrorCode::kUser, fmt::format("the kernel has {} operands; {} inputs and {} outputs were given",
                                              operands, inputs.size(), outputs.size()));
  const mosaic::DictionaryAttr no_window;
  const mosaic::ArrayAttr* params = nullptr;
  if (const auto* a = kernel_->find("window_params")) params = std::get_if<mosaic::ArrayAttr>(&a->value);
  for (std::size_t i = 0; i < operands; ++i) {
    bool output = i >= inputs.size();
    auto number = static_cast<std::uint32_t>(output ? i - inputs.size() : i);
    const mosaic::DictionaryAttr* window = nullptr;
    if (params && i >= prefetch_ && i - prefetch_ < params->values.size())
      window = std::get_if<mosaic::DictionaryAttr>(&params->values[i - prefetch_].value);
    declare_operand(rank + i, number, output, output ? outputs[number] : inputs[number], window ? *window : no_window);
    if (i < prefetch_) prefetch_views_.push_back(view_of(kernel_->body.arguments[rank + i]));
  }
  for (std::size_t i = 0; i < scratch; ++i) declare_scratch(rank + operands + i, static_cast<std::uint32_t>(i));
}

// The bounds of the grid, the dynamic ones filled in.
void Lowering::declare_grid(const Environment& environment) {
  if (const auto* bounds = mosaic::as_integers(kernel_->find("iteration_bounds"))) out_.grid = *bounds;
  std::size_t given = 0;
  for (std::int64_t& bound : out_.grid) {
    if (bound != mosaic::kDynamic) continue;
    if (given < environment.grid_bounds.size()) bound = environment.grid_bounds[given];
    ++given;
  }
  if (given != environment.grid_bounds.size())
    throw Error(ErrorCode::kUser, fmt::format("the grid has {} dynamic bounds, but {} were given", given,
                                              environment.grid_bounds.size()));
  for (std::int64_t bound : out_.grid)
    if (bound < 0 || bound > std::numeric_limits<std::int32_t>::max())
      throw Error(ErrorCode::kUser, fmt::format("a bound of the grid is {}; take 0 to 2^31 - 1", bound));
  declare_axes();
}

// Axes that a kernel marks for the cores are shared out among them; without any, the parallel ones are (S5.13).
void Lowering::declare_axes() {
  out_.parallel.assign(out_.grid.size(), false);
  std::vector<bool> for_cores = out_.parallel;
  const auto* semantics = kernel_->find("dimension_semantics");
  const auto* axes = semantics ? std::get_if<mosaic::ArrayAttr>(&semantics->value) : nullptr;
  bool any = false;
  for (std::size_t d = 0; axes && d < axes->values.size() && d < out_.grid.size(); ++d) {
    out_.parallel[d] = has_keyword(&axes->values[d], "parallel");
    for_cores[d] = has_keyword(&axes->values[d], "core_parallel");
    any = any || for_cores[d];
  }
  out_.split = any ? for_cores : out_.parallel;
}

void Lowering::declare_machine(const Environment& environment) {
  if (environment.devices < 1 || environment.cores < 1)
    throw Error(ErrorCode::kUser, fmt::format("{} devices with {} cores each; take 1 or more of both",
                                              environment.devices, environment.cores));
  out_.devices = environment.devices, out_.cores = environment.cores;
  out_.unwritten.assign(out_.inputs, false);
  for (std::uint32_t input : environment.unwritten) {
    if (input >= out_.inputs)
      throw Error(ErrorCode::kUser,
                  fmt::format("in{} is said to be unwritten, but the kernel has {} inputs", input, out_.inputs));
    out_.unwritten[input] = true;
  }
}

// An aliased pair is one array: the output, which begins with the input's data. Scalar prefetch lies in SMEM and keeps
// a copy of its own. A window into such an output finds the array's data when it enters a block.
void Lowering::join_aliases(const Environment& environment) {
  std::vector<bool> taken_in(out_.inputs), taken_out(out_.outputs);
  for (const Environment::Alias& alias : environment.aliases) {
    if (alias.input >= out_.inputs || alias.output >= out_.outputs)
      throw Error(ErrorCode::kUser,
                  fmt::format("in{} cannot be aliased to out{}: the kernel has {} inputs and {} outputs", alias.input,
                              alias.output, out_.inputs, out_.outputs));
    if (taken_in[alias.input] || taken_out[alias.output])
      throw Error(ErrorCode::kUser,
                  fmt::format("in{} and out{} cannot be aliased: one of them has an alias already; an operand has one",
                              alias.input, alias.output));
    taken_in[alias.input] = taken_out[alias.output] = true;
    MemorySlot* in = nullptr;
    std::uint32_t out = 0;
    for (std::uint32_t s = 0; s < out_.memories.size(); ++s) {
      MemorySlot& slot = out_.memories[s];
      if (slot.binding == MemorySlot::Binding::kInput && slot.operand == alias.input) in = &slot;
      if (slot.binding == MemorySlot::Binding::kOutput && slot.operand == alias.output) out = s;
    }
    if (in->shape != out_.memories[out].shape || in->element != out_.memories[out].element)
      throw Error(ErrorCode::kUser,
                  fmt::format("in{} and out{} cannot be aliased: they differ in shape or element type", alias.input,
                              alias.output));
    if (in->kind == event::MemoryKind::kHbm) in->same_as = out;
    for (Window& w : out_.windows) w.reload |= w.operand == out;
  }
  out_.aliases = environment.aliases;
}

void Lowering::kernel(const std::vector<OperandSpec>& inputs, const std::vector<OperandSpec>& outputs,
                      const Environment& environment) {
  kernel_ = module_.kernel();
  if (!kernel_)
    throw Error(ErrorCode::kUser, "the module has no kernel: no function is named main or marked by tpu.core_type");
  place_ = kernel_->location;
  for (const Scoped& s : scoped_of(*kernel_)) scoped_.emplace(s.value, s);
  Scope scope(*kernel_);
  scope_ = &scope;
  out_.name = module_.name.empty() ? kernel_->name : module_.name;
  out_.inputs = static_cast<std::uint32_t>(inputs.size());
  out_.outputs = static_cast<std::uint32_t>(outputs.size());
  declare_machine(environment);
  declare_grid(environment);
  if (const std::int64_t* n = mosaic::as_integer(kernel_->find("scalar_prefetch")))
    prefetch_ = static_cast<std::size_t>(*n);
  for (std::size_t d = 0; d < out_.grid.size(); ++d) {
    out_.grid_index.push_back(allocate(8));
    out_.grid_next.push_back(allocate(8));
    bound(kernel_->body.arguments[d]).slot = out_.grid_index[d];
  }
  declare_operands(inputs, outputs);
  join_aliases(environment);
  grid_loop();
}

void Lowering::evaluate_maps(const std::vector<Slot>& grid, bool next) {
  for (std::size_t w = 0; w < out_.windows.size(); ++w)
    if (maps_[w]) transform(*maps_[w], grid, next ? out_.windows[w].next : out_.windows[w].current);
}

// One step of the grid: fetch ahead, wait for this step's blocks, run the body, send what is finished, move on.
void Lowering::grid_loop() {
  auto each = [&](Op op, std::uint16_t small, auto&& wanted) {
    for (std::uint32_t w = 0; w < out_.windows.size(); ++w) {
      if (!wanted(out_.windows[w])) continue;
      Instruction& i = emit(op);
      i.aux = w;
      i.small = small;
    }
  };
  auto ahead = [](const Window& w) { return w.input && w.slots > 1; };
  auto late = [](const Window& w) { return (w.input && w.slots == 1) || w.reload; };
  auto read = [](const Window& w) { return w.input || w.reload; };
  auto output = [](const Window& w) { return w.output; };
  auto any = [](const Window&) { return true; };
  bool empty = false;
  for (std::int64_t bound : out_.grid) empty |= bound == 0;
  if (empty) {
    emit(Op::kEnd);
    return;
  }
  evaluate_maps(out_.grid_index, false);
  each(Op::kWindowFetch, 0, ahead);
  std::uint32_t head = here();
  Slot more = allocate(8);
  emit(Op::kStepBegin);
  emit(Op::kGridNext).dst = more;
  std::uint32_t last = emit_jump(Op::kJumpIfFalse, more);
  evaluate_maps(out_.grid_next, true);
  each(Op::kWindowFetch, 1, ahead);
  land(last);
  each(Op::kWindowFetch, 0, late);
  each(Op::kWindowAwait, 0, read);
  {
    const Branch step(*this);
    ops(kernel_->body);
  }
  emit(Op::kStepEnd);
  std::uint32_t from = here();
  each(Op::kWindowSend, 0, output);
  each(Op::kWindowAwaitSent, 0, output);
  for (std::uint32_t i = from; i < here(); ++i) out_.code[i].a = more;
  std::uint32_t done = emit_jump(Op::kJumpIfFalse, more);
  each(Op::kWindowAdvance, 0, any);
  for (std::size_t d = 0; d < out_.grid.size(); ++d) {
    Instruction& i = emit(Op::kCopy);
    i.dst = out_.grid_index[d];
    i.a = out_.grid_next[d];
    i.n = 1;
  }
  emit(Op::kJump).aux = head;
  land(done);
  each(Op::kWindowAwaitSent, 1, output);
  emit(Op::kEnd);
}

Program lower(const mosaic::Module& module, const std::vector<OperandSpec>& inputs,
              const std::vector<OperandSpec>& outputs, const Environment& environment) {
  Program program;
  Lowering(module, program).kernel(inputs, outputs, environment);
  mark_direct_loads(program);
  mark_direct_stores(program);
  return program;
}

}  // namespace millrace::program
