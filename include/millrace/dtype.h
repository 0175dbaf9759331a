// SPDX-License-Identifier: Apache-2.0
// Element types of arrays, and the two 16-bit floats that C++20 lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "millrace/export.h"

namespace millrace {

enum class DType : std::uint8_t { f32, bf16, f16, i8, i16, i32, u8, u16, u32, i1 };

inline constexpr DType f32 = DType::f32, bf16 = DType::bf16, f16 = DType::f16, i8 = DType::i8, i16 = DType::i16,
                       i32 = DType::i32, u8 = DType::u8, u16 = DType::u16, u32 = DType::u32, i1 = DType::i1;

MILLRACE_API std::size_t size_of(DType type);       // bytes an element; i1 takes one byte (0 or 1)
MILLRACE_API std::string_view name_of(DType type);  // "f32", "bf16", ...
MILLRACE_API std::optional<DType> dtype_named(std::string_view name);
MILLRACE_API bool is_float(DType type);

// A bfloat16 by its bits. Conversion from float rounds to nearest even; NaN stays NaN (quiet, sign kept).
struct BFloat16 {
  std::uint16_t bits = 0;
  static MILLRACE_API BFloat16 from_float(float value);
  MILLRACE_API float to_float() const;
  friend bool operator==(BFloat16, BFloat16) = default;  // compares bits
};

// An IEEE binary16 by its bits; the same rules.
struct Float16 {
  std::uint16_t bits = 0;
  static MILLRACE_API Float16 from_float(float value);
  MILLRACE_API float to_float() const;
  friend bool operator==(Float16, Float16) = default;
};

}  // namespace millrace
