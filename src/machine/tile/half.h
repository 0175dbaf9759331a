// SPDX-License-Identifier: Apache-2.0
// bfloat16 and binary16 to and from f32, written without branches so that loops over them become vector code.
// Rounding is to nearest, ties to even; NaN stays a quiet NaN with its sign and the leading bits of its payload.
#pragma once

#include <bit>
#include <cstdint>

#include "machine/tile/clones.h"

namespace millrace::tile {

MILLRACE_TILE_INLINE float float_of_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
MILLRACE_TILE_INLINE std::uint32_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }

MILLRACE_TILE_INLINE float bf16_to_float(std::uint16_t half) {
  return float_of_bits(static_cast<std::uint32_t>(half) << 16);
}

MILLRACE_TILE_INLINE std::uint16_t float_to_bf16(float value) {
  const std::uint32_t u = bits_of_float(value);
  const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  const std::uint32_t quiet = (u >> 16) | 0x0040u;
  return static_cast<std::uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
}

MILLRACE_TILE_INLINE float f16_to_float(std::uint16_t half) {
  const std::uint32_t sign = (static_cast<std::uint32_t>(half) & 0x8000u) << 16;
  const std::uint32_t magnitude = (static_cast<std::uint32_t>(half) & 0x7fffu) << 13;
  constexpr std::uint32_t kRebias = (127u - 15u) << 23;
  const std::uint32_t normal = magnitude + kRebias;
  const std::uint32_t quiet = magnitude > (31u << 23) ? 0x00400000u : 0u;
  const std::uint32_t special = (magnitude + 2 * kRebias) | quiet;  // exponent 31 becomes 255
  // A subnormal is a multiple of 2^-24: put its bits under the leading one of 2^-14 and take that one away again.
  const std::uint32_t subnormal = bits_of_float(float_of_bits(magnitude + (113u << 23)) - float_of_bits(113u << 23));
  const std::uint32_t finite = magnitude < (1u << 23) ? subnormal : normal;
  return float_of_bits(sign | (magnitude >= (31u << 23) ? special : finite));
}

MILLRACE_TILE_INLINE std::uint16_t float_to_f16(float value) {
  const std::uint32_t u = bits_of_float(value);
  const std::uint32_t sign = (u >> 16) & 0x8000u;
  const std::uint32_t a = u & 0x7fffffffu;
  constexpr std::uint32_t kRebias = (127u - 15u) << 23;
  const std::uint32_t rounded = (a - kRebias + 0x0fffu + ((a >> 13) & 1u)) >> 13;
  const std::uint32_t normal = a >= 0x47800000u ? 0x7c00u : rounded;  // from 2^16 on: infinity
  // The sum with 0.5, whose last place is 2^-24, rounds to a multiple of the smallest subnormal.
  const std::uint32_t subnormal = bits_of_float(float_of_bits(a) + 0.5f) - bits_of_float(0.5f);
  const std::uint32_t finite = a < 0x38800000u ? subnormal : normal;
  const std::uint32_t quiet = 0x7e00u | ((a >> 13) & 0x03ffu);
  return static_cast<std::uint16_t>(sign | (a > 0x7f800000u ? quiet : finite));
}

}  // namespace millrace::tile
