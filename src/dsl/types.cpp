// SPDX-License-Identifier: Apache-2.0
#include "dsl/types.h"

#include <bit>

#include <fmt/format.h>

namespace millrace::dsl {

using mosaic::Element;

mosaic::Element element_of(DType dtype) {
  switch (dtype) {
    case DType::f32: return Element::kF32;
    case DType::bf16: return Element::kBF16;
    case DType::f16: return Element::kF16;
    case DType::i8:
    case DType::u8: return Element::kI8;
    case DType::i16:
    case DType::u16: return Element::kI16;
    case DType::i32:
    case DType::u32: return Element::kI32;
    case DType::i1: return Element::kI1;
  }
  throw Error(ErrorCode::kInternal, "a dtype without an element type");
}

mosaic::Type type_of(DType dtype, const Shape& shape) {
  return shape.empty() ? mosaic::Type::scalar(element_of(dtype)) : mosaic::Type::vector(element_of(dtype), shape);
}

DType stored_as(DType dtype) { return dtype == DType::i1 ? DType::i32 : dtype; }

mosaic::MemorySpace space_of(Space space) {
  switch (space) {
    case Space::kHbm: return mosaic::MemorySpace::kAny;
    case Space::kVmem: return mosaic::MemorySpace::kVmem;
    case Space::kSmem: return mosaic::MemorySpace::kSmem;
  }
  throw Error(ErrorCode::kInternal, "a space without a memory space");
}

bool is_unsigned(DType dtype) { return dtype == DType::u8 || dtype == DType::u16 || dtype == DType::u32; }

bool is_integer(DType dtype) { return !is_float(dtype) && dtype != DType::i1; }

int bits_of(DType dtype) { return dtype == DType::i1 ? 1 : static_cast<int>(size_of(dtype)) * 8; }

std::int64_t lowest(DType dtype) {
  return is_unsigned(dtype) || dtype == DType::i1 ? 0 : -(std::int64_t{1} << (bits_of(dtype) - 1));
}

std::int64_t highest(DType dtype) {
  bool sign = !is_unsigned(dtype) && dtype != DType::i1;
  return (std::int64_t{1} << (bits_of(dtype) - (sign ? 1 : 0))) - 1;
}

std::uint64_t encode(DType dtype, double number) {
  if (dtype == DType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (dtype == DType::bf16) return BFloat16::from_float(static_cast<float>(number)).bits;
  if (dtype == DType::f16) return Float16::from_float(static_cast<float>(number)).bits;
  auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  return whole & ((std::uint64_t{1} << bits_of(dtype)) - 1);
}

std::string describe(DType dtype, const Shape& shape) {
  return fmt::format("{} {}", name_of(dtype), shape.empty() ? "scalar" : to_string(shape));
}

}  // namespace millrace::dsl
