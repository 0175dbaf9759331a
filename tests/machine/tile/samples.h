// SPDX-License-Identifier: Apache-2.0
// Values that arithmetic gets wrong, random ones besides, and short ways to run an operation on them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "machine/tile/tile.h"
#include "millrace/dtype.h"

namespace millrace::tile {

inline float of_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

inline constexpr std::uint32_t kCanonicalNaN = 0x7fc00000u;

inline std::vector<float> float_corners() {
  std::vector<float> all;
  for (const std::uint32_t bits :
       {0x00000000u, 0x00000001u, 0x00000002u, 0x00400000u, 0x007fffffu, 0x00800000u, 0x33000000u, 0x3dcccccdu,
        0x3effffffu, 0x3f000000u, 0x3f000001u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fc00000u, 0x40000000u,
        0x40200000u, 0x40490fdbu, 0x42fe0000u, 0x4afffffeu, 0x4affffffu, 0x4b000000u, 0x4b000001u, 0x4b800000u,
        0x4effffffu, 0x4f000000u, 0x4f800000u, 0x5f000000u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u, 0x7f800001u}) {
    all.push_back(of_bits(bits));
    all.push_back(of_bits(bits | 0x80000000u));
  }
  return all;
}

// Every corner, then numbers of every exponent, then numbers near one.
inline std::vector<float> float_samples(std::size_t count, std::uint32_t seed) {
  std::vector<float> all = float_corners();
  std::mt19937 random(seed);
  while (all.size() < count) {
    const float any = of_bits(random());
    all.push_back(any);
    all.push_back((static_cast<float>(random() % 4001) - 2000.0f) / 256.0f);
  }
  all.resize(count);
  return all;
}

template <class T>
std::vector<T> integer_samples(std::size_t count, std::uint32_t seed) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all{0,
                     1,
                     2,
                     3,
                     7,
                     8,
                     static_cast<T>(-1),
                     static_cast<T>(-2),
                     static_cast<T>(-8),
                     Limits::max(),
                     Limits::min(),
                     static_cast<T>(Limits::min() + 1),
                     static_cast<T>(Limits::max() - 1),
                     15,
                     16,
                     31,
                     32,
                     63,
                     64};
  std::mt19937_64 random(seed);
  while (all.size() < count) {
    all.push_back(static_cast<T>(random()));
    all.push_back(static_cast<T>(random() % 41) - T{20});
  }
  all.resize(count);
  return all;
}

// All pairs of two samples, as two tiles.
template <class T>
void all_pairs(const std::vector<T>& from, std::vector<T>& a, std::vector<T>& b) {
  for (const T x : from) {
    for (const T y : from) {
      a.push_back(x);
      b.push_back(y);
    }
  }
}

template <class T>
std::vector<T> run(Unary f, const std::vector<T>& a) {
  std::vector<T> out(a.size());
  f(a.data(), out.data(), a.size());
  return out;
}

template <class T>
std::vector<T> run(Binary f, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> out(a.size());
  f(a.data(), b.data(), out.data(), a.size());
  return out;
}

// How far `got` is from the exact value, in units of the last place of the nearest f32 (subnormals: of 2^-149).
inline double ulps(float got, long double exact) {
  const auto nearest = static_cast<float>(exact);
  if (std::isnan(exact)) return std::isnan(got) ? 0.0 : 1e30;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0.0 : 1e30;
  const int exponent = std::max(std::ilogb(nearest == 0.0f ? 0x1p-149f : nearest), -126) - 23;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / std::ldexp(1.0L, exponent));
}

}  // namespace millrace::tile
