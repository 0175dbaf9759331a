// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

// What a copy does: so many bytes in a row on both sides, again and again. Side a is where they come from.
struct Runs {
  Nest loops;
  std::int64_t length = 0;  // bytes

  // Of a nest of elements of so many bytes, strides in bytes.
  static Runs of(Nest n, std::int64_t bytes) {
    n.merge();
    const bool dense = n.rank > 0 && n.a[n.rank - 1] == bytes && n.b[n.rank - 1] == bytes;
    if (dense) bytes *= n.size[--n.rank];
    return {n, bytes};
  }
};

template <class Body>
void walk(const Nest& n, int level, std::int64_t a, std::int64_t b, int inner, const Body& body) {
  if (level == inner) return body(a, b);
  for (std::int64_t i = 0; i < n.size[level]; ++i)
    walk(n, level + 1, a + i * n.a[level], b + i * n.b[level], inner, body);
}

inline void copy_runs(const Runs& runs, const std::byte* from, std::byte* to) {
  const auto length = static_cast<std::size_t>(runs.length);
  walk(runs.loops, 0, 0, 0, runs.loops.rank,
       [&](std::int64_t a, std::int64_t b) { std::memcpy(to + b, from + a, length); });
}

}  // namespace millrace::machine
