// SPDX-License-Identifier: Apache-2.0
// The loops that every elementwise operation runs in. An operation is a struct with a static function: `of(float...)`
// for floats, `of<T>(stored...)` for integers of type T (element.h).
#pragma once

#include <cstddef>
#include <string_view>

#include "machine/tile/element.h"
#include "machine/tile/tile.h"

namespace millrace::tile {

// The second operand of a binary loop: a tile, or one element taken for all.
enum class Second { kTile, kScalar };

// A row of a table of operations: the MLIR name and how to find its loop. Tables are constant and short, and looked up
// while a program is lowered, never while it runs.
struct UnaryEntry {
  std::string_view op;
  Unary (*find)(Element element);
};
struct BinaryEntry {
  std::string_view op;
  Binary (*find)(Element element, Second second);
};

namespace {  // clones must be local to their file

template <class Op, class T>
MILLRACE_TILE_CLONES void float_unary(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  auto* to = static_cast<typename T::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = T::store(canonical(Op::of(T::load(x[i]))));
}

template <class Op, class T>
MILLRACE_TILE_CLONES void float_binary(const void* a, const void* b, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  const auto* y = static_cast<const typename T::Stored*>(b);
  auto* to = static_cast<typename T::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = T::store(canonical(Op::of(T::load(x[i]), T::load(y[i]))));
}

template <class Op, class T>
MILLRACE_TILE_CLONES void float_binary_scalar(const void* a, const void* b, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  const float y = T::load(*static_cast<const typename T::Stored*>(b));
  auto* to = static_cast<typename T::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = T::store(canonical(Op::of(T::load(x[i]), y)));
}

template <class Op, class T>
MILLRACE_TILE_CLONES void integer_unary(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  auto* to = static_cast<typename T::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = T::store(Op::template of<T>(x[i]));
}

template <class Op, class T>
MILLRACE_TILE_CLONES void integer_binary(const void* a, const void* b, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  const auto* y = static_cast<const typename T::Stored*>(b);
  auto* to = static_cast<typename T::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = T::store(Op::template of<T>(x[i], y[i]));
}

template <class Op, class T>
MILLRACE_TILE_CLONES void integer_binary_scalar(const void* a, const void* b, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  const auto y = *static_cast<const typename T::Stored*>(b);
  auto* to = static_cast<typename T::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = T::store(Op::template of<T>(x[i], y));
}

template <class Op>
Unary find_float_unary(Element element) {
  return with_float<Unary>(element, []<class T>(T) -> Unary { return &float_unary<Op, T>; });
}

template <class Op>
Binary find_float_binary(Element element, Second second) {
  return with_float<Binary>(element, [second]<class T>(T) -> Binary {
    return second == Second::kTile ? &float_binary<Op, T> : &float_binary_scalar<Op, T>;
  });
}

template <class Op>
Unary find_integer_unary(Element element) {
  return with_integer<Unary>(element, []<class T>(T) -> Unary { return &integer_unary<Op, T>; });
}

template <class Op>
Binary find_integer_binary(Element element, Second second) {
  return with_integer<Binary>(element, [second]<class T>(T) -> Binary {
    return second == Second::kTile ? &integer_binary<Op, T> : &integer_binary_scalar<Op, T>;
  });
}

}  // namespace

}  // namespace millrace::tile
