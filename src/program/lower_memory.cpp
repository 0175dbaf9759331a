// SPDX-License-Identifier: Apache-2.0
// Views, loads and stores, and the buffers of a scope.
#include <fmt/format.h>

#include "program/lowering.h"

namespace millrace::program {

namespace {

using mosaic::Type;
using mosaic::ValueId;

void memref_slice(Lowering& l, const mosaic::Op& o) {
  ViewPlan plan = l.view_of(o.operands[0]);
  const Type& type = l.type_of(o.results[0]);
  const std::size_t rank = plan.shown.size();
  std::size_t dynamic = 1 + rank;
  for (std::size_t k = 0; k < rank; ++k) {
    ViewDim& dim = plan.dims[plan.shown[k]];
    l.add_to(dim.start, o.operands[1 + k]);
    dim.size = type.shape[k];
    dim.size_slot = kNoSlot;
    if (type.shape[k] != mosaic::kDynamic) continue;
    ValueId size = o.operands.at(dynamic++);
    if (auto known = l.known(size))
      dim.size = *known;
    else
      dim.size = 0, dim.size_slot = l.slot_of(size);
  }
  l.set_view(o.results[0], std::move(plan));
}

// Unit dimensions go; the rest is matched from the right.
void memref_squeeze(Lowering& l, const mosaic::Op& o) {
  ViewPlan plan = l.view_of(o.operands[0]);
  const Type &from = l.type_of(o.operands[0]), &to = l.type_of(o.results[0]);
  std::vector<std::uint8_t> shown;
  std::size_t left = to.shape.size();
  for (std::size_t k = from.shape.size(); k-- > 0;) {
    if (left > 0 && from.shape[k] == to.shape[left - 1]) {
      shown.insert(shown.begin(), plan.shown[k]);
      --left;
    }
  }
  plan.shown = std::move(shown);
  l.set_view(o.results[0], std::move(plan));
}

std::vector<std::int64_t> segments(const mosaic::Op& o) {
  const auto* s = mosaic::as_integers(o.find("operandSegmentSizes"));
  return s ? *s : std::vector<std::int64_t>{};
}

std::vector<std::int64_t> strides_attribute(const mosaic::Op& o, std::size_t rank) {
  const auto* s = mosaic::as_integers(o.find("strides"));
  return s && !s->empty() ? *s : std::vector<std::int64_t>(rank, 1);
}

std::uint32_t add_access(Lowering& l, const mosaic::Op& o, ValueId ref, std::size_t first_index, const Type& value) {
  MemoryAccess access;
  access.view = l.view_of(ref);
  const std::size_t rank = access.view.shown.size();
  access.index.resize(rank);
  for (std::size_t k = 0; k < rank; ++k) l.add_to(access.index[k], o.operands.at(first_index + k));
  access.shape = value.shape;
  if (value.kind == Type::Kind::kScalar) access.shape.assign(rank, 1);
  if (access.shape.size() != rank)
    l.unsupported(
        fmt::format("{} of {} through a reference of rank {} is not supported", o.name, to_string(value), rank));
  access.strides = strides_attribute(o, rank);
  l.out_.accesses.push_back(std::move(access));
  return static_cast<std::uint32_t>(l.out_.accesses.size() - 1);
}

void load(Lowering& l, const mosaic::Op& o) {
  std::uint32_t access = add_access(l, o, o.operands[0], 1, l.type_of(o.results[0]));
  Slot dst = l.define(o.results[0]);
  Instruction& i = l.emit(Op::kLoad);
  i.dst = dst, i.aux = access;
}

void emit_store(Lowering& l, std::uint32_t access, ValueId value, std::optional<ValueId> mask) {
  Slot a = l.slot_of(value), m = mask ? l.slot_of(*mask) : kNoSlot;
  l.out_.accesses[access].masked = mask.has_value();
  Instruction& i = l.emit(Op::kStore);
  i.a = a, i.b = m, i.aux = access;
}

void store(Lowering& l, const mosaic::Op& o) {
  emit_store(l, add_access(l, o, o.operands[1], 2, l.type_of(o.operands[0])), o.operands[0], {});
}

void vector_store(Lowering& l, const mosaic::Op& o) {
  const std::int64_t* add = mosaic::as_integer(o.find("add"));
  if (add && *add != 0) l.unsupported("tpu.vector_store that adds is not supported");
  std::vector<std::int64_t> s = segments(o);
  bool masked = s.size() == 4 && s[3] == 1;
  std::optional<ValueId> mask;
  if (masked) mask = o.operands.back();
  emit_store(l, add_access(l, o, o.operands[1], 2, l.type_of(o.operands[0])), o.operands[0], mask);
}

// The loads and stores that are not JAX's: plain where nothing is masked and no row is left out.
void require_plain(Lowering& l, const mosaic::Op& o, bool mask) {
  bool plain = !mask;
  if (const std::int64_t* stride = mosaic::as_integer(o.find("sublane_stride"))) plain &= *stride == 1;
  if (const auto* rows = mosaic::as_integers(o.find("sublane_mask")))
    for (std::int64_t row : *rows) plain &= row != 0;
  if (!plain) l.unsupported(fmt::format("a masked or strided {} is not supported", o.name));
}

void plain_load(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> s = segments(o);  // of tpu.vector_load: the last is its mask
  require_plain(l, o, s.size() == 3 && s[2] != 0);
  load(l, o);
}

void plain_store(Lowering& l, const mosaic::Op& o) {
  std::vector<std::int64_t> s = segments(o);
  require_plain(l, o, s.size() == 4 && s[3] != 0);
  store(l, o);
}

void allocate(Lowering& l, const mosaic::Op& o) {
  const Type& type = l.type_of(o.results[0]);
  bool semaphore = type.space == mosaic::MemorySpace::kSemaphore;
  auto kind = semaphore                                  ? event::MemoryKind::kSemaphore
              : type.space == mosaic::MemorySpace::kSmem ? event::MemoryKind::kSmem
              : type.space == mosaic::MemorySpace::kVmem ? event::MemoryKind::kVmem
                                                         : event::MemoryKind::kHbm;
  const Scoped& scoped = l.scoped(o.results[0]);
  std::uint32_t memory =
      l.declare({name_of(scoped), kind, type.element, type.shape, MemorySlot::Binding::kScoped, scoped.number});
  l.set_view(o.results[0], whole_view(memory, type));
  l.emit(Op::kAllocate).aux = memory;
  if (!l.regions().empty()) l.regions().back().push_back(memory);
}

void region(Lowering& l, const mosaic::Op& o) {
  l.regions().emplace_back();
  l.ops(o.regions[0]);
  const mosaic::Op& yield = o.regions[0].ops.back();
  for (std::size_t i = 0; i < o.results.size(); ++i) l.bound(o.results[i]) = l.bound(yield.operands[i]);
  auto memories = std::move(l.regions().back());
  l.regions().pop_back();
  for (auto m = memories.rbegin(); m != memories.rend(); ++m) l.emit(Op::kFree).aux = *m;
}

}  // namespace

void add_memory_handlers(HandlerTable& table) {
  table["tpu.memref_slice"] = memref_slice;
  table["tpu.memref_squeeze"] = memref_squeeze;
  table["tpu.memref_reshape"] = memref_reshape;
  table["tpu.memref_bitcast"] = memref_bitcast;
  for (std::string_view op : {"vector.load", "tpu.strided_load", "memref.load"}) table[op] = load;
  for (std::string_view op : {"vector.store", "tpu.strided_store", "memref.store"}) table[op] = store;
  table["tpu.vector_store"] = vector_store;
  for (std::string_view op : {"tpu.vector_load", "tpu.load"}) table[op] = plain_load;
  table["tpu.store"] = plain_store;
  table["memref.alloca"] = allocate;
  table["tpu.sem_alloc"] = allocate;
  table["tpu.region"] = region;
}

}  // namespace millrace::program
