// SPDX-License-Identifier: Apache-2.0
// From an element type known at run time to a C++ type, and the one rule by which elements are converted.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "array/float_bits.h"
#include "millrace/dtype.h"
#include "millrace/error.h"

namespace millrace {

// One element of an i1 array: false is 0, everything else is true.
struct Bit {
  std::uint8_t byte = 0;
};

// Calls `use(T{})` with the C++ type of the elements of `type`.
template <class Use>
decltype(auto) with_element(DType type, Use&& use) {
  switch (type) {
    case DType::f32: return use(float{});
    case DType::bf16: return use(BFloat16{});
    case DType::f16: return use(Float16{});
    case DType::i8: return use(std::int8_t{});
    case DType::i16: return use(std::int16_t{});
    case DType::i32: return use(std::int32_t{});
    case DType::u8: return use(std::uint8_t{});
    case DType::u16: return use(std::uint16_t{});
    case DType::u32: return use(std::uint32_t{});
    case DType::i1: return use(Bit{});
  }
  throw Error(ErrorCode::kInternal, "an element type outside the enumeration");
}

// Toward zero, and to the nearest end of the range where the value is outside it; NaN gives 0.
template <class Integer>
Integer truncated(double value) {
  if (std::isnan(value)) return 0;
  if (value <= std::numeric_limits<Integer>::min()) return std::numeric_limits<Integer>::min();
  if (value >= std::numeric_limits<Integer>::max()) return std::numeric_limits<Integer>::max();
  return static_cast<Integer>(value);
}

// The value as a float that may be rounded once more, to 16 bits, as if the value itself were. Every integer type here
// is exact in double.
template <class From>
float float_to_narrow(From value) {
  if constexpr (std::is_same_v<From, float>) return value;
  return float_rounded_to_odd(static_cast<double>(value));
}

// Floats are reached by one rounding to nearest even, integers from floats by `truncated`, integers from integers
// modulo 2^bits, i1 by `value != 0` (so NaN is true). From may also be double.
template <class To, class From>
To converted(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, BFloat16>) {
    return converted<To>(bf16_to_float(value.bits));
  } else if constexpr (std::is_same_v<From, Float16>) {
    return converted<To>(f16_to_float(value.bits));
  } else if constexpr (std::is_same_v<From, Bit>) {
    return converted<To>(std::uint8_t{value.byte != 0});
  } else if constexpr (std::is_same_v<To, Bit>) {
    return Bit{static_cast<std::uint8_t>(value != From{0})};
  } else if constexpr (std::is_same_v<To, BFloat16>) {
    return BFloat16{bf16_from_float(float_to_narrow(value))};
  } else if constexpr (std::is_same_v<To, Float16>) {
    return Float16{f16_from_float(float_to_narrow(value))};
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    return truncated<To>(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace millrace
