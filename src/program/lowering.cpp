// SPDX-License-Identifier: Apache-2.0
#include "program/lowering.h"

#include <fmt/format.h>

#include <cstring>
#include <set>

#include "millrace/error.h"
#include "program/lower.h"
#include "program/places.h"

namespace millrace::program {

using mosaic::Type;
using mosaic::ValueId;

namespace {

void collect_missing(const mosaic::Region& region, std::set<std::string>& missing) {
  for (const mosaic::Op& op : region.ops) {
    if (!handlers().contains(op.name)) missing.insert(op.name);
    for (const mosaic::Region& inner : op.regions) collect_missing(inner, missing);
  }
}

}  // namespace

Lowering::Lowering(const mosaic::Module& module, Program& out) : module_(module), out_(out) {
  out_.places = places_of(module);
}

SourcePlace Lowering::place() const {
  const mosaic::Location& l = module_.locations[place_];
  return {l.file.empty() ? out_.places[place_].where : l.file, l.line, l.column};
}

void Lowering::unsupported(const std::string& what) const {
  std::string others;
  std::set<std::string> missing;
  for (const mosaic::Function& f : module_.functions) collect_missing(f.body, missing);
  for (const std::string& name : missing) others += (others.empty() ? "" : ", ") + name;
  std::string tail = others.empty() ? "" : fmt::format(" (not supported in this module: {})", others);
  throw Error(ErrorCode::kUnsupported, what + tail, place());
}

void Lowering::ops(const mosaic::Region& region) {
  for (const mosaic::Op& o : region.ops) op(o);
}

void Lowering::op(const mosaic::Op& o) {
  std::uint32_t outer = std::exchange(place_, o.location);
  bool wanted = has_effect(o);
  for (ValueId r : o.results) wanted |= needed(r);
  if (wanted) {
    for (ValueId r : o.results) require_size(type_of(r));
    auto handler = handlers().find(o.name);
    if (handler == handlers().end()) unsupported(fmt::format("operation {} is not supported", o.name));
    handler->second(*this, o);
  }
  place_ = outer;
}

// A TPU's VMEM holds 128 MB at most. Beyond, constants alone would fill the memory before a run's needs are added up.
void Lowering::require_size(const Type& type) const {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 26;
  if (type.kind != Type::Kind::kVector) return;
  std::int64_t left = kMostElements;
  for (std::int64_t size : type.shape) left = size > 0 ? left / size : left;
  if (left == 0)
    unsupported(fmt::format("a value of type {} is not supported; values have up to 2^26 elements", to_string(type)));
}

const HandlerTable& handlers() {
  static const HandlerTable table = [] {
    HandlerTable t;
    add_scalar_handlers(t);
    add_tile_handlers(t);
    add_reduction_handlers(t);
    add_memory_handlers(t);
    add_dma_handlers(t);
    add_control_handlers(t);
    add_bits_handlers(t);
    add_matrix_unit_handlers(t);
    add_surroundings_handlers(t);
    return t;
  }();
  return table;
}

std::vector<std::string> operations() {
  std::vector<std::string> names;
  for (const auto& [name, handler] : handlers()) names.emplace_back(name);
  return names;
}

bool is_supported(std::string_view operation) { return handlers().contains(operation); }

Instruction& Lowering::emit(Op op) {
  Instruction& i = out_.code.emplace_back();
  i.op = op;
  i.place = place_;
  return i;
}

std::uint32_t Lowering::emit_jump(Op op, Slot condition) {
  emit(op).a = condition;
  return here() - 1;
}

// Tiles start at multiples of 64 bytes, so that vector instructions find them aligned.
Slot Lowering::allocate(std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 8;
  std::uint64_t units = (bytes + 7) / 8, at = out_.frame_units;
  if (units > 1) at = (at + kLine - 1) / kLine * kLine;
  if (at + units >= kNoSlot) unsupported("the values of this kernel take more than 32 GiB");
  out_.frame_units = static_cast<std::uint32_t>(at + units);
  return static_cast<Slot>(at);
}

Slot Lowering::scalar_constant(std::int64_t value, Element element) {
  auto [entry, fresh] = scalars_.try_emplace({value, element}, kNoSlot);
  if (fresh) {
    std::vector<std::byte> data(8);
    std::memcpy(data.data(), &value, 8);
    entry->second = constant(std::move(data), 1);
  }
  return entry->second;
}

Slot Lowering::constant(std::vector<std::byte> data, std::uint64_t count) {
  auto [entry, fresh] = constants_.try_emplace({data, count}, kNoSlot);
  if (fresh) {
    entry->second = allocate(data.size() * count);
    out_.constants.push_back({entry->second, std::move(data), count});
  }
  return entry->second;
}

std::uint32_t Lowering::elementwise(Elementwise operation) {
  for (std::uint32_t i = 0; i < out_.elementwise.size(); ++i)
    if (out_.elementwise[i] == operation) return i;
  out_.elementwise.push_back(std::move(operation));
  return static_cast<std::uint32_t>(out_.elementwise.size() - 1);
}

void Lowering::scalar(ValueId result, Op op, std::uint16_t small, Slot a, Slot b, Slot c) {
  const bool commutes = op == Op::kAdd || op == Op::kMul || (op >= Op::kAnd1 && op <= Op::kXor1);
  const ScalarKey key = commutes && b < a ? ScalarKey{op, small, b, a, c} : ScalarKey{op, small, a, b, c};
  if (auto done = done_.find(key); done != done_.end()) {
    bound(result) = Bound{};
    bound(result).slot = done->second;
    return;
  }
  const Slot dst = define(result);
  Instruction& i = emit(op);
  i.dst = dst, i.a = a, i.b = b, i.c = c, i.small = small;
  done_.emplace(key, dst);
  done_in_order_.push_back(key);
}

Lowering::Branch::~Branch() {
  for (auto& keys = l_.done_in_order_; keys.size() > before_; keys.pop_back()) l_.done_.erase(keys.back());
}

Slot Lowering::define(ValueId v) {
  const Type& type = type_of(v);
  bound(v) = Bound{};
  bound(v).slot = allocate(bytes_of(type));
  return bound(v).slot;
}

Slot Lowering::slot_of(ValueId v) {
  Bound& b = bound(v);
  const Type& type = type_of(v);
  if (b.known) return scalar_constant(*b.known, type.element);
  if (b.narrow) {  // an index that some operation wants whole
    Slot wide = allocate(8);
    Instruction& i = emit(Op::kWiden);
    i.a = b.slot;
    i.dst = wide;
    return wide;
  }
  if (b.splat == kNoSlot || b.spread) return b.slot;
  if (b.slot == kNoSlot) b.slot = allocate(bytes_of(type));
  // Spread it out anew at each use that needs it: a place where it stood once need not dominate this one.
  Instruction& i = emit(Op::kBroadcast);
  i.a = b.splat;
  i.dst = b.slot;
  i.aux = static_cast<std::uint32_t>(out_.moves.size());
  out_.moves.push_back({{1}, {count_of(type)}, {}, static_cast<std::uint32_t>(bytes_of(type.element))});
  return b.slot;
}

void Lowering::set_view(ValueId v, ViewPlan plan) {
  bound(v) = Bound{};
  bound(v).view = std::move(plan);
}

const ViewPlan& Lowering::view_of(ValueId v) {
  if (!bound(v).view) unsupported("this use of a reference is not supported");
  return *bound(v).view;
}

void Lowering::add_to(Sum& sum, ValueId v) {
  const Bound& b = bound(v);
  if (b.known) {
    sum.constant = add_places(sum.constant, *b.known);
    return;
  }
  bool wide = type_of(v).element == Element::kIndex && !b.narrow;
  sum.terms.push_back({b.slot, wide});
}

void Lowering::copy(ValueId from, Slot to) { copy_bytes(slot_of(from), to, type_of(from)); }

void Lowering::copy_bytes(Slot from, Slot to, const Type& type) {
  if (from == to) return;
  Instruction& i = emit(Op::kCopy);
  i.a = from;
  i.dst = to;
  i.n = static_cast<std::uint32_t>((bytes_of(type) + 7) / 8);
}

void Lowering::transform(const mosaic::Function& map, const std::vector<Slot>& grid, const std::vector<Slot>& results) {
  Scope scope(map);
  Scope* outer = std::exchange(scope_, &scope);
  for (std::size_t i = 0; i < map.body.arguments.size(); ++i) {
    if (i < grid.size())
      bound(map.body.arguments[i]).slot = grid[i];
    else
      bound(map.body.arguments[i]).view = prefetch_views_.at(i - grid.size());
  }
  const Branch here(*this);  // the grid moves on between two calls of a map
  ops(map.body);
  const mosaic::Op& last = map.body.ops.back();
  for (std::size_t i = 0; i < results.size(); ++i) copy(last.operands[i], results[i]);
  scope_ = outer;
}

// --- helpers on types

std::int64_t count_of(const Type& type) {
  std::int64_t count = 1;
  for (std::int64_t d : type.shape) count *= d;
  return count;
}

std::uint64_t bytes_of(const Type& type) { return bytes_of(type.element) * static_cast<std::uint64_t>(count_of(type)); }

std::size_t bytes_of(Element element) {
  if (element == Element::kSemaphore || element == Element::kDmaSemaphore) return 4;
  return static_cast<std::size_t>(mosaic::size_in_bytes(element));
}

bool is_integer(Element element) { return element >= Element::kI1 && element <= Element::kIndex; }

ViewPlan whole_view(std::uint32_t memory, const Type& type) {
  ViewPlan plan;
  plan.memory = memory;
  plan.element = type.element;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    plan.dims.push_back({type.shape[d], {}, type.shape[d], kNoSlot});
    plan.shown.push_back(static_cast<std::uint8_t>(d));
  }
  return plan;
}

}  // namespace millrace::program
