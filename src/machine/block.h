// SPDX-License-Identifier: Apache-2.0
// Which part of an array a window's block is (S5.5, S5.9): for whoever moves blocks, the simulated pipeline or a CPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "machine/view.h"
#include "program/program.h"

namespace millrace::machine {

// Where the block that an index map asks for begins along dimension `d` of its array: the map counts blocks, or, of an
// element window, elements of the padded array, so that a block may begin before the array. None: no such block.
inline std::optional<std::int64_t> block_start(const program::Window& w, std::size_t d, std::int64_t asked) {
  const std::int64_t block = w.block[d], extent = w.array[d];
  if (w.elements) {
    if (asked >= 0 && asked + block <= w.low[d] + extent + w.high[d]) return asked - w.low[d];
    return {};
  }
  if (asked >= 0 && (asked == 0 || asked * block < extent)) return asked * block;
  return {};
}
// The sentence about a block that there is not.
std::string no_such_block(const program::Window& w, std::size_t d, std::int64_t asked);

struct Covered {
  bool cut = false;    // a part of the block lies outside the array
  bool empty = false;  // all of it
};

// Narrows the views of a whole array and of a whole buffer to what of the block lies in the array, which begins at
// start(dimension).
template <class Start>
Covered narrow_to_block(const program::Window& w, const Start& start, View& array, View& buffer) {
  Covered covered;
  for (int d = 0; d < array.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const std::int64_t begin = start(k), first = std::max<std::int64_t>(begin, 0);
    const std::int64_t size = std::max<std::int64_t>(std::min(begin + w.block[k], w.array[k]) - first, 0);
    array.start[d] = first;
    buffer.start[d] = first - begin;
    array.size[d] = array.inside[d] = buffer.size[d] = buffer.inside[d] = size;
    covered.cut |= size < w.block[k], covered.empty |= size == 0;
  }
  return covered;
}

}  // namespace millrace::machine
