// SPDX-License-Identifier: Apache-2.0
// Conversions between element types. Into a float: one rounding to nearest even. Into an integer: truncated towards
// zero and clamped to its range, NaN to 0. Between integers: low bits, or sign or zero extension.
#include <functional>
#include <limits>

#include "machine/tile/loops.h"

namespace millrace::tile {
namespace {

template <class From, class To>
MILLRACE_TILE_CLONES void float_to_float(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename From::Stored*>(a);
  auto* to = static_cast<typename To::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = To::store(From::load(x[i]));
}

// A number above 2^24 loses bits on the way to f32. Where a second rounding follows, all that is lost is put into one
// sticky bit, far below the last place of the result, so that the two roundings are as good as one.
template <class To, class Number>
MILLRACE_TILE_INLINE float to_float(Number value) {
  if constexpr (std::is_same_v<To, F32> || sizeof(Number) < 4) {
    return static_cast<float>(value);
  } else {
    const bool negative = value < 0;
    const auto u = negative ? std::uint32_t{0} - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
    const std::uint32_t sticky = (u & ~0xffu) | ((u & 0xffu) != 0 ? 0x100u : 0u);
    const auto magnitude = static_cast<float>(u < (1u << 24) ? u : sticky);
    return negative ? -magnitude : magnitude;
  }
}

template <class From, class To, bool is_signed>
MILLRACE_TILE_CLONES void integer_to_float(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename From::Stored*>(a);
  auto* to = static_cast<typename To::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (is_signed) {
      to[i] = To::store(to_float<To>(From::as_signed(x[i])));
    } else {
      to[i] = To::store(to_float<To>(From::as_unsigned(x[i])));
    }
  }
}

template <class To, bool is_signed>
MILLRACE_TILE_INLINE typename To::Wide truncated(float v) {
  using Wide = typename To::Wide;
  using Target = std::conditional_t<(is_signed || To::kBits < 32), std::make_signed_t<Wide>, std::int64_t>;
  constexpr auto kLow = static_cast<Wide>(is_signed ? To::kMin : 0);
  constexpr auto kHigh = static_cast<Wide>(is_signed ? static_cast<typename To::Unsigned>(To::kMax) : To::kMask);
  constexpr auto kBeyond = static_cast<float>(kHigh / 2 + 1) * 2.0f;  // 2^k: the first float past the range, exactly
  constexpr float kBelow = is_signed ? -kBeyond : 0.0f;
  const float inside = v < kBeyond && v > kBelow ? v : 0.0f;  // NaN becomes 0
  const auto whole = static_cast<Wide>(static_cast<Target>(inside));
  return v >= kBeyond ? kHigh : (v <= kBelow ? kLow : whole);
}

template <class From, class To, bool is_signed>
MILLRACE_TILE_CLONES void float_to_integer(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename From::Stored*>(a);
  auto* to = static_cast<typename To::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = To::store(truncated<To, is_signed>(From::load(x[i])));
}

template <class From, class To, bool is_signed>
MILLRACE_TILE_CLONES void integer_to_integer(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename From::Stored*>(a);
  auto* to = static_cast<typename To::Stored*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (is_signed) {
      to[i] = To::store(static_cast<typename To::Signed>(From::as_signed(x[i])));
    } else {
      to[i] = To::store(static_cast<typename To::Unsigned>(From::as_unsigned(x[i])));
    }
  }
}

template <class T>
MILLRACE_TILE_CLONES void not_finite(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  auto* to = static_cast<std::uint8_t*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = (bits_of_float(T::load(x[i])) & 0x7f800000u) == 0x7f800000u ? 1 : 0;
}

template <std::size_t bytes>
void copy(const void* a, void* out, std::size_t n) {
  const auto* x = static_cast<const unsigned char*>(a);
  auto* to = static_cast<unsigned char*>(out);
  for (std::size_t i = 0; i < n * bytes; ++i) to[i] = x[i];
}

