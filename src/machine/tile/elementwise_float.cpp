// SPDX-License-Identifier: Apache-2.0
// Float operations that IEEE 754 defines to the bit: arithmetic, maximum and minimum, rounding to whole numbers.
#include <cmath>

#include "machine/tile/tables.h"

namespace millrace::tile {
namespace {

MILLRACE_TILE_INLINE float with_sign_of(float magnitude, float sign) {
  return float_of_bits((bits_of_float(magnitude) & 0x7fffffffu) | (bits_of_float(sign) & 0x80000000u));
}
MILLRACE_TILE_INLINE float magnitude_of(float x) { return float_of_bits(bits_of_float(x) & 0x7fffffffu); }

struct Add {
  MILLRACE_TILE_INLINE static float of(float a, float b) { return a + b; }
};
struct Subtract {
  MILLRACE_TILE_INLINE static float of(float a, float b) { return a - b; }
};
struct Multiply {
  MILLRACE_TILE_INLINE static float of(float a, float b) { return a * b; }
};
struct Divide {
  MILLRACE_TILE_INLINE static float of(float a, float b) { return a / b; }
};
struct Remainder {  // exact, so every right fmod gives the same bits
  MILLRACE_TILE_INLINE static float of(float a, float b) { return std::fmod(a, b); }
};

// A comparison cannot tell -0 from +0: of equals, "and" of the bits is the larger zero and "or" the smaller.
MILLRACE_TILE_INLINE float maximum(float a, float b) {
  const float equal = float_of_bits(bits_of_float(a) & bits_of_float(b));
  const float larger = a > b ? a : (a == b ? equal : b);
  return a == a ? larger : a;
}

MILLRACE_TILE_INLINE float minimum(float a, float b) {
  const float equal = float_of_bits(bits_of_float(a) | bits_of_float(b));
  const float smaller = a < b ? a : (a == b ? equal : b);
  return a == a ? smaller : a;
}

struct Maximum {
  MILLRACE_TILE_INLINE static float of(float a, float b) { return maximum(a, b); }
};
struct Minimum {
  MILLRACE_TILE_INLINE static float of(float a, float b) { return minimum(a, b); }
};
// maxnumf and minnumf prefer the number where the other is NaN.
struct MaximumNumber {
  MILLRACE_TILE_INLINE static float of(float a, float b) {
    const float both = maximum(a, b);
    return a == a ? (b == b ? both : a) : b;
  }
};
struct MinimumNumber {
  MILLRACE_TILE_INLINE static float of(float a, float b) {
    const float both = minimum(a, b);
    return a == a ? (b == b ? both : a) : b;
  }
};

// From 2^23 on every float is whole; below, adding and taking away 2^23 rounds to nearest even.
MILLRACE_TILE_INLINE float nearest_even(float magnitude) {
  const float rounded = (magnitude + 0x1p23f) - 0x1p23f;
  return magnitude < 0x1p23f ? rounded : magnitude;
}
struct RoundEven {
  MILLRACE_TILE_INLINE static float of(float x) { return with_sign_of(nearest_even(magnitude_of(x)), x); }
};
struct RoundAway {  // halves away from zero
  MILLRACE_TILE_INLINE static float of(float x) {
    const float m = magnitude_of(x);
    const float r = nearest_even(m);
    return with_sign_of(m - r == 0.5f ? r + 1.0f : r, x);
  }
};
struct Floor {
  MILLRACE_TILE_INLINE static float of(float x) {
    const float r = RoundEven::of(x);
    return with_sign_of(r > x ? r - 1.0f : r, x);
  }
};
struct Ceil {
  MILLRACE_TILE_INLINE static float of(float x) {
    const float r = RoundEven::of(x);
    return with_sign_of(r < x ? r + 1.0f : r, x);
  }
};
struct Truncate {
  MILLRACE_TILE_INLINE static float of(float x) {
    const float m = magnitude_of(x);
    const float r = nearest_even(m);
    return with_sign_of(r > m ? r - 1.0f : r, x);
  }
};
struct SquareRoot {
  MILLRACE_TILE_INLINE static float of(float x) { return std::sqrt(x); }
};
struct ReciprocalSquareRoot {  // in double, so within 0.5 + 2^-28 ulp
  MILLRACE_TILE_INLINE static float of(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
};
struct Reciprocal {
  MILLRACE_TILE_INLINE static float of(float x) { return 1.0f / x; }
};

// Sign operations move bits and leave NaNs as they are.
template <class Word, Word flip, Word keep>
MILLRACE_TILE_CLONES void sign_bits(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const Word*>(a);
  auto* to = static_cast<Word*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<Word>((x[i] ^ flip) & keep);
}

Unary find_negate(Element element) {
  if (element == Element::kF32) return &sign_bits<std::uint32_t, 0x80000000u, 0xffffffffu>;
  if (element == Element::kBF16 || element == Element::kF16) return &sign_bits<std::uint16_t, 0x8000, 0xffff>;
  return nullptr;
}
Unary find_absolute(Element element) {
  if (element == Element::kF32) return &sign_bits<std::uint32_t, 0, 0x7fffffffu>;
  if (element == Element::kBF16 || element == Element::kF16) return &sign_bits<std::uint16_t, 0, 0x7fff>;
  return nullptr;
}

constexpr UnaryEntry kUnary[] = {
    {"arith.negf", &find_negate},
    {"math.absf", &find_absolute},
    {"math.ceil", &find_float_unary<Ceil>},
    {"math.floor", &find_float_unary<Floor>},
    {"math.round", &find_float_unary<RoundAway>},
    {"math.roundeven", &find_float_unary<RoundEven>},
    {"math.trunc", &find_float_unary<Truncate>},
    {"math.sqrt", &find_float_unary<SquareRoot>},
    {"math.rsqrt", &find_float_unary<ReciprocalSquareRoot>},
    {"tpu.reciprocal", &find_float_unary<Reciprocal>},
};

constexpr BinaryEntry kBinary[] = {
    {"arith.addf", &find_float_binary<Add>},
    {"arith.subf", &find_float_binary<Subtract>},
    {"arith.mulf", &find_float_binary<Multiply>},
    {"arith.divf", &find_float_binary<Divide>},
    {"arith.remf", &find_float_binary<Remainder>},
    {"arith.maximumf", &find_float_binary<Maximum>},
    {"arith.minimumf", &find_float_binary<Minimum>},
    {"arith.maxnumf", &find_float_binary<MaximumNumber>},
    {"arith.minnumf", &find_float_binary<MinimumNumber>},
};

}  // namespace

std::span<const UnaryEntry> float_unary_table() { return kUnary; }
std::span<const BinaryEntry> float_binary_table() { return kBinary; }

}  // namespace millrace::tile
