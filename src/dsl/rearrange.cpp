// SPDX-License-Identifier: Apache-2.0
// Constants, and changes of shape and order.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "dsl/arith.h"
#include "dsl/attributes.h"
#include "millrace/functions.h"

namespace millrace {
namespace {

void check_shape(const Shape& shape, const char* what, const Site& at) {
  bool positive = std::all_of(shape.begin(), shape.end(), [](std::int64_t n) { return n > 0; });
  if (!positive) dsl::fail(at, fmt::format("{}: shape {}; every dimension is at least 1", what, to_string(shape)));
}

void check_concatenate(const std::vector<Value>& parts, int axis, const Site& at) {
  if (parts.empty()) dsl::fail(at, "concatenate of nothing");
  const Value& first = parts.front();
  int rank = static_cast<int>(first.shape().size());
  if (axis < 0 || axis >= rank) {
    dsl::fail(at, fmt::format("concatenate along axis {}: the parts have shape {}", axis, to_string(first.shape())));
  }
  for (const Value& part : parts) {
    Shape expected = first.shape();
    if (static_cast<int>(part.shape().size()) == rank) {
      expected[static_cast<std::size_t>(axis)] = part.shape()[static_cast<std::size_t>(axis)];
    }
    if (part.dtype() == first.dtype() && part.shape() == expected) continue;
    dsl::fail(at, fmt::format("concatenate along axis {}: {} does not fit {}", axis,
                              dsl::describe(part.dtype(), part.shape()), dsl::describe(first.dtype(), first.shape())));
  }
}

}  // namespace

Value full(DType dtype, const Shape& shape, double number, Site at) {
  check_shape(shape, "full", at);
  bool whole = number == static_cast<double>(static_cast<std::int64_t>(number));
  Term term = !is_float(dtype) && whole ? Term(static_cast<std::int64_t>(number), at) : Term(number, at);
  return Value(dsl::node_of_number(term, dtype, shape, "full"));
}

Value zeros(DType dtype, const Shape& shape, Site at) { return full(dtype, shape, 0, at); }
Value zeros_like(const Value& v, Site at) { return full(v.dtype(), v.shape(), 0, at); }
Value zeros_like(const Ref& r, Site at) { return full(r.dtype(), r.shape(), 0, at); }

Value iota(DType dtype, const Shape& shape, int axis, Site at) {
  check_shape(shape, "iota", at);
  if (shape.size() < 2 || axis < 0 || axis >= static_cast<int>(shape.size())) {
    dsl::fail(at, fmt::format("iota of shape {} along axis {}: the rank is at least 2 and the axis below it",
                              to_string(shape), axis));
  }
  dsl::Tracer& t = dsl::Tracer::current(at, "iota");
  mosaic::AttributeList attributes{{"dimensions", dsl::integers({axis}, mosaic::Element::kI32)}};
  auto id = t.emit("tpu.iota", {}, attributes, dsl::type_of(DType::i32, shape), at);
  return Value(dsl::cast_node(t.node(id, DType::i32, shape), dtype, at));
}

Value broadcast(Term v, const Shape& shape) {
  if (v.is_number()) dsl::fail(v.at(), "broadcast of a C++ number; full(dtype, shape, number) also says the dtype");
  const dsl::Node& node = v.node();
  if (dsl::broadcast_shape(node.shape, shape, "broadcast", v.at()) != shape) {
    dsl::fail(v.at(), fmt::format("broadcast: {} does not become {}", to_string(node.shape), to_string(shape)));
  }
  return Value(dsl::broadcast_node(node, shape, v.at()));
}

Value reshape(const Value& v, const Shape& shape, Site at) {
  check_shape(shape, "reshape", at);
  if (v.shape().empty() || shape.empty() || element_count(shape) != element_count(v.shape())) {
    dsl::fail(at, fmt::format("reshape of {} to {}: the counts of elements differ, or a side is a scalar",
                              to_string(v.shape()), to_string(shape)));
  }
  return Value(dsl::reshape_node(v.node(), shape, at));
}

Value transpose(const Value& v, Site at) {
  std::vector<int> permutation(v.shape().size());
  std::iota(permutation.begin(), permutation.end(), 0);
  if (permutation.size() < 2)
    dsl::fail(at, fmt::format("transpose of {}; the rank is at least 2", to_string(v.shape())));
  std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  return transpose(v, permutation, at);
}

Value transpose(const Value& v, const std::vector<int>& permutation, Site at) {
  std::vector<int> sorted = permutation, axes(v.shape().size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(axes.begin(), axes.end(), 0);
  if (sorted != axes || axes.size() < 2) {
    dsl::fail(at, fmt::format("transpose of {} by ({}): name each axis once, from 0 to {}", to_string(v.shape()),
                              fmt::join(permutation, ", "), static_cast<int>(axes.size()) - 1));
  }
  Shape shape;
  for (int axis : permutation) shape.push_back(v.shape()[static_cast<std::size_t>(axis)]);
  dsl::Tracer& t = dsl::Tracer::current(at, "transpose");
  std::vector<std::int64_t> wide(permutation.begin(), permutation.end());
  mosaic::AttributeList attributes{{"permutation", dsl::integers(wide, mosaic::Element::kI64)}};
  auto id = t.emit("tpu.transpose", {t.use(v.node(), at)}, attributes, dsl::type_of(v.dtype(), shape), at);
  return Value(t.node(id, v.dtype(), shape));
}

Value slice(const Value& v, const Shape& starts, const Shape& sizes, Site at) {
  std::size_t rank = v.shape().size();
  if (rank == 0 || starts.size() != rank || sizes.size() != rank) {
    dsl::fail(at, fmt::format("slice: {} starts and {} sizes for a value of shape {}", starts.size(), sizes.size(),
                              to_string(v.shape())));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t limit = v.shape()[d];
    if (starts[d] >= 0 && sizes[d] >= 1 && sizes[d] <= limit && starts[d] <= limit - sizes[d]) continue;
    dsl::fail(at, fmt::format("slice: {} from {} along axis {} of shape {}; it lies within 0 to {}", sizes[d],
                              starts[d], d, to_string(v.shape()), limit));
  }
  if (sizes == v.shape()) return v;
  auto list = [](const Shape& numbers) {
    mosaic::ArrayAttr all;
    for (auto n : numbers) all.values.push_back(dsl::integer(n, mosaic::Element::kI64));
    return mosaic::Attribute{std::move(all)};
  };
  dsl::Tracer& t = dsl::Tracer::current(at, "slice");
  mosaic::AttributeList attributes{
      {"offsets", list(starts)}, {"sizes", list(sizes)}, {"strides", list(Shape(rank, 1))}};
  auto id =
      t.emit("vector.extract_strided_slice", {t.use(v.node(), at)}, attributes, dsl::type_of(v.dtype(), sizes), at);
  return Value(t.node(id, v.dtype(), sizes));
}

Value concatenate(const std::vector<Value>& parts, int axis, Site at) {
  check_concatenate(parts, axis, at);
  if (parts.size() == 1) return parts.front();
  dsl::Tracer& t = dsl::Tracer::current(at, "concatenate");
  Shape shape = parts.front().shape();
  shape[static_cast<std::size_t>(axis)] = 0;
  std::vector<mosaic::ValueId> ids;
  for (const Value& part : parts) {
    shape[static_cast<std::size_t>(axis)] += part.shape()[static_cast<std::size_t>(axis)];
    ids.push_back(t.use(part.node(), at));
  }
  mosaic::AttributeList attributes{{"dimension", dsl::integer(axis)}};
  auto id = t.emit("tpu.concatenate", ids, attributes, dsl::type_of(parts.front().dtype(), shape), at);
  return Value(t.node(id, parts.front().dtype(), shape));
}

}  // namespace millrace