// From one float to another whose stored size stands in the given relation to its own: bf16 never becomes f16.
template <class Fits>
Unary find_float_to_float(Element from, Element to, Fits) {
  return with_any_float<Unary>(from, [to]<class From>(From) -> Unary {
    return with_any_float<Unary>(to, []<class To>(To) -> Unary {
      if constexpr (Fits{}(sizeof(typename From::Stored), sizeof(typename To::Stored))) {
        return &float_to_float<From, To>;
      } else {
        return nullptr;
      }
    });
  });
}

template <bool is_signed>
Unary find_integer_to_float(Element from, Element to) {
  return with_integer<Unary>(from, [to]<class From>(From) -> Unary {
    return with_float<Unary>(to, []<class To>(To) -> Unary {
      if constexpr (From::kBits == 64 && !std::is_same_v<To, F32>) {
        return nullptr;
      } else {
        return &integer_to_float<From, To, is_signed>;
      }
    });
  });
}

template <bool is_signed>
Unary find_float_to_integer(Element from, Element to) {
  return with_float<Unary>(from, [to]<class From>(From) -> Unary {
    return with_integer<Unary>(to, []<class To>(To) -> Unary {
      if constexpr (To::kBits == 1 || (To::kBits == 64 && !is_signed)) {
        return nullptr;
      } else {
        return &float_to_integer<From, To, is_signed>;
      }
    });
  });
}

// `wanted` says which widths an operation takes: extensions grow, trunci shrinks, index_cast does either.
template <bool is_signed>
Unary find_integer_to_integer(Element from, Element to, bool (*wanted)(int from_bits, int to_bits)) {
  return with_integer<Unary>(from, [to, wanted]<class From>(From) -> Unary {
    return with_integer<Unary>(to, [wanted]<class To>(To) -> Unary {
      return wanted(From::kBits, To::kBits) ? &integer_to_integer<From, To, is_signed> : nullptr;
    });
  });
}

bool grows(int from, int to) { return from < to; }
bool shrinks(int from, int to) { return from > to; }
bool any(int, int) { return true; }

bool is_index(Element element) { return element == Element::kIndex; }

// Bits in memory: i1 and i4, which take a byte each, are bitcast only to themselves.
Unary find_bitcast(Element from, Element to) {
  const auto packed = [](Element e) { return e == Element::kI1 || e == Element::kI2 || e == Element::kI4; };
  const std::size_t bytes = tile::size_in_bytes(from);
  if (bytes != tile::size_in_bytes(to) || ((packed(from) || packed(to)) && from != to)) return nullptr;
  switch (bytes) {
    case 1: return &copy<1>;
    case 2: return &copy<2>;
    case 4: return &copy<4>;
    case 8: return &copy<8>;
    default: return nullptr;
  }
}

}  // namespace

Unary convert(std::string_view op, Element from, Element to) {
  if (op.starts_with("arith.")) op.remove_prefix(6);
  if (op == "extf") return find_float_to_float(from, to, std::less<>{});
  if (op == "truncf") return find_float_to_float(from, to, std::greater<>{});
  if (op == "sitofp") return find_integer_to_float<true>(from, to);
  if (op == "uitofp") return find_integer_to_float<false>(from, to);
  if (op == "fptosi") return find_float_to_integer<true>(from, to);
  if (op == "fptoui") return find_float_to_integer<false>(from, to);
  if (op == "extsi") return find_integer_to_integer<true>(from, to, &grows);
  if (op == "extui") return find_integer_to_integer<false>(from, to, &grows);
  if (op == "trunci") return find_integer_to_integer<true>(from, to, &shrinks);
  if (op == "bitcast") return find_bitcast(from, to);
  if (op == "tpu.weird" && to == Element::kI1) {
    return with_float<Unary>(from, []<class T>(T) -> Unary { return &not_finite<T>; });
  }
  if (is_index(from) == is_index(to)) return nullptr;  // an index_cast has an index on one side
  if (op == "index_cast") return find_integer_to_integer<true>(from, to, &any);
  if (op == "index_castui") return find_integer_to_integer<false>(from, to, &any);
  return nullptr;
}

}  // namespace millrace::tile
