// SPDX-License-Identifier: Apache-2.0
// Transcendental operations: computed in double by exponential.h and trigonometry.h and rounded once to f32; bf16 and
// f16 then round that f32. No call to the C library, whose last bits differ between versions and processors.
#include "machine/tile/tables.h"
#include "machine/tile/trigonometry.h"

namespace millrace::tile {
namespace {

template <double (*f)(double)>
struct Of {
  MILLRACE_TILE_INLINE static float of(float x) { return static_cast<float>(f(static_cast<double>(x))); }
};
template <double (*f)(double, double)>
struct OfTwo {
  MILLRACE_TILE_INLINE static float of(float x, float y) {
    return static_cast<float>(f(static_cast<double>(x), static_cast<double>(y)));
  }
};

// Angles go in pieces, so that the vector code need not know how a large angle is reduced.
constexpr std::size_t kPiece = 128;

template <double (*f)(real::Angle)>
void few_angles(const float* x, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double v = x[i], a = real::magnitude_of(v);
    if (a < real::kLargeAngle) {
      y[i] = static_cast<float>(f(real::reduce_angle(v)));
    } else {
      y[i] = a < real::kInfinity ? static_cast<float>(f(real::reduce_large_angle(v))) : float_of_bits(0x7fc00000u);
    }
  }
}

template <double (*f)(real::Angle), class T>
MILLRACE_TILE_CLONES void of_angles(const void* a, void* out, std::size_t n) {
  const auto* in = static_cast<const typename T::Stored*>(a);
  auto* to = static_cast<typename T::Stored*>(out);
  float x[kPiece], y[kPiece];
  for (std::size_t start = 0; start < n; start += kPiece) {
    const std::size_t count = n - start < kPiece ? n - start : kPiece;
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = T::load(in[start + i]);
      const std::uint32_t magnitude = bits_of_float(x[i]) & 0x7fffffffu;
      largest = magnitude > largest ? magnitude : largest;
    }
    if (largest < bits_of_float(static_cast<float>(real::kLargeAngle))) {
      for (std::size_t i = 0; i < count; ++i) y[i] = static_cast<float>(f(real::reduce_angle(x[i])));
    } else {
      few_angles<f>(x, y, count);
    }
    for (std::size_t i = 0; i < count; ++i) to[start + i] = T::store(canonical(y[i]));
  }
}

template <double (*f)(real::Angle)>
Unary find_of_angle(Element element) {
  return with_float<Unary>(element, []<class T>(T) -> Unary { return &of_angles<f, T>; });
}

constexpr UnaryEntry kUnary[] = {
    {"math.exp", &find_float_unary<Of<real::exp>>},   {"math.exp2", &find_float_unary<Of<real::exp2>>},
    {"math.log", &find_float_unary<Of<real::log>>},   {"math.log1p", &find_float_unary<Of<real::log1p>>},
    {"math.tanh", &find_float_unary<Of<real::tanh>>}, {"math.erf", &find_float_unary<Of<real::erf>>},
    {"math.sin", &find_of_angle<real::sin>},          {"math.cos", &find_of_angle<real::cos>},
    {"math.tan", &find_of_angle<real::tan>},
};

constexpr BinaryEntry kBinary[] = {
    {"math.powf", &find_float_binary<OfTwo<real::pow>>},
    {"math.atan2", &find_float_binary<OfTwo<real::atan2>>},
};

}  // namespace

std::span<const UnaryEntry> math_unary_table() { return kUnary; }
std::span<const BinaryEntry> math_binary_table() { return kBinary; }

}  // namespace millrace::tile
