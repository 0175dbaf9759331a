// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "event/event.h"

namespace millrace::machine {

// A nest of loops, sizes outermost first, over two sides at once: a stride for each, in bytes or elements.
struct Nest {
  int rank = 0;
  static constexpr int kMost = event::kMaxRank + 2;  // two for elements in parts
  std::int64_t size[kMost], a[kMost], b[kMost];

  void add(std::int64_t n, std::int64_t stride_a, std::int64_t stride_b) {
    if (n == 1) return;
    size[rank] = n, a[rank] = stride_a, b[rank] = stride_b;
    ++rank;
  }

  // Joins neighbours that are one longer run on both sides.
  void merge() {
    for (int k = rank - 1; k > 0; --k) {
      if (a[k - 1] != a[k] * size[k] || b[k - 1] != b[k] * size[k]) continue;
      size[k - 1] *= size[k], a[k - 1] = a[k], b[k - 1] = b[k];
      for (int j = k; j + 1 < rank; ++j) size[j] = size[j + 1], a[j] = a[j + 1], b[j] = b[j + 1];
      --rank;
    }
  }
};

template <class Body>
void walk(const Nest& n, int level, std::int64_t a, std::int64_t b, int inner, const Body& body) {
  if (level == inner) return body(a, b);
  for (std::int64_t i = 0; i < n.size[level]; ++i)
    walk(n, level + 1, a + i * n.a[level], b + i * n.b[level], inner, body);
}

}  // namespace millrace::machine
