// SPDX-License-Identifier: Apache-2.0
// The kinds of fold that a reduction knows: the type of the elements (element.h), what is carried, from where it
// starts, and one step.
#pragma once

#include <cstdint>
#include <limits>

#include "machine/tile/element.h"

namespace millrace::tile::fold {

template <class T>
struct FloatSum {
  using Type = T;
  using Carried = double;
  static constexpr Carried kStart = -0.0;  // adding -0 changes nothing, not even -0
  MILLRACE_TILE_INLINE static Carried load(typename T::Stored s) { return T::load(s); }
  MILLRACE_TILE_INLINE static Carried step(Carried a, Carried b) { return a + b; }
  MILLRACE_TILE_INLINE static typename T::Stored store(Carried v) { return T::store(canonical(static_cast<float>(v))); }
};

template <class T>
struct FloatProduct : FloatSum<T> {
  static constexpr double kStart = 1.0;
  MILLRACE_TILE_INLINE static double step(double a, double b) { return a * b; }
};

// Floats as integers in the same order, -0 below +0. A NaN becomes `nan`, which the kind places where it wins.
MILLRACE_TILE_INLINE std::int32_t ordered(float value, std::uint32_t nan) {
  const std::uint32_t bits = value == value ? bits_of_float(value) : nan;
  return static_cast<std::int32_t>(bits ^ ((0u - (bits >> 31)) >> 1));
}
MILLRACE_TILE_INLINE float from_ordered(std::int32_t key) {
  const auto bits = static_cast<std::uint32_t>(key);
  return float_of_bits(bits ^ ((0u - (bits >> 31)) >> 1));
}

template <class T>
struct FloatMaximum {
  using Type = T;
  using Carried = std::int32_t;
  static constexpr Carried kStart = std::numeric_limits<Carried>::min();
  MILLRACE_TILE_INLINE static Carried load(typename T::Stored s) { return ordered(T::load(s), 0x7fc00000u); }
  MILLRACE_TILE_INLINE static Carried step(Carried a, Carried b) { return a > b ? a : b; }
  MILLRACE_TILE_INLINE static typename T::Stored store(Carried v) { return T::store(canonical(from_ordered(v))); }
};

template <class T>
struct FloatMinimum : FloatMaximum<T> {
  static constexpr std::int32_t kStart = std::numeric_limits<std::int32_t>::max();
  MILLRACE_TILE_INLINE static std::int32_t load(typename T::Stored s) { return ordered(T::load(s), 0xffc00000u); }
  MILLRACE_TILE_INLINE static std::int32_t step(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
};

// Integers are carried in 32 bits, sign- or zero-extended as the kind needs; the low bits are stored.
template <class T>
struct Unsigned {
  using Type = T;
  using Carried = std::uint32_t;
  static constexpr Carried kStart = 0;
  MILLRACE_TILE_INLINE static Carried load(typename T::Stored s) { return T::as_unsigned(s); }
  MILLRACE_TILE_INLINE static typename T::Stored store(Carried v) { return T::store(v); }
};

template <class T>
struct Signed {
  using Type = T;
  using Carried = std::int32_t;
  MILLRACE_TILE_INLINE static Carried load(typename T::Stored s) { return T::as_signed(s); }
  MILLRACE_TILE_INLINE static typename T::Stored store(Carried v) { return T::store(v); }
};

template <class T>
struct IntegerSum : Unsigned<T> {
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a + b; }
};

template <class T>
struct IntegerProduct : Unsigned<T> {
  static constexpr std::uint32_t kStart = 1;
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a * b; }
};

template <class T>
struct IntegerAnd : Unsigned<T> {
  static constexpr std::uint32_t kStart = ~std::uint32_t{0};
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a & b; }
};

template <class T>
struct IntegerOr : Unsigned<T> {
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a | b; }
};

template <class T>
struct IntegerXor : Unsigned<T> {
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a ^ b; }
};

template <class T>
struct MaximumUnsigned : Unsigned<T> {
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }
};

template <class T>
struct MinimumUnsigned : Unsigned<T> {
  static constexpr std::uint32_t kStart = ~std::uint32_t{0};
  MILLRACE_TILE_INLINE static std::uint32_t step(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
};

template <class T>
struct MaximumSigned : Signed<T> {
  static constexpr std::int32_t kStart = std::numeric_limits<std::int32_t>::min();
  MILLRACE_TILE_INLINE static std::int32_t step(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
};

template <class T>
struct MinimumSigned : Signed<T> {
  static constexpr std::int32_t kStart = std::numeric_limits<std::int32_t>::max();
  MILLRACE_TILE_INLINE static std::int32_t step(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
};

}  // namespace millrace::tile::fold
