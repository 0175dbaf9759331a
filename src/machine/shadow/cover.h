// SPDX-License-Identifier: Apache-2.0
// A set of elements as few boxes that share none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/event.h"

namespace millrace::machine::shadow {

struct Stretch {  // half-open, row-major positions
  std::int64_t begin = 0, end = 0;
};

// Joins stretches that touch; they come in ascending order.
void append(std::vector<Stretch>& stretches, std::int64_t begin, std::int64_t end);

// The elements of ascending stretches that do not touch, of an array of this shape (at most kMaxRank dimensions). Equal
// slices at equal distances, three and more, are one box with a stride. Boxes come in the order of their first element.
std::vector<event::Box> cover(std::span<const Stretch> stretches, std::span<const std::int64_t> shape);

// The smallest box around all of them.
event::Box around(std::span<const event::Box> boxes);

}  // namespace millrace::machine::shadow
