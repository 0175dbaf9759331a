// SPDX-License-Identifier: Apache-2.0
// The 16-bit floats, bit by bit. BFloat16 and Float16 are these functions; loops over whole tiles may use them inline.
//
// Narrowing rounds to nearest, ties to even; what is too large becomes infinite, what is too small a subnormal or a
// zero of its sign. A NaN stays a NaN of its sign, made quiet, with the leading bits of its payload.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace millrace {

inline float bf16_to_float(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

inline std::uint16_t bf16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<std::uint16_t>(nan ? (bits >> 16) | 0x40u : rounded);
}

inline float f16_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00u) return std::bit_cast<float>(sign | 0x7fc00000u | (magnitude << 13));
  if (magnitude == 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u);
  if (magnitude < 0x0400u) {  // zero or subnormal: so many times 2^-24, exactly
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f));
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));  // the bias goes from 15 to 127
}

inline std::uint16_t f16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000u) {
    result = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x47800000u) {  // 65536 and above; 65520 to there becomes infinite by its carry below
    result = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // normal: 2^-14 and above
    result = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  } else if (magnitude >= 0x33000000u) {                   // subnormal: count 2^-24s; below 2^-25 the nearest is zero
    const std::uint32_t shift = 126u - (magnitude >> 23);  // 14 to 24
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t odd = (significand >> shift) & 1u;
    result = (significand + (1u << (shift - 1)) - 1u + odd) >> shift;
  }
  return static_cast<std::uint16_t>(sign | result);
}

// A double as a float that still says whether anything was cut off: toward zero, with the last bit set where the
// value was not exact. Rounding the result again, to 16 bits, is then the same as rounding the double once.
inline float float_rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;
  return std::bit_cast<float>(bits | 1u);
}

}  // namespace millrace
