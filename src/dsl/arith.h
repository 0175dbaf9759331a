// SPDX-License-Identifier: Apache-2.0
// Arithmetic on nodes. Both sides of a binary operation have one dtype, checked here; they are broadcast to one shape.
// i32 and i1 scalars known while tracing are computed at once, with the wrap-around of i32.
#pragma once

#include <string_view>
#include <utility>

#include "dsl/tracer.h"

namespace millrace::dsl {

enum class Binary { kAdd, kSub, kMul, kDiv, kRem, kAnd, kOr, kXor, kShl, kShr, kMin, kMax };
enum class Compare { kEq, kNe, kLt, kLe, kGt, kGe };

// The two sides as nodes; a number takes the dtype and the shape of the other side.
std::pair<Node, Node> sides_of(const Term& a, const Term& b, std::string_view what);
Node node_of_number(const Term& number, DType dtype, const Shape& shape, std::string_view what);
Node known(DType dtype, std::int64_t number);  // i32 or i1, a scalar

Node binary(Binary op, Node a, Node b, const Site& at);
// a % b of i32 scalars that are never negative, without a sign: of a count and a power of two the TPU's compiler makes
// one instruction, where the signed remainder takes several.
Node remainder_of_counts(const Node& a, const Node& b, const Site& at);
Node compare(Compare op, Node a, Node b, const Site& at);  // i1
Node select_node(const Node& chosen, Node a, Node b, const Site& at);
Node negate(const Node& a, const Site& at);

// An elementwise operation of floats, such as math.exp.
Node unary_float(const char* operation, const char* name, const Node& v, const Site& at);

// NumPy's rule; `what` opens the message where the shapes do not fit.
Shape broadcast_shape(const Shape& a, const Shape& b, std::string_view what, const Site& at);
Node broadcast_node(const Node& v, const Shape& shape, const Site& at);
Node reshape_node(const Node& v, const Shape& shape, const Site& at);  // equal counts, checked by the caller
Node cast_node(const Node& v, DType dtype, const Site& at);

// i32 scalars.
inline Index as_index(Node node) { return Index(std::move(node)); }

}  // namespace millrace::dsl
