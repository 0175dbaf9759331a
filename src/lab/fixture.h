// SPDX-License-Identifier: Apache-2.0
// The lab's own matrices. The same bits on every machine: no library generator, no library mathematics.
#pragma once

#include <cstdint>

#include "millrace/array.h"

namespace millrace::lab {

struct Pair {
  Array x, y;
};

Pair lesson_pair(DType dtype);  // (17, 257): x from -1 to 1 in equal steps, y = 0.25
Pair one_tile_pair();           // (8, 128) f32: x = 0, 0.01, 0.02, ..., y = 1
// (rows, columns), roughly normal around 0 with deviation 1: sums of twelve uniform numbers.
Pair random_pair(std::int64_t rows, std::int64_t columns, DType dtype, std::uint64_t seed);

}  // namespace millrace::lab
