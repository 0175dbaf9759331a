// SPDX-License-Identifier: Apache-2.0
// The public 16-bit floats over their bit functions.
#include "array/float_bits.h"
#include "millrace/dtype.h"

namespace millrace {

BFloat16 BFloat16::from_float(float value) { return {bf16_from_float(value)}; }

float BFloat16::to_float() const { return bf16_to_float(bits); }

Float16 Float16::from_float(float value) { return {f16_from_float(value)}; }

float Float16::to_float() const { return f16_to_float(bits); }

}  // namespace millrace
