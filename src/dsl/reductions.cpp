// SPDX-License-Identifier: Apache-2.0
// sum, max and min over axes, argmax and argmin, and dot.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "dsl/arith.h"
#include "dsl/attributes.h"
#include "millrace/functions.h"

namespace millrace {
namespace {

using dsl::Node;

enum class Reduce { kSum, kMax, kMin };

const char* name_of(Reduce op) { return op == Reduce::kSum ? "sum" : op == Reduce::kMax ? "max" : "min"; }

const char* kind_of(Reduce op, DType dtype) {
  if (op == Reduce::kSum) return "add";
  if (op == Reduce::kMax) return is_float(dtype) ? "maximumf" : "maxsi";
  return is_float(dtype) ? "minimumf" : "minsi";
}

double identity_of(Reduce op, DType dtype) {
  if (op == Reduce::kSum) return 0;
  double end = is_float(dtype) ? std::numeric_limits<double>::infinity()
                               : static_cast<double>(std::numeric_limits<std::int32_t>::max());
  if (op == Reduce::kMin) return end;
  return is_float(dtype) ? -end : static_cast<double>(std::numeric_limits<std::int32_t>::min());
}

void check_axes(Reduce op, const Value& v, const Axes& axes, const Site& at) {
  std::vector<int> sorted = axes.axes;
  std::sort(sorted.begin(), sorted.end());
  bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  int rank = static_cast<int>(v.shape().size());
  if (!sorted.empty() && !twice && sorted.front() >= 0 && sorted.back() < rank) return;
  dsl::fail(at, fmt::format("{} over axes ({}): the value has shape {}; name each axis once, from 0 to {}", name_of(op),
                            fmt::join(axes.axes, ", "), to_string(v.shape()), rank - 1));
}

// Reduces the axes of `v` and leaves them out. At least one axis stays.
Node reduce_away(Reduce op, const Node& v, const std::vector<std::int64_t>& axes, const Site& at) {
  dsl::Tracer& t = dsl::Tracer::current(at, name_of(op));
  Shape rest;
  for (std::size_t i = 0; i < v.shape.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) == axes.end()) rest.push_back(v.shape[i]);
  }
  auto type = dsl::type_of(v.dtype, rest);
  auto start = t.constant(type, dsl::encode(v.dtype, identity_of(op, v.dtype)));
  mosaic::AttributeList attributes{{"kind", dsl::keyword("vector", "kind", kind_of(op, v.dtype))},
                                   {"reduction_dims", dsl::integers(axes, mosaic::Element::kI64)}};
  return t.node(t.emit("vector.multi_reduction", {t.use(v, at), start}, attributes, type, at), v.dtype, rest);
}

Node reduce(Reduce op, const Value& v, const Axes& axes, const Site& at) {
  if (v.dtype() != DType::f32 && v.dtype() != DType::i32) {
    dsl::fail(at, fmt::format("{} of {}; take f32 or i32 (cast(v, {}))", name_of(op), millrace::name_of(v.dtype()),
                              is_float(v.dtype()) ? "f32" : "i32"));
  }
  check_axes(op, v, axes, at);
  Shape kept = v.shape();
  std::vector<std::int64_t> reduced(axes.axes.begin(), axes.axes.end());
  std::sort(reduced.begin(), reduced.end());
  for (auto axis : reduced) kept[static_cast<std::size_t>(axis)] = 1;
  Node from = v.node();
  if (reduced.size() == v.shape().size()) {  // the hardware's reductions leave a vector: keep a leading axis of one
    Shape padded = v.shape();
    padded.insert(padded.begin(), 1);
    from = dsl::reshape_node(from, padded, at);
    for (auto& axis : reduced) ++axis;
  }
  return dsl::reshape_node(reduce_away(op, from, reduced, at), kept, at);
}

Value reduce_all(Reduce op, const Value& v, const Site& at) {
  if (v.shape().empty()) dsl::fail(at, fmt::format("{} of a scalar; it needs a vector", name_of(op)));
  Axes axes;
  for (int i = 0; i < static_cast<int>(v.shape().size()); ++i) axes.axes.push_back(i);
  Node one = reduce(op, v, axes, at);
  Shape cube(v.shape().size() + 1, 1);
  one = dsl::reshape_node(one, cube, at);
  dsl::Tracer& t = dsl::Tracer::current(at, name_of(op));
  mosaic::AttributeList attributes{
      {"static_position", dsl::integers(std::vector<std::int64_t>(cube.size(), 0), mosaic::Element::kI64)}};
  auto id = t.emit("vector.extract", {t.use(one, at)}, attributes, dsl::type_of(v.dtype(), {}), at);
  return Value(t.node(id, v.dtype(), {}));
}

