// SPDX-License-Identifier: Apache-2.0
// The strided copy: dimensions that lie together are merged, and the innermost one or two go through a fast loop.
#include "machine/tile/strided.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "millrace/error.h"

namespace millrace::tile {
namespace {

struct Loop {
  std::int64_t size, in, out;
};

struct Nest {
  std::array<Loop, kMaxRank> loops;
  std::size_t rank = 0;
};

// Without dimensions of one element, and with neighbours merged where both sides step through them as through one.
Nest nest_of(std::span<const std::int64_t> shape, std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  Nest nest;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Loop inner{shape[d], in[d], out[d]};
    if (inner.size == 1) continue;
    if (nest.rank > 0) {
      Loop& outer = nest.loops[nest.rank - 1];
      if (outer.in == inner.in * inner.size && outer.out == inner.out * inner.size) {
        outer = {outer.size * inner.size, inner.in, inner.out};
        continue;
      }
    }
    nest.loops[nest.rank++] = inner;
  }
  return nest;
}

template <class Word>
void copy_row(const Loop& row, const Word* in, Word* out) {
  if (row.in == 1 && row.out == 1) {
    std::memcpy(out, in, static_cast<std::size_t>(row.size) * sizeof(Word));
  } else if (row.in == 0 && row.out == 1) {
    std::fill_n(out, row.size, *in);
  } else {
    for (std::int64_t i = 0; i < row.size; ++i) out[i * row.out] = in[i * row.in];
  }
}

// Reads run along `across`, writes along `row`: in squares, so that both sides stay in the cache.
template <class Word>
void copy_square(const Loop& across, const Loop& row, const Word* in, Word* out) {
  constexpr std::int64_t kSide = 16;
  for (std::int64_t i0 = 0; i0 < across.size; i0 += kSide) {
    const std::int64_t i1 = std::min(i0 + kSide, across.size);
    for (std::int64_t j0 = 0; j0 < row.size; j0 += kSide) {
      const std::int64_t j1 = std::min(j0 + kSide, row.size);
      for (std::int64_t i = i0; i < i1; ++i) {
        for (std::int64_t j = j0; j < j1; ++j) {
          out[i * across.out + j * row.out] = in[i * across.in + j * row.in];
        }
      }
    }
  }
}

// Calls f(in, out) at every index of the first `rank` loops.
template <class Word, class F>
void for_each_index(const Nest& nest, std::size_t rank, const Word* in, Word* out, F f) {
  std::array<std::int64_t, kMaxRank> index{};
  for (;;) {
    f(in, out);
    std::size_t d = rank;
    for (; d > 0; --d) {
      const Loop& loop = nest.loops[d - 1];
      in += loop.in;
      out += loop.out;
      if (++index[d - 1] < loop.size) break;
      in -= loop.in * loop.size;
      out -= loop.out * loop.size;
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

template <class Word>
void copy_nest(Nest nest, const void* from, void* to) {
  const auto* in = static_cast<const Word*>(from);
  auto* out = static_cast<Word*>(to);
  if (nest.rank == 0) {
    *out = *in;
    return;
  }
  const Loop row = nest.loops[--nest.rank];
  if (row.in > 1) {
    for (std::size_t d = nest.rank; d-- > 0;) {
      if (nest.loops[d].in != 1) continue;
      const Loop across = nest.loops[d];
      std::copy(nest.loops.begin() + d + 1, nest.loops.begin() + nest.rank, nest.loops.begin() + d);
      for_each_index(nest, nest.rank - 1, in, out, [&](const Word* i, Word* o) { copy_square(across, row, i, o); });
      return;
    }
  }
  for_each_index(nest, nest.rank, in, out, [&](const Word* i, Word* o) { copy_row(row, i, o); });
}

}  // namespace

std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) strides[d] = std::exchange(step, step * shape[d]);
  return strides;
}

std::int64_t elements_in(std::span<const std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

void copy_strided(std::span<const std::int64_t> shape, const void* in, std::span<const std::int64_t> in_strides,
                  void* out, std::span<const std::int64_t> out_strides, std::size_t element_bytes) {
  if (shape.size() > kMaxRank) {
    throw Error(ErrorCode::kUnsupported, "a tile of " + std::to_string(shape.size()) + " dimensions; at most " +
                                             std::to_string(kMaxRank) + " are supported");
  }
  if (elements_in(shape) == 0) return;
  const Nest nest = nest_of(shape, in_strides, out_strides);
  switch (element_bytes) {
    case 1: return copy_nest<std::uint8_t>(nest, in, out);
    case 2: return copy_nest<std::uint16_t>(nest, in, out);
    case 4: return copy_nest<std::uint32_t>(nest, in, out);
    case 8: return copy_nest<std::uint64_t>(nest, in, out);
    default:
      throw Error(ErrorCode::kInternal,
                  "elements of " + std::to_string(element_bytes) + " bytes; a tile has 1, 2, 4 or 8");
  }
}

}  // namespace millrace::tile
