// SPDX-License-Identifier: Apache-2.0
// How each element type is stored in a tile and what arithmetic sees: a Float loads as f32 and rounds when stored, an
// Integer loads as signed or unsigned and keeps its low bits when stored.
#pragma once

#include <cstdint>
#include <type_traits>

#include "machine/tile/half.h"
#include "machine/tile/quarter.h"
#include "mosaic/ir.h"

namespace millrace::tile {

// The one NaN that arithmetic gives. Which operand's NaN a processor hands on depends on the compiler's operand order.
MILLRACE_TILE_INLINE float canonical(float value) { return value == value ? value : float_of_bits(0x7fc00000u); }

struct F32 {
  using Stored = float;
  MILLRACE_TILE_INLINE static float load(Stored s) { return s; }
  MILLRACE_TILE_INLINE static Stored store(float v) { return v; }
};

struct BF16 {
  using Stored = std::uint16_t;
  MILLRACE_TILE_INLINE static float load(Stored s) { return bf16_to_float(s); }
  MILLRACE_TILE_INLINE static Stored store(float v) { return float_to_bf16(v); }
};

struct F16 {
  using Stored = std::uint16_t;
  MILLRACE_TILE_INLINE static float load(Stored s) { return f16_to_float(s); }
  MILLRACE_TILE_INLINE static Stored store(float v) { return float_to_f16(v); }
};

template <class Format>
struct F8 {
  using Stored = std::uint8_t;
  MILLRACE_TILE_INLINE static float load(Stored s) { return quarter_to_float<Format>(s); }
  MILLRACE_TILE_INLINE static Stored store(float v) { return float_to_quarter<Format>(v); }
};

// Integers of `bits` bits. i1 is stored as 0 or 1, i4 sign-extended in a byte. Wide is where arithmetic may wrap
// without being promoted to a signed int.
template <class S, int bits>
struct Integer {
  using Stored = S;
  using Signed = S;
  using Unsigned = std::make_unsigned_t<S>;
  using Wide = std::conditional_t<(bits > 32), std::uint64_t, std::uint32_t>;
  static constexpr int kBits = bits;
  static constexpr Unsigned kMask =
      static_cast<Unsigned>(static_cast<Unsigned>(~Unsigned{0}) >> (8 * sizeof(S) - bits));
  static constexpr Signed kMax = static_cast<Signed>(kMask >> 1);
  static constexpr Signed kMin = static_cast<Signed>(-kMax - 1);

  MILLRACE_TILE_INLINE static Signed as_signed(Stored s) {
    constexpr int kSpare = 8 * sizeof(S) - bits;
    if constexpr (kSpare == 0) return s;
    return static_cast<Signed>(static_cast<Signed>(static_cast<Unsigned>(s) << kSpare) >> kSpare);
  }
  MILLRACE_TILE_INLINE static Unsigned as_unsigned(Stored s) { return static_cast<Unsigned>(s) & kMask; }
  template <class V>
  MILLRACE_TILE_INLINE static Stored store(V value) {
    if constexpr (bits == 1) return static_cast<Stored>(static_cast<Unsigned>(value) & 1u);
    return as_signed(static_cast<Stored>(static_cast<Unsigned>(value)));
  }
};

using I1 = Integer<std::int8_t, 1>;
using I4 = Integer<std::int8_t, 4>;
using I8 = Integer<std::int8_t, 8>;
using I16 = Integer<std::int16_t, 16>;
using I32 = Integer<std::int32_t, 32>;
using I64 = Integer<std::int64_t, 64>;  // index too

// Calls `f` with a value of the type that stands for `element`; a default (null) result where there is none.
template <class Result, class F>
Result with_float(mosaic::Element element, F f) {
  switch (element) {
    case mosaic::Element::kF32: return f(F32{});
    case mosaic::Element::kBF16: return f(BF16{});
    case mosaic::Element::kF16: return f(F16{});
    default: return Result{};
  }
}

// The 8-bit floats as well, which are converted and multiplied as matrices, but not calculated with element by element.
template <class Result, class F>
Result with_any_float(mosaic::Element element, F f) {
  switch (element) {
    case mosaic::Element::kF8E5M2: return f(F8<E5M2Format>{});
    case mosaic::Element::kF8E4M3FN: return f(F8<E4M3FNFormat>{});
    case mosaic::Element::kF8E4M3B11FNUZ: return f(F8<E4M3B11FNUZFormat>{});
    default: return with_float<Result>(element, f);
  }
}

template <class Result, class F>
Result with_integer(mosaic::Element element, F f) {
  switch (element) {
    case mosaic::Element::kI1: return f(I1{});
    case mosaic::Element::kI4: return f(I4{});
    case mosaic::Element::kI8: return f(I8{});
    case mosaic::Element::kI16: return f(I16{});
    case mosaic::Element::kI32: return f(I32{});
    case mosaic::Element::kI64:
    case mosaic::Element::kIndex: return f(I64{});
    default: return Result{};
  }
}

}  // namespace millrace::tile
