// SPDX-License-Identifier: Apache-2.0
// Functions on values: elementwise, choice, conversion, reductions, products and changes of shape.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "millrace/value.h"

namespace millrace {

// Elementwise, of floats; Error(kUser) for integers.
MILLRACE_API Value exp(const Value& v, Site at = Site::current());
MILLRACE_API Value log(const Value& v, Site at = Site::current());
MILLRACE_API Value log1p(const Value& v, Site at = Site::current());
MILLRACE_API Value sqrt(const Value& v, Site at = Site::current());
MILLRACE_API Value rsqrt(const Value& v, Site at = Site::current());  // 1 / sqrt(v)
MILLRACE_API Value tanh(const Value& v, Site at = Site::current());
MILLRACE_API Value sin(const Value& v, Site at = Site::current());
MILLRACE_API Value cos(const Value& v, Site at = Site::current());
MILLRACE_API Value floor(const Value& v, Site at = Site::current());
MILLRACE_API Value ceil(const Value& v, Site at = Site::current());
MILLRACE_API Value round(const Value& v, Site at = Site::current());     // halves to even
MILLRACE_API Value logistic(const Value& v, Site at = Site::current());  // 1 / (1 + exp(-v))
MILLRACE_API Value pow(const Value& base, const Value& exponent, Site at = Site::current());

// Elementwise, of any number.
MILLRACE_API Value abs(const Value& v, Site at = Site::current());
MILLRACE_API Value min(Term a, Term b);  // NaN where a side is NaN
MILLRACE_API Value max(Term a, Term b);
MILLRACE_API Index min(const Index& a, const Index& b, Site at = Site::current());
MILLRACE_API Index max(const Index& a, const Index& b, Site at = Site::current());

// chosen ? a : b, element by element.
MILLRACE_API Value select(const Bool& chosen, Term a, Term b);

// Float to float rounds to nearest even; float to integer truncates; integer to a narrower one drops high bits;
// i1 from a number is `v != 0`.
MILLRACE_API Value cast(const Value& v, DType dtype, Site at = Site::current());

// The axes of a reduction, counted from 0.
struct Axes {
  std::vector<int> axes;
};
inline Axes over(std::initializer_list<int> axes) { return {axes}; }
template <std::same_as<int>... I>
Axes over(I... axes) {
  return {{axes...}};
}

// Reductions of f32 and i32. With over(...) the axes stay, as 1; without, all elements give one scalar.
MILLRACE_API Value sum(const Value& v, const Axes& axes, Site at = Site::current());
MILLRACE_API Value max(const Value& v, const Axes& axes, Site at = Site::current());
MILLRACE_API Value min(const Value& v, const Axes& axes, Site at = Site::current());
MILLRACE_API Value sum(const Value& v, Site at = Site::current());
MILLRACE_API Value max(const Value& v, Site at = Site::current());
MILLRACE_API Value min(const Value& v, Site at = Site::current());

// Where along an axis the largest (smallest) element of f32 lies: i32, and the axis stays, as 1. The first of equal
// ones; a NaN wins.
MILLRACE_API Value argmax(const Value& v, int axis, Site at = Site::current());
MILLRACE_API Value argmin(const Value& v, int axis, Site at = Site::current());

// How a product of f32 matrices is computed: kDefault rounds both to bf16, as the hardware's matrix unit does;
// kHighest keeps f32.
enum class Precision { kDefault, kHighest };
// (m, k) x (k, n) -> (m, n), or batches (b, m, k) x (b, k, n); floats give f32, integers give i32.
MILLRACE_API Value dot(const Value& a, const Value& b, Precision precision = Precision::kDefault,
                       Site at = Site::current());

MILLRACE_API Value full(DType dtype, const Shape& shape, double number, Site at = Site::current());
MILLRACE_API Value zeros(DType dtype, const Shape& shape, Site at = Site::current());
MILLRACE_API Value zeros_like(const Value& v, Site at = Site::current());
// Element [i0, i1, ...] is i_axis; rank at least 2.
MILLRACE_API Value iota(DType dtype, const Shape& shape, int axis, Site at = Site::current());
MILLRACE_API Value broadcast(Term v, const Shape& shape);
MILLRACE_API Value reshape(const Value& v, const Shape& shape, Site at = Site::current());  // the same elements
MILLRACE_API Value transpose(const Value& v, Site at = Site::current());  // the last two axes change places
MILLRACE_API Value transpose(const Value& v, const std::vector<int>& permutation, Site at = Site::current());
// The elements [starts, starts + sizes) of a vector: places known while tracing. Cut refs, not values, at others.
MILLRACE_API Value slice(const Value& v, const Shape& starts, const Shape& sizes, Site at = Site::current());
MILLRACE_API Value concatenate(const std::vector<Value>& parts, int axis, Site at = Site::current());

}  // namespace millrace
