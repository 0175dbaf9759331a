// SPDX-License-Identifier: Apache-2.0
// The three 8-bit floats to and from f32. Rounding is to nearest, ties to even. What is too large for the type becomes
// infinity where it has one, else NaN; NaN keeps its sign where the type has two of them.
#pragma once

#include "machine/tile/half.h"

namespace millrace::tile {

// S EEEEE MM with infinities, as IEEE has it, but of 8 bits.
struct E5M2Format {
  static constexpr int kMantissa = 2, kBias = 15;
  static constexpr std::uint32_t kLargest = 0x7b, kBeyond = 0x7c, kNaN = 0x7e;
  static constexpr bool kSignedZero = true;
  MILLRACE_TILE_INLINE static bool is_nan(std::uint32_t code) { return (code & 0x7f) > 0x7c; }
  MILLRACE_TILE_INLINE static bool is_infinity(std::uint32_t code) { return (code & 0x7f) == 0x7c; }
};

// S EEEE MMM without infinities; one NaN a sign.
struct E4M3FNFormat {
  static constexpr int kMantissa = 3, kBias = 7;
  static constexpr std::uint32_t kLargest = 0x7e, kBeyond = 0x7f, kNaN = 0x7f;
  static constexpr bool kSignedZero = true;
  MILLRACE_TILE_INLINE static bool is_nan(std::uint32_t code) { return (code & 0x7f) == 0x7f; }
  MILLRACE_TILE_INLINE static bool is_infinity(std::uint32_t) { return false; }
};

// S EEEE MMM without infinities or -0, whose code is the one NaN.
struct E4M3B11FNUZFormat {
  static constexpr int kMantissa = 3, kBias = 11;
  static constexpr std::uint32_t kLargest = 0x7f, kBeyond = 0x80, kNaN = 0x80;
  static constexpr bool kSignedZero = false;
  MILLRACE_TILE_INLINE static bool is_nan(std::uint32_t code) { return code == 0x80; }
  MILLRACE_TILE_INLINE static bool is_infinity(std::uint32_t) { return false; }
};

template <class Format>
MILLRACE_TILE_INLINE float quarter_to_float(std::uint8_t stored) {
  constexpr int kShift = 23 - Format::kMantissa;
  const std::uint32_t code = stored, sign = (code & 0x80u) << 24, magnitude = code & 0x7fu;
  constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(127 - Format::kBias) << 23;
  // A subnormal is its bits times the smallest one.
  const float smallest = float_of_bits(static_cast<std::uint32_t>(128 - Format::kBias - Format::kMantissa) << 23);
  const std::uint32_t subnormal = bits_of_float(static_cast<float>(magnitude) * smallest);
  const std::uint32_t finite = magnitude < (1u << Format::kMantissa) ? subnormal : (magnitude << kShift) + kRebias;
  const std::uint32_t number = Format::is_infinity(code) ? 0x7f800000u : finite;
  return float_of_bits(sign | (Format::is_nan(code) ? 0x7fc00000u : number));
}

template <class Format>
MILLRACE_TILE_INLINE std::uint8_t float_to_quarter(float value) {
  constexpr int kShift = 23 - Format::kMantissa;
  const std::uint32_t u = bits_of_float(value), sign = (u >> 24) & 0x80u, a = u & 0x7fffffffu;
  constexpr std::uint32_t kRebias = static_cast<std::uint32_t>(127 - Format::kBias) << Format::kMantissa;
  const std::uint32_t normal = ((a + (1u << (kShift - 1)) - 1u + ((a >> kShift) & 1u)) >> kShift) - kRebias;
  // The last place of this power of two is the smallest subnormal: adding it rounds to a multiple of that.
  constexpr std::uint32_t kPower = static_cast<std::uint32_t>(151 - Format::kBias - Format::kMantissa) << 23;
  const std::uint32_t subnormal = bits_of_float(float_of_bits(a) + float_of_bits(kPower)) - kPower;
  const std::uint32_t rounded = a < (static_cast<std::uint32_t>(128 - Format::kBias) << 23) ? subnormal : normal;
  const std::uint32_t number = rounded > Format::kLargest ? Format::kBeyond : rounded;
  const std::uint32_t code = a > 0x7f800000u ? Format::kNaN : number;
  return static_cast<std::uint8_t>(code == 0 && !Format::kSignedZero ? 0u : sign | code);
}

}  // namespace millrace::tile
