// SPDX-License-Identifier: Apache-2.0
#include "dsl/view.h"

#include <fmt/format.h>

#include "dsl/attributes.h"

namespace millrace::dsl {
namespace {

bool is_whole(const View& v) {
  for (std::size_t d = 0; d < v.extents.size(); ++d) {
    const Extent& e = v.extents[d];
    if (e.dropped || e.dynamic_size || e.size != v.type.shape[d] || e.offset.node().constant != 0) return false;
  }
  return true;
}

void check_part(const View& v, std::size_t axis, const Index& start, std::int64_t size, const char* what,
                const Site& at) {
  std::int64_t limit = v.shape[axis];
  if (size < 1 || size > limit) {
    fail(at, fmt::format("{}: {} along axis {} do not fit the {} of {}; take 1 to {}", what, size, axis, limit,
                         describe(v), limit));
  }
  auto known = start.node().constant;
  if (known && (*known < 0 || *known + size > limit)) {
    fail(at, fmt::format("{}: {} from {} along axis {} leave {}; the start is 0 to {}", what, size, *known, axis,
                         describe(v), limit - size));
  }
}

}  // namespace

std::string describe(const View& v) { return fmt::format("{}, {}", v.name, describe(v.dtype, v.shape)); }

Ref whole_ref(Tracer& t, mosaic::ValueId id, DType dtype, Space space, const std::string& name) {
  auto view = std::make_shared<View>();
  view->type = t.type(id);
  view->shape = view->type.shape;
  view->base = t.node(id, dtype, view->shape);
  view->dtype = dtype;
  view->space = space;
  view->name = name;
  for (auto n : view->shape) view->extents.push_back({0, n});
  return Ref(std::move(view));
}

View unchecked_part(const View& v, const std::vector<Index>& starts, const std::vector<Extent>& sizes) {
  View made = v;
  made.shape.clear();
  std::size_t axis = 0;
  for (Extent& e : made.extents) {
    if (e.dropped) continue;
    e.offset = e.offset + starts[axis];
    e.size = sizes[axis].size;
    e.dynamic_size = sizes[axis].dynamic_size;
    e.dropped = sizes[axis].dropped;
    if (!e.dropped) made.shape.push_back(e.size);
    ++axis;
  }
  return made;
}

Ref part(const Ref& r, const std::vector<Index>& starts, const Shape& sizes, const char* what, const Site& at) {
  const View& v = r.view();
  if (starts.size() != v.shape.size() || sizes.size() != v.shape.size()) {
    fail(at, fmt::format("{}: {} starts and {} sizes for {} of rank {}", what, starts.size(), sizes.size(), describe(v),
                         v.shape.size()));
  }
  std::vector<Extent> extents;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    check_part(v, axis, starts[axis], sizes[axis], what, at);
    extents.push_back({0, sizes[axis]});
  }
  return Ref(std::make_shared<View>(unchecked_part(v, starts, extents)));
}

mosaic::ValueId place(Tracer& t, const View& v, const Site& at) {
  mosaic::ValueId base = t.use(v.base, at);
  if (is_whole(v)) return base;
  std::vector<mosaic::ValueId> operands{base}, sizes;
  mosaic::Type sliced = v.type, squeezed = v.type;
  squeezed.shape.clear();
  for (std::size_t d = 0; d < v.extents.size(); ++d) {
    const Extent& e = v.extents[d];
    operands.push_back(t.use(e.offset.node(), at));
    if (e.dynamic_size) sizes.push_back(t.use(e.dynamic_size->node(), at));
    sliced.shape[d] = e.dynamic_size ? mosaic::kDynamic : e.size;
    if (!e.dropped) squeezed.shape.push_back(sliced.shape[d]);
  }
  auto rank = static_cast<std::int64_t>(v.extents.size());
  auto dynamic = static_cast<std::int64_t>(sizes.size());
  operands.insert(operands.end(), sizes.begin(), sizes.end());
  auto id = t.emit("tpu.memref_slice", operands, {segments({1, rank, dynamic})}, sliced, at);
  if (squeezed == sliced) return id;
  return t.emit("tpu.memref_squeeze", {id}, {}, squeezed, at);
}

mosaic::ValueId place(Tracer& t, const SemaphoreView& v, const Site& at) {
  mosaic::ValueId base = t.use(v.base, at);
  if (v.places.empty()) return base;
  std::vector<mosaic::ValueId> operands{base};
  for (const Index& i : v.places) operands.push_back(t.use(i.node(), at));
  mosaic::Type sliced = v.type, squeezed = v.type;
  sliced.shape.assign(v.places.size(), 1);
  squeezed.shape.clear();
  auto rank = static_cast<std::int64_t>(v.places.size());
  auto id = t.emit("tpu.memref_slice", operands, {segments({1, rank, 0})}, sliced, at);
  return t.emit("tpu.memref_squeeze", {id}, {}, squeezed, at);
}

mosaic::ValueId subscript(Tracer& t, const Index& i, const Site& at) {
  auto index = mosaic::Type::scalar(mosaic::Element::kIndex);
  if (auto known = i.node().constant) return t.constant(index, static_cast<std::uint64_t>(*known));
  return t.share("arith.index_cast", {t.use(i.node(), at)}, "", {}, index, at);
}

void start_copy(Tracer& t, const View& from, const View& to, const SemaphoreView& done, const Site& at) {
  std::vector<mosaic::ValueId> operands{place(t, from, at), place(t, to, at), place(t, done, at)};
  t.emit("tpu.enqueue_dma", operands,
         {segments({1, 0, 1, 1, 0, 0}), {"priority", integer(0)}, {"strict_ordering", boolean(false)}}, at);
}

void wait_copy(Tracer& t, const View& from, const View& to, const SemaphoreView& done, const Site& at) {
  auto source = place(t, from, at);
  auto target = place(t, to, at);
  t.emit("tpu.wait_dma2", {place(t, done, at), source, target},
         {segments({1, 1, 1, 0, 0}), {"strict_ordering", boolean(false)}}, at);
}

}  // namespace millrace::dsl
