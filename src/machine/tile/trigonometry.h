// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan, atan2 and erf in double for arguments that are f32 values; the same rules as exponential.h. Relative
// errors before the rounding to f32: sin, cos, tan < 2^-40 for every f32, however large; atan2 < 2^-42; erf < 2^-38.
#pragma once

#include <cstdint>

#include "machine/tile/exponential.h"

namespace millrace::tile::real {

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0;
inline constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
inline constexpr double kLargeAngle = 0x1p24;  // from here on every f32 is whole and needs more bits of 2 / pi

// An angle less a whole number of quarter turns: |r| <= pi / 4; of the quarter turns, only the low two bits count.
struct Angle {
  double r;
  std::uint64_t quarters;
};

// |x| < kLargeAngle. Pi / 2 in three parts, the first two of 29 bits so that their products are exact.
MILLRACE_TILE_INLINE Angle reduce_angle(double x) {
  const double t = x * 0x1.45f306dc9c883p-1 + kToWhole;
  const double n = t - kToWhole;
  return {((x - n * 0x1.921fb54p+0) - n * 0x1.10b4611p-30) - n * 0x1.4c4c6628b80dcp-59, bits_of(t)};
}

// Any finite f32 from kLargeAngle on: multiplies by those 128 bits of 2 / pi that are not whole turns.
inline Angle reduce_large_angle(double x) {
  __extension__ using Wide = unsigned __int128;
  __extension__ using SignedWide = __int128;
  static constexpr std::uint64_t kTwoOverPi[4] = {0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
                                                  0xff28b1d5ef5de2b0};  // the first bit is worth 1
  const std::uint64_t u = bits_of(x);
  const std::uint64_t mantissa = ((u >> 29) & 0x7fffffu) | 0x800000u;  // x = mantissa * 2^exponent
  const int exponent = static_cast<int>((u >> 52) & 0x7ff) - 1023 - 23;
  const int first = exponent - 1;  // this bit is worth 2^(1 - exponent): two quarter turns for each unit of mantissa
  const int word = first / 64, shift = first % 64;
  auto word_at = [&](int i) {
    return shift == 0 ? kTwoOverPi[i] : (kTwoOverPi[i] << shift) | (kTwoOverPi[i + 1] >> (64 - shift));
  };
  const Wide product = ((static_cast<Wide>(word_at(word)) << 64) | word_at(word + 1)) * mantissa;  // mod 4 quarters
  const auto quarters = static_cast<std::uint64_t>((product + (Wide{1} << 125)) >> 126);
  const auto rest = static_cast<SignedWide>(product - (static_cast<Wide>(quarters) << 126));
  const double r = static_cast<double>(rest) * 0x1p-126 * kHalfPi;
  return (u >> 63) != 0 ? Angle{-r, std::uint64_t{0} - quarters} : Angle{r, quarters};
}

MILLRACE_TILE_INLINE double sin_near_zero(double r) {  // |r| <= pi / 4, to r^13
  const double z = r * r;
  double p = 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return r * (1.0 + p * z);
}

MILLRACE_TILE_INLINE double cos_near_zero(double r) {  // |r| <= pi / 4, to r^14
  const double z = r * r;
  double p = -1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  p = p * z - 0.5;
  return 1.0 + p * z;
}

MILLRACE_TILE_INLINE double sin(Angle a) {
  const double s = sin_near_zero(a.r), c = cos_near_zero(a.r);
  const double v = of_bits((a.quarters & 1) != 0 ? bits_of(c) : bits_of(s));
  return of_bits(bits_of(v) ^ ((a.quarters & 2) << 62));
}

MILLRACE_TILE_INLINE double cos(Angle a) { return sin(Angle{a.r, a.quarters + 1}); }

MILLRACE_TILE_INLINE double tan(Angle a) {
  const double s = sin_near_zero(a.r), c = cos_near_zero(a.r);
  const bool odd = (a.quarters & 1) != 0;
  return (odd ? -c : s) / (odd ? s : c);
}

// 0 <= t <= 1. Past tan(pi / 8) an eighth of a turn is taken off, so |u| < 0.4143: odd powers to u^31.
MILLRACE_TILE_INLINE double atan_of_ratio(double t) {
  const bool upper = t > 0x1.a827999fcef32p-2;
  const double u = upper ? (t - 1.0) / (t + 1.0) : t;
  const double z = u * u;
  double p = -1.0 / 31.0;
  for (int k = 29; k >= 3; k -= 2) p = p * z + (k % 4 == 1 ? 1.0 : -1.0) / k;
  const double a = u + u * (p * z);
  return upper ? kQuarterPi + a : a;
}

MILLRACE_TILE_INLINE double atan2(double y, double x) {
  const double ax = magnitude_of(x), ay = magnitude_of(y);
  const bool steep = ay > ax;
  const double low = steep ? ax : ay, high = steep ? ay : ax;
  double t = low / high;
  t = high == 0.0 ? 0.0 : t;
  t = low == kInfinity ? 1.0 : t;
  double a = atan_of_ratio(t);
  a = steep ? kHalfPi - a : a;
  a = bits_of(x) >> 63 != 0 ? kPi - a : a;
  return x == x && y == y ? with_sign_of(a, y) : kNaN;
}

inline constexpr double kAtHalves[9][2] = {
    // erf(c), 2 / sqrt(pi) exp(-c^2)
    {0x0.0p+0, 0x1.20dd750429b6dp+0},
    {0x1.0a7ef5c18edd2p-1, 0x1.c1efca49a5011p-1},
    {0x1.af767a741088bp-1, 0x1.a911f096fbc26p-2},
    {0x1.eea5557137ae0p-1, 0x1.e723726b824a9p-4},
    {0x1.fd9ae142795e3p-1, 0x1.529b9e8cf9a1ep-6},
    {0x1.ffcaa8f4c9beap-1, 0x1.1d83170fbf6fbp-9},
    {0x1.fffd1ac4135f9p-1, 0x1.2408e9ba3327fp-13},
    {0x1.ffffe710d565ep-1, 0x1.6a597219a93dap-18},
    {0x1.ffffff7b91176p-1, 0x1.10b1488aeb235p-23}};

// Taylor's series around the nearest multiple of 1/2. With g_n the coefficients of 2 / sqrt(pi) exp(-x^2) there,
// (n + 1) g_(n+1) = -2 (c g_n + g_(n-1)), and erf(c + t) = erf(c) + sum of g_n t^(n+1) / (n+1). From 4 on the f32 is 1.
MILLRACE_TILE_INLINE double erf(double x) {
  const double a = magnitude_of(x) < 4.0 ? magnitude_of(x) : 4.0;
  const double whole = 2.0 * a + kToWhole;
  const auto nearest = static_cast<std::int32_t>(bits_of(whole) & 15u);
  const double c = 0.5 * (whole - kToWhole), t = a - c;
  double before = 0.0, g = kAtHalves[nearest][1], power = t, sum = 0.0;
  for (int n = 1; n <= 16; ++n) {
    const double over_n = 1.0 / n;
    sum += g * power * over_n;
    const double next = -2.0 * (c * g + before) * over_n;
    before = g;
    g = next;
    power *= t;
  }
  return x == x ? with_sign_of(kAtHalves[nearest][0] + sum, x) : kNaN;
}

}  // namespace millrace::tile::real
