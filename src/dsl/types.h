// SPDX-License-Identifier: Apache-2.0
// How the language's types and numbers are written in a module. Unsigned types have the same element as signed ones:
// the operation says the sign. A bool array lies in memory as i32.
#pragma once

#include <cstdint>
#include <string>

#include "millrace/ref.h"
#include "mosaic/ir.h"

namespace millrace::dsl {

mosaic::Element element_of(DType dtype);
mosaic::Type type_of(DType dtype, const Shape& shape);  // a scalar where the shape is empty, else a vector
DType stored_as(DType dtype);                           // in memory: i32 for i1
mosaic::MemorySpace space_of(Space space);              // kHbm is `any`, as JAX writes operands that stay in HBM
bool is_unsigned(DType dtype);
bool is_integer(DType dtype);  // i1 is none
int bits_of(DType dtype);

// The bits of `number` in `dtype`, rounded once to nearest even for floats; `number` is in range for integers.
std::uint64_t encode(DType dtype, double number);

// "f32 (8, 128)", "i32 scalar".
std::string describe(DType dtype, const Shape& shape);

// The smallest and the largest number of an integer type, or of i1.
std::int64_t lowest(DType dtype);
std::int64_t highest(DType dtype);

}  // namespace millrace::dsl
