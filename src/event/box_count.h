// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "event/event.h"

namespace millrace::event {

// How many elements it has.
inline std::int64_t count_of(const Box& box) {
  std::int64_t n = 1;
  for (const Range& r : box.span()) n *= r.end > r.begin ? (r.end - r.begin + r.stride - 1) / r.stride : 0;
  return n;
}

}  // namespace millrace::event
