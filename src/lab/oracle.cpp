// SPDX-License-Identifier: Apache-2.0
#include "lab/oracle.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace millrace::lab {
namespace {

float widen(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// Chooses between the two neighbours by their remainder, written out rather than as the usual biased addition.
std::uint16_t narrow(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  std::uint16_t kept = static_cast<std::uint16_t>(bits / 65536u);
  if (std::isnan(value)) return static_cast<std::uint16_t>(kept | 0x0040u);
  const std::uint32_t dropped = bits % 65536u;
  const bool odd = kept % 2 == 1;
  if (dropped > 32768u || (dropped == 32768u && odd)) ++kept;  // carries into the exponent, up to infinity
  return kept;
}

}  // namespace

Array oracle(const Array& x, const Array& y) {
  Array result(x.dtype(), x.shape());
  if (x.dtype() == DType::f32) {
    const auto a = x.as<float>(), b = y.as<float>();
    const auto out = result.as<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const float twice = 2.0f * a[i];
      out[i] = twice + b[i];
    }
    return result;
  }
  const auto a = x.as<std::uint16_t>(), b = y.as<std::uint16_t>();
  const auto out = result.as<std::uint16_t>();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float twice = 2.0f * widen(a[i]);
    out[i] = narrow(twice + widen(b[i]));
  }
  return result;
}

}  // namespace millrace::lab
