// SPDX-License-Identifier: Apache-2.0
// Moves in which each element, or each row, comes from a place of its own.
#include <cstring>

#include "machine/tile/strided.h"
#include "machine/tile/tile.h"
#include "millrace/error.h"

namespace millrace::tile {
namespace {

using Extents = std::span<const std::int64_t>;

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorCode::kInternal, sentence);
}

// A shape around one dimension: `outer` blocks of `size` rows of `inner` elements.
struct Around {
  std::int64_t outer = 1, size = 1, inner = 1;
};

Around around(Extents shape, std::int64_t dimension) {
  require(dimension >= 0 && dimension < static_cast<std::int64_t>(shape.size()), "gather, rotate: no such dimension");
  Around a;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto at = static_cast<std::int64_t>(d);
    (at < dimension ? a.outer : at == dimension ? a.size : a.inner) *= shape[d];
  }
  return a;
}

std::int64_t floor_mod(std::int64_t a, std::int64_t n) { return ((a % n) + n) % n; }

template <class Word>
void gather_words(const Around& from, std::int64_t rows, const Word* in, const std::int32_t* indices, Word* out) {
  for (std::int64_t o = 0; o < from.outer; ++o, in += from.size * from.inner) {
    for (std::int64_t k = 0; k < rows; ++k, indices += from.inner, out += from.inner) {
      for (std::int64_t i = 0; i < from.inner; ++i) out[i] = in[floor_mod(indices[i], from.size) * from.inner + i];
    }
  }
}

}  // namespace

void gather(const void* in, Extents in_shape, const std::int32_t* indices, Extents out_shape, std::int64_t dimension,
            void* out, std::size_t element_bytes) {
  require(in_shape.size() == out_shape.size(), "gather: the indices have another number of dimensions");
  const Around from = around(in_shape, dimension), to = around(out_shape, dimension);
  require(from.outer == to.outer && from.inner == to.inner, "gather: the shapes differ in another dimension");
  if (from.size == 0) return;
  const auto run = [&]<class Word>(Word) {
    gather_words(from, to.size, static_cast<const Word*>(in), indices, static_cast<Word*>(out));
  };
  switch (element_bytes) {
    case 1: return run(std::uint8_t{});
    case 2: return run(std::uint16_t{});
    case 4: return run(std::uint32_t{});
    case 8: return run(std::uint64_t{});
    default: throw Error(ErrorCode::kInternal, "gather: elements of this size do not exist");
  }
}

void rotate_strided(const void* in, Extents shape, std::int64_t dimension, std::int64_t amount, std::int64_t stride,
                    std::int64_t stride_dimension, void* out, std::size_t element_bytes) {
  require(dimension != stride_dimension, "rotate: a dimension cannot stride along itself");
  const Around across = around(shape, stride_dimension);
  std::vector<std::int64_t> part(shape.begin(), shape.end()), offsets(shape.size(), 0);
  part[static_cast<std::size_t>(stride_dimension)] = 1;
  std::vector<std::byte> slice(static_cast<std::size_t>(elements_in(part)) * element_bytes), rotated(slice.size());
  for (std::int64_t k = 0; k < across.size; ++k) {
    offsets[static_cast<std::size_t>(stride_dimension)] = k;
    extract_slice(in, shape, offsets, part, slice.data(), element_bytes);
    rotate(slice.data(), part, dimension, amount + k * stride, rotated.data(), element_bytes);
    concatenate_part(rotated.data(), part, out, shape, stride_dimension, k, element_bytes);
  }
}

}  // namespace millrace::tile
