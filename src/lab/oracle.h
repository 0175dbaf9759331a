// SPDX-License-Identifier: Apache-2.0
// The answer that every run is held against: 2 * x + y by plain loops over the represented inputs. It shares nothing
// with the kernels or the simulator, its bf16 rounding included.
#pragma once

#include "millrace/array.h"

namespace millrace::lab {

// f32: computed in f32. bf16: widened, computed in f32 and rounded once to nearest even. Shapes and dtypes are equal
// and legal (require_pair).
Array oracle(const Array& x, const Array& y);

}  // namespace millrace::lab
