// SPDX-License-Identifier: Apache-2.0
// Loads, stores and views: the members of Ref and Semaphores.
#include "millrace/ref.h"

#include <fmt/format.h>

#include "dsl/arith.h"
#include "dsl/attributes.h"
#include "dsl/view.h"

namespace millrace {
namespace {

using dsl::Node;
using dsl::Tracer;
using dsl::View;

void refuse_hbm(const View& v, const char* what, const Site& at) {
  if (v.space != Space::kHbm) return;
  dsl::fail(at, fmt::format("{} of {}: it lies in HBM, which only copies reach; use make_async_copy, sync_copy or "
                            "emit_pipeline",
                            what, describe(v)));
}

std::vector<mosaic::ValueId> subscripts(Tracer& t, const View& v, const Site& at) {
  std::vector<mosaic::ValueId> ids;
  for (const auto& e : v.extents) ids.push_back(dsl::subscript(t, e.offset, at));
  return ids;
}

// The part of the base that is touched, dropped dimensions as 1.
Shape full_shape(const View& v) {
  Shape shape;
  for (const auto& e : v.extents) shape.push_back(e.size);
  return shape;
}

// Only scalars leave and enter SMEM.
void check_scalar(const View& v, const char* what, const Site& at) {
  if (v.shape.empty() || element_count(v.shape) == 1) return;
  dsl::fail(at, fmt::format("{} of {}: SMEM holds scalars; name one element, as in {}", what, describe(v),
                            std::string_view(what) == "load" ? "r.load(i)" : "r.store(v, i)"));
}

void check_vector(const View& v, const char* what, const Site& at) {
  if (!v.shape.empty()) return;
  dsl::fail(at, fmt::format("{} of one element of {}: VMEM holds vectors; take a slice of size 1, or keep scalars in "
                            "SMEM",
                            what, v.name));
}

Node load_view(const View& v, const Site& at) {
  Tracer& t = Tracer::current(at, "load");
  refuse_hbm(v, "load", at);
  DType stored = dsl::stored_as(v.dtype);
  std::vector<mosaic::ValueId> operands{t.use(v.base, at)};
  auto places = subscripts(t, v, at);
  operands.insert(operands.end(), places.begin(), places.end());
  Node loaded;
  if (v.space == Space::kSmem) {
    check_scalar(v, "load", at);
    loaded = t.node(t.emit("memref.load", operands, {}, dsl::type_of(stored, {}), at), stored, {});
  } else {
    check_vector(v, "load", at);
    Shape full = full_shape(v);
    loaded = t.node(t.emit("vector.load", operands, {}, dsl::type_of(stored, full), at), stored, full);
    loaded = dsl::reshape_node(loaded, v.shape, at);
  }
  return stored == v.dtype ? loaded : dsl::cast_node(loaded, v.dtype, at);
}

void check_stored(const View& v, const Node& value, const Site& at) {
  if (value.dtype != v.dtype) {
    dsl::fail(at,
              fmt::format("store of {} to {}; write cast(v, {})", name_of(value.dtype), describe(v), name_of(v.dtype)));
  }
  if (!value.shape.empty() && value.shape != v.shape) {
    dsl::fail(
        at, fmt::format("store of {} to {}: the shapes differ", dsl::describe(value.dtype, value.shape), describe(v)));
  }
}

// The mask in the shape of what is stored. The hardware masks words of 32 bits only.
Node fitted_mask(const View& v, const Node& mask, const Site& at) {
  if (v.space == Space::kSmem) {
    dsl::fail(at, fmt::format("masked store to {}: SMEM holds scalars; write when(c, ...)", describe(v)));
  }
  if (dsl::bits_of(dsl::stored_as(v.dtype)) != 32) {
    dsl::fail(at, fmt::format("masked store to {}: masks go with elements of 32 bits; store select(mask, a, r.load())",
                              describe(v)));
  }
  if (dsl::broadcast_shape(mask.shape, v.shape, "masked store", at) != v.shape) {
    dsl::fail(at, fmt::format("masked store to {}: the mask has shape {}", describe(v), to_string(mask.shape)));
  }
  if (!mask.constant) return dsl::broadcast_node(mask, v.shape, at);
  Tracer& t = Tracer::current(at, "store");
  auto id = t.constant(dsl::type_of(DType::i1, v.shape), static_cast<std::uint64_t>(*mask.constant));
  return t.node(id, DType::i1, v.shape);
}

void store_view(const View& v, Node value, const Site& at, const Node* mask = nullptr) {
  Tracer& t = Tracer::current(at, "store");
  refuse_hbm(v, "store", at);
  if (v.read_only) dsl::fail(at, fmt::format("store to {} in an index map, which only reads", describe(v)));
  check_stored(v, value, at);
  if (v.dtype == DType::i1) value = dsl::cast_node(value, DType::i32, at);
  auto places = subscripts(t, v, at);
  mosaic::ValueId base = t.use(v.base, at);
  if (v.space == Space::kSmem) {
    check_scalar(v, "store", at);
    if (mask) fitted_mask(v, *mask, at);
    if (!value.shape.empty()) dsl::fail(at, fmt::format("store of a vector to {}: SMEM holds scalars", describe(v)));
    std::vector<mosaic::ValueId> operands{t.use(value, at), base};
    operands.insert(operands.end(), places.begin(), places.end());
    return t.emit("memref.store", operands, {}, at);
  }
  check_vector(v, "store", at);
  value = dsl::reshape_node(dsl::broadcast_node(value, v.shape, at), full_shape(v), at);
  std::vector<mosaic::ValueId> operands{t.use(value, at), base};
  operands.insert(operands.end(), places.begin(), places.end());
  if (mask) operands.push_back(t.use(dsl::reshape_node(fitted_mask(v, *mask, at), full_shape(v), at), at));
  auto rank = static_cast<std::int64_t>(places.size());
  t.emit("tpu.vector_store", operands,
         {{"add", dsl::boolean(false)},
          dsl::segments({1, 1, rank, mask ? 1 : 0}),
          {"strides", dsl::integers({}, mosaic::Element::kI32)}},
         at);
}

Node stored_node(const Term& v, const View& view) {
  if (!v.is_number()) return v.node();
  Shape shape = view.space == Space::kSmem ? Shape{} : view.shape;
  return dsl::node_of_number(v, view.dtype, shape, "store");
}

View element(const Ref& r, const std::vector<Index>& places, const char* what, const Site& at) {
  Ref one = dsl::part(r, places, Shape(places.size(), 1), what, at);
  if (r.space() == Space::kVmem) {
    dsl::fail(at, fmt::format("{} of one element of {}: VMEM holds vectors; take a slice, or keep scalars in SMEM",
                              what, describe(r.view())));
  }
  return one.view();
}

}  // namespace

DType Ref::dtype() const { return view_->dtype; }
const Shape& Ref::shape() const { return view_->shape; }
Space Ref::space() const { return view_->space; }

Value Ref::load(Site at) const { return Value(load_view(*view_, at)); }
void Ref::store(Term v) const { store_view(*view_, stored_node(v, *view_), v.at()); }
void Ref::store(const Bool& mask, Site at) const { store_view(*view_, mask.node(), at); }
void Ref::store(Term v, const Bool& where) const { store_view(*view_, stored_node(v, *view_), v.at(), &where.node()); }

Value Ref::load(IndexTerm i) const { return Value(load_view(element(*this, {i.index()}, "load", i.at()), i.at())); }
Value Ref::load(IndexTerm i, IndexTerm j) const {
  return Value(load_view(element(*this, {i.index(), j.index()}, "load", i.at()), i.at()));
}
Value Ref::load(IndexTerm i, IndexTerm j, IndexTerm k) const {
  return Value(load_view(element(*this, {i.index(), j.index(), k.index()}, "load", i.at()), i.at()));
}
void Ref::store(Term v, IndexTerm i) const {
  store_view(element(*this, {i.index()}, "store", v.at()), stored_node(v, *view_), v.at());
}
void Ref::store(Term v, IndexTerm i, IndexTerm j) const {
  store_view(element(*this, {i.index(), j.index()}, "store", v.at()), stored_node(v, *view_), v.at());
}
void Ref::store(Term v, IndexTerm i, IndexTerm j, IndexTerm k) const {
  store_view(element(*this, {i.index(), j.index(), k.index()}, "store", v.at()), stored_node(v, *view_), v.at());
}

Ref Ref::slice(const std::vector<Index>& starts, const Shape& sizes, Site at) const {
  return dsl::part(*this, starts, sizes, "slice", at);
}

Ref Ref::rows(IndexTerm start, std::int64_t count) const {
  if (view_->shape.empty()) dsl::fail(start.at(), "rows of a scalar");
  std::int64_t limit = view_->shape.front();
  if (count < 1 || count > limit) {
    dsl::fail(start.at(), fmt::format("rows(..., {}): {} rows do not fit the {} rows of {}", count, count, limit,
                                      describe(*view_)));
  }
  std::vector<Index> starts(view_->shape.size(), 0);
  starts.front() = start.index();
  Shape sizes = view_->shape;
  sizes.front() = count;
  return dsl::part(*this, starts, sizes, "rows", start.at());
}

Ref Ref::operator[](IndexTerm i) const {
  if (view_->shape.empty()) dsl::fail(i.at(), fmt::format("[] of {}, which has no dimension left", view_->name));
  std::vector<Index> starts(view_->shape.size(), 0);
  starts.front() = i.index();
  Shape sizes = view_->shape;
  sizes.front() = 1;
  View v = dsl::part(*this, starts, sizes, "[]", i.at()).view();
  for (auto& e : v.extents) {
    if (e.dropped) continue;
    e.dropped = true;
    break;
  }
  v.shape.erase(v.shape.begin());
  return Ref(std::make_shared<View>(std::move(v)));
}

namespace {

Semaphore choose(const dsl::SemaphoreView& all, const std::vector<Index>& places, const Site& at) {
  if (places.size() != all.shape.size()) {
    dsl::fail(at, fmt::format("{} places for {} of shape {}", places.size(), all.name, to_string(all.shape)));
  }
  for (std::size_t d = 0; d < places.size(); ++d) {
    auto known = places[d].node().constant;
    if (!known || (*known >= 0 && *known < all.shape[d])) continue;
    dsl::fail(at, fmt::format("place {} of {} of shape {}: axis {} goes from 0 to {}", *known, all.name,
                              to_string(all.shape), d, all.shape[d] - 1));
  }
  auto one = std::make_shared<dsl::SemaphoreView>(all);
  one->places = places;
  one->shape.clear();
  return Semaphore(std::move(one));
}

}  // namespace

const Shape& Semaphores::shape() const { return view_->shape; }
Semaphore Semaphores::operator[](IndexTerm i) const { return choose(*view_, {i.index()}, i.at()); }
Semaphore Semaphores::at(IndexTerm i, IndexTerm j) const { return choose(*view_, {i.index(), j.index()}, i.at()); }

}  // namespace millrace
