// SPDX-License-Identifier: Apache-2.0
// The tables of operations, one a file; lookup.cpp asks them in turn.
#pragma once

#include <span>

#include "machine/tile/loops.h"

namespace millrace::tile {

std::span<const UnaryEntry> float_unary_table();      // elementwise_float.cpp: negf, absf, rounding, sqrt, ...
std::span<const UnaryEntry> math_unary_table();       // math.cpp: exp, log, tanh, sin, ...
std::span<const UnaryEntry> integer_unary_table();    // elementwise_int.cpp: absi, ctlz, ctpop
std::span<const BinaryEntry> float_binary_table();    // elementwise_float.cpp: addf, maximumf, remf, ...
std::span<const BinaryEntry> math_binary_table();     // math.cpp: powf, atan2
std::span<const BinaryEntry> integer_binary_table();  // elementwise_int.cpp: addi, divsi, shli, ...

}  // namespace millrace::tile
