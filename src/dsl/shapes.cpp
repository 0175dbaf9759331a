// SPDX-License-Identifier: Apache-2.0
// Broadcasting and conversion of nodes.
#include <algorithm>

#include <fmt/format.h>

#include "dsl/arith.h"

namespace millrace::dsl {

Shape broadcast_shape(const Shape& a, const Shape& b, std::string_view what, const Site& at) {
  Shape result(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {  // i counts from the last axis
    std::int64_t m = i < a.size() ? a[a.size() - 1 - i] : 1;
    std::int64_t n = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (m != n && m != 1 && n != 1) {
      fail(at, fmt::format("{}: the shapes {} and {} do not broadcast: axis {} has {} and {}", what, to_string(a),
                           to_string(b), result.size() - 1 - i, m, n));
    }
    result[result.size() - 1 - i] = m == 1 ? n : m;
  }
  return result;
}

Node reshape_node(const Node& v, const Shape& shape, const Site& at) {
  if (v.shape == shape) return v;
  Tracer& t = Tracer::current(at, "reshape");
  return t.node(t.emit("vector.shape_cast", {t.use(v, at)}, {}, type_of(v.dtype, shape), at), v.dtype, shape);
}

Node broadcast_node(const Node& v, const Shape& shape, const Site& at) {
  if (v.shape == shape) return v;
  Tracer& t = Tracer::current(at, "broadcast");
  if (v.constant) {
    auto id = t.constant(type_of(v.dtype, shape), encode(v.dtype, static_cast<double>(*v.constant)));
    return t.node(id, v.dtype, shape);
  }
  Node full = v;
  if (!v.shape.empty() && v.shape.size() < shape.size()) {
    Shape padded(shape.size() - v.shape.size(), 1);
    padded.insert(padded.end(), v.shape.begin(), v.shape.end());
    full = reshape_node(v, padded, at);
    if (padded == shape) return full;
  }
  return t.node(t.emit("vector.broadcast", {t.use(full, at)}, {}, type_of(v.dtype, shape), at), v.dtype, shape);
}

namespace {

Node convert(const char* operation, const Node& v, DType dtype, const Site& at) {
  Tracer& t = Tracer::current(at, "cast");
  auto id = t.emit(operation, {t.use(v, at)}, {}, type_of(dtype, v.shape), at);
  return t.node(id, dtype, v.shape);
}

// The same bits under another name: i32 and u32 are one element type.
Node renamed(Node v, DType dtype) {
  v.dtype = dtype;
  return v;
}

Node float_to_float(const Node& v, DType dtype, const Site& at) {
  if (v.dtype == DType::f32) return convert("arith.truncf", v, dtype, at);
  Node wide = convert("arith.extf", v, DType::f32, at);
  return dtype == DType::f32 ? wide : convert("arith.truncf", wide, dtype, at);
}

Node number_to_condition(const Node& v, const Site& at) {
  return compare(Compare::kNe, v, node_of_number(Term(0, at), v.dtype, v.shape, "cast"), at);
}

Node integer_to_integer(const Node& v, DType dtype, const Site& at) {
  if (v.dtype == DType::i32 && v.constant) {  // a known number leaves the tracing-time arithmetic here
    Tracer& t = Tracer::current(at, "cast");
    auto id = t.constant(type_of(dtype, {}), encode(dtype, static_cast<double>(*v.constant)));
    return t.node(id, dtype, {});
  }
  if (bits_of(v.dtype) == bits_of(dtype)) return renamed(v, dtype);
  if (bits_of(v.dtype) > bits_of(dtype)) return convert("arith.trunci", v, dtype, at);
  return convert(is_unsigned(v.dtype) || v.dtype == DType::i1 ? "arith.extui" : "arith.extsi", v, dtype, at);
}

}  // namespace

Node cast_node(const Node& v, DType dtype, const Site& at) {
  if (v.dtype == dtype) return v;
  if (dtype == DType::i1) return number_to_condition(v, at);
  if (is_float(v.dtype) && is_float(dtype)) return float_to_float(v, dtype, at);
  if (is_float(v.dtype)) {
    Node wide = v.dtype == DType::f32 ? v : float_to_float(v, DType::f32, at);
    return convert(is_unsigned(dtype) ? "arith.fptoui" : "arith.fptosi", wide, dtype, at);
  }
  if (!is_float(dtype)) return integer_to_integer(v, dtype, at);
  Node whole = v.dtype == DType::i1 ? integer_to_integer(v, DType::i32, at) : v;
  Node wide = convert(is_unsigned(whole.dtype) ? "arith.uitofp" : "arith.sitofp", whole, DType::f32, at);
  return dtype == DType::f32 ? wide : float_to_float(wide, dtype, at);
}

}  // namespace millrace::dsl
