// SPDX-License-Identifier: Apache-2.0
// What an element of a semaphore array is called: "scratch1[2]", of an array of two dimensions "scratch1[1, 0]".
#pragma once

#include <cstdint>
#include <string>

#include "millrace/array.h"

namespace millrace::event {

// `element`: its row-major position. A single semaphore goes by the name alone.
inline std::string element_name(const std::string& array, const Shape& shape, std::int64_t element) {
  if (shape.empty()) return array;
  std::string indices;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::int64_t n = d == 0 || shape[d] < 1 ? element + 1 : shape[d];
    indices = std::to_string(element % n) + (indices.empty() ? "" : ", ") + indices;
    element /= n;
  }
  return array + "[" + indices + "]";
}

}  // namespace millrace::event
