// SPDX-License-Identifier: Apache-2.0
// exp, log and their kin in double for arguments that are f32 values: only +, -, *, / and bit operations, so the same
// bits everywhere, and no branches, so vector code. Relative errors of the doubles, before the one rounding to f32:
// exp, exp2 < 2^-40; log, log1p < 2^-42; tanh < 2^-40; pow < 2^-36. Less than 0.501 ulp of f32 in all.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "machine/tile/clones.h"

namespace millrace::tile::real {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kLn2High = 0x1.62e42fefa0000p-1;  // 38 bits: its products with exponents are exact
inline constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
inline constexpr double kToWhole = 0x1.8p52;  // adding it rounds to a whole number, held in the low bits of the sum

MILLRACE_TILE_INLINE std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
MILLRACE_TILE_INLINE double of_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

MILLRACE_TILE_INLINE double clamped(double x, double limit) {  // NaN stays
  x = x > limit ? limit : x;
  return x < -limit ? -limit : x;
}

MILLRACE_TILE_INLINE double with_sign_of(double magnitude, double sign) {
  return of_bits((bits_of(magnitude) & 0x7fffffffffffffffu) | (bits_of(sign) & 0x8000000000000000u));
}

MILLRACE_TILE_INLINE double magnitude_of(double x) { return of_bits(bits_of(x) & 0x7fffffffffffffffu); }

// 2^n for n + kToWhole, |n| < 1000.
MILLRACE_TILE_INLINE double power_of_two(double n_plus_whole) {
  return of_bits((bits_of(n_plus_whole) << 52) + 0x3ff0000000000000u);
}

// e^r - 1 for |r| <= ln 2 / 2: Taylor's series to r^11 / 11!.
MILLRACE_TILE_INLINE double exp_minus_one_near_zero(double r) {
  double p = 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  return r + (r * r) * p;
}

// Past +-200 the f32 is infinite or zero anyway.
MILLRACE_TILE_INLINE double exp(double x) {
  x = clamped(x, 200.0);
  const double t = x * kLog2E + kToWhole;
  const double n = t - kToWhole;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  return power_of_two(t) * (1.0 + exp_minus_one_near_zero(r));
}

MILLRACE_TILE_INLINE double exp2(double x) {
  x = clamped(x, 300.0);
  const double t = x + kToWhole;
  const double n = t - kToWhole;
  return power_of_two(t) * (1.0 + exp_minus_one_near_zero((x - n) * kLn2));
}

// (e^2x - 1) / (e^2x + 1), with e^2x - 1 = 2^n (e^r - 1) + (2^n - 1), which loses nothing near zero.
MILLRACE_TILE_INLINE double tanh(double x) {
  const double a = 2.0 * clamped(magnitude_of(x), 30.0);
  const double t = a * kLog2E + kToWhole;
  const double n = t - kToWhole;
  const double r = (a - n * kLn2High) - n * kLn2Low;
  const double scale = power_of_two(t);
  const double e = scale * exp_minus_one_near_zero(r) + (scale - 1.0);
  return with_sign_of(e / (e + 2.0), x);
}

// For positive finite x that is no subnormal double: x = 2^k m with m between sqrt(1/2) and sqrt(2), and
// log m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172: odd powers to s^17.
MILLRACE_TILE_INLINE double log_positive(double x) {
  const std::uint64_t u = bits_of(x);
  const std::uint64_t biased = (u - 0x3fe6a09e667f3bcdu + (std::uint64_t{0x400} << 52)) >> 52;  // k + 0x400
  const double k = of_bits(biased | 0x4330000000000000u) - (0x1p52 + 0x400);
  const double m = of_bits(u - ((biased - 0x400) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 2.0 / 17.0;
  p = p * z + 2.0 / 15.0;
  p = p * z + 2.0 / 13.0;
  p = p * z + 2.0 / 11.0;
  p = p * z + 2.0 / 9.0;
  p = p * z + 2.0 / 7.0;
  p = p * z + 2.0 / 5.0;
  p = p * z + 2.0 / 3.0;
  return k * kLn2High + (k * kLn2Low + (2.0 * s + s * (p * z)));
}

MILLRACE_TILE_INLINE double log(double x) {
  double r = log_positive(x);
  r = x == 0.0 ? -kInfinity : r;
  r = x == kInfinity ? kInfinity : r;
  return x >= 0.0 ? r : kNaN;
}

// 1 + x rounds; `lost` is what rounding took away, and d log y = dy / y.
MILLRACE_TILE_INLINE double log1p(double x) {
  const double y = 1.0 + x;
  const double lost = x - (y - 1.0);
  double r = log_positive(y) + lost / y;
  r = x == -1.0 ? -kInfinity : r;
  r = x == kInfinity ? kInfinity : r;
  r = x == 0.0 ? x : r;
  return x >= -1.0 ? r : kNaN;
}

// As C's pow: 1 where y is 0 or x is 1, NaN for a negative finite x and a y that is no whole number.
MILLRACE_TILE_INLINE double pow(double x, double y) {
  const double a = magnitude_of(x);
  const double logarithm = a == 0.0 ? -kInfinity : (a == kInfinity ? kInfinity : log_positive(a));
  double r = exp(y * logarithm);
  r = a == 1.0 && y == y ? 1.0 : r;
  const double whole = magnitude_of(y) < 0x1p50 ? (y + kToWhole) - kToWhole : y;
  const double half = 0.5 * y;
  const double whole_half = magnitude_of(y) < 0x1p50 ? (half + kToWhole) - kToWhole : half;
  const bool negative = bits_of(x) >> 63 != 0;
  const bool odd = y == whole && half != whole_half;
  r = negative && odd ? -r : r;
  r = x < 0.0 && x != -kInfinity && y != whole ? kNaN : r;
  r = x != x || y != y ? kNaN : r;
  return y == 0.0 || x == 1.0 ? 1.0 : r;
}

}  // namespace millrace::tile::real