Value index_of(const char* name, const char* kind, const Value& v, int axis, const Site& at) {
  int rank = static_cast<int>(v.shape().size());
  if (v.dtype() != DType::f32) {
    dsl::fail(at, fmt::format("{} of {}; take f32 (cast(v, f32))", name, millrace::name_of(v.dtype())));
  }
  if (rank < 2 || axis < 0 || axis >= rank) {
    dsl::fail(at, fmt::format("{} along axis {} of shape {}: the rank is at least 2 and the axis below it", name, axis,
                              to_string(v.shape())));
  }
  dsl::Tracer& t = dsl::Tracer::current(at, name);
  Shape rest = v.shape(), kept = v.shape();
  rest.erase(rest.begin() + axis);
  kept[static_cast<std::size_t>(axis)] = 1;
  mosaic::AttributeList attributes{{"axis", dsl::integer(axis)}, {"kind", dsl::keyword("tpu", "reduction_kind", kind)}};
  auto id = t.emit("tpu.reduce_index", {t.use(v.node(), at)}, attributes, dsl::type_of(DType::i32, rest), at);
  return Value(dsl::reshape_node(t.node(id, DType::i32, rest), kept, at));
}

mosaic::Attribute dimension_numbers(bool batched) {
  if (batched) {
    return {
        mosaic::DialectAttr{"tpu", "dot_dimension_numbers", {}, {{2}, {1}, {1}, {2}, {0, 0, 0, 1, 1, 2}, {0}, {0}}}};
  }
  return {mosaic::DialectAttr{"tpu", "dot_dimension_numbers", {}, {{1}, {0}, {0}, {1}, {0, 0, 1, 1}, {}, {}}}};
}

// The shape of the product; Error(kUser) where the sides do not fit.
Shape product_shape(const Value& a, const Value& b, const Site& at) {
  const Shape &x = a.shape(), &y = b.shape();
  bool matrices = x.size() == 2 && y.size() == 2 && x[1] == y[0];
  bool batches = x.size() == 3 && y.size() == 3 && x[2] == y[1] && x[0] == y[0];
  if (!matrices && !batches) {
    dsl::fail(at, fmt::format("dot of {} and {}: it takes (m, k) and (k, n), or (b, m, k) and (b, k, n)", to_string(x),
                              to_string(y)));
  }
  bool signed_ints = dsl::is_integer(a.dtype()) && !dsl::is_unsigned(a.dtype());
  if (a.dtype() != b.dtype() || (!is_float(a.dtype()) && !signed_ints)) {
    dsl::fail(at, fmt::format("dot of {} and {}; take two floats or two signed integers of one dtype",
                              millrace::name_of(a.dtype()), millrace::name_of(b.dtype())));
  }
  return matrices ? Shape{x[0], y[1]} : Shape{x[0], x[1], y[2]};
}

}  // namespace

Value sum(const Value& v, const Axes& axes, Site at) { return Value(reduce(Reduce::kSum, v, axes, at)); }
Value max(const Value& v, const Axes& axes, Site at) { return Value(reduce(Reduce::kMax, v, axes, at)); }
Value min(const Value& v, const Axes& axes, Site at) { return Value(reduce(Reduce::kMin, v, axes, at)); }
Value sum(const Value& v, Site at) { return reduce_all(Reduce::kSum, v, at); }
Value max(const Value& v, Site at) { return reduce_all(Reduce::kMax, v, at); }
Value min(const Value& v, Site at) { return reduce_all(Reduce::kMin, v, at); }

Value argmax(const Value& v, int axis, Site at) { return index_of("argmax", "arg_max", v, axis, at); }
Value argmin(const Value& v, int axis, Site at) { return index_of("argmin", "arg_min", v, axis, at); }

Value dot(const Value& a, const Value& b, Precision precision, Site at) {
  Shape shape = product_shape(a, b, at);
  dsl::Tracer& t = dsl::Tracer::current(at, "dot");
  DType dtype = is_float(a.dtype()) ? DType::f32 : DType::i32;
  auto type = dsl::type_of(dtype, shape);
  mosaic::AttributeList attributes{{"dimension_numbers", dimension_numbers(shape.size() == 3)}};
  if (precision == Precision::kHighest) {
    attributes.emplace_back("precision", dsl::keyword("tpu", "contract_precision", "fp32"));
  }
  attributes.emplace_back("transpose_lhs", dsl::boolean(false));
  attributes.emplace_back("transpose_rhs", dsl::boolean(false));
  auto id = t.emit("tpu.matmul", {t.use(a.node(), at), t.use(b.node(), at), t.constant(type, 0)}, attributes, type, at);
  return Value(t.node(id, dtype, shape));
}

}  // namespace millrace
