// SPDX-License-Identifier: Apache-2.0
// Arrays of a caller against what a kernel's memory holds: bools are numbers there, and a four-bit number without a
// sign takes its byte as the signed one of the same bits.
#pragma once

#include "millrace/array.h"
#include "mosaic/ir.h"

namespace millrace::machine {

bool differs_in_memory(DType dtype, mosaic::Element element);
Array as_in_memory(const Array& array);  // of one that differs
// `array` is what the memory of an output holds; turned, in place, into what an array of `dtype` holds.
void turn_into_array(Array& array, DType dtype, mosaic::Element element);

}  // namespace millrace::machine
