// SPDX-License-Identifier: Apache-2.0
// Moves of elements between tiles: each is a strided copy with strides of its own. Bits are never changed.
#include <type_traits>
#include <vector>

#include "machine/tile/strided.h"
#include "machine/tile/tile.h"
#include "millrace/error.h"

namespace millrace::tile {
namespace {

using Extents = std::span<const std::int64_t>;

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(ErrorCode::kInternal, sentence);
}

template <class Pointer>
Pointer* moved_by(Pointer* base, std::int64_t elements, std::size_t element_bytes) {
  using Byte = std::conditional_t<std::is_const_v<Pointer>, const char, char>;
  return static_cast<Byte*>(base) + elements * static_cast<std::int64_t>(element_bytes);
}

}  // namespace

void broadcast(const void* in, Extents in_shape, void* out, Extents out_shape, std::size_t element_bytes) {
  require(in_shape.size() <= out_shape.size(), "broadcast: the input has more dimensions than the output");
  const std::size_t added = out_shape.size() - in_shape.size();
  const auto in_steps = row_major_strides(in_shape);
  std::vector<std::int64_t> strides(out_shape.size(), 0);
  for (std::size_t d = 0; d < in_shape.size(); ++d) {
    require(in_shape[d] == 1 || in_shape[d] == out_shape[added + d], "broadcast: only a dimension of 1 stretches");
    if (in_shape[d] != 1) strides[added + d] = in_steps[d];
  }
  copy_strided(out_shape, in, strides, out, row_major_strides(out_shape), element_bytes);
}

void transpose(const void* in, Extents in_shape, Extents permutation, void* out, std::size_t element_bytes) {
  require(permutation.size() == in_shape.size(), "transpose: the permutation is not as long as the shape");
  const auto in_steps = row_major_strides(in_shape);
  std::vector<std::int64_t> shape, strides;
  for (const std::int64_t d : permutation) {
    require(d >= 0 && d < static_cast<std::int64_t>(in_shape.size()), "transpose: no such dimension");
    shape.push_back(in_shape[static_cast<std::size_t>(d)]);
    strides.push_back(in_steps[static_cast<std::size_t>(d)]);
  }
  copy_strided(shape, in, strides, out, row_major_strides(shape), element_bytes);
}

void iota(Extents shape, Extents dimensions, std::int32_t* out) {
  std::vector<std::int64_t> weight(shape.size(), 0);  // how much a step along a dimension adds
  std::int64_t step = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const std::int64_t d = dimensions[i];
    require(d >= 0 && d < static_cast<std::int64_t>(shape.size()), "iota: no such dimension");
    weight[static_cast<std::size_t>(d)] = step;
    step *= shape[static_cast<std::size_t>(d)];
  }
  const std::int64_t count = elements_in(shape), row = shape.empty() ? 1 : shape.back();
  const auto along_row = static_cast<std::int32_t>(shape.empty() ? 0 : weight.back());
  std::vector<std::int64_t> index(shape.size(), 0);
  std::int64_t value = 0;  // at the start of a row
  for (std::int64_t start = 0; start < count; start += row) {
    const auto first = static_cast<std::int32_t>(value);
    for (std::int64_t i = 0; i < row; ++i) out[start + i] = first + static_cast<std::int32_t>(i) * along_row;
    for (std::size_t d = shape.empty() ? 0 : shape.size() - 1; d-- > 0;) {
      value += weight[d];
      if (++index[d] < shape[d]) break;
      value -= weight[d] * shape[d];
      index[d] = 0;
    }
  }
}

void concatenate_part(const void* in, Extents in_shape, void* out, Extents out_shape, std::int64_t dimension,
                      std::int64_t offset, std::size_t element_bytes) {
  require(in_shape.size() == out_shape.size(), "concatenate: a part has another number of dimensions");
  require(dimension >= 0 && dimension < static_cast<std::int64_t>(out_shape.size()), "concatenate: no such dimension");
  const auto d = static_cast<std::size_t>(dimension);
  require(offset >= 0 && offset + in_shape[d] <= out_shape[d], "concatenate: a part lies outside the whole");
  const auto out_steps = row_major_strides(out_shape);
  copy_strided(in_shape, in, row_major_strides(in_shape), moved_by(out, offset * out_steps[d], element_bytes),
               out_steps, element_bytes);
}

void extract_slice(const void* in, Extents in_shape, Extents offsets, Extents sizes, void* out,
                   std::size_t element_bytes) {
  require(offsets.size() == in_shape.size() && sizes.size() == in_shape.size(),
          "slice: offsets and sizes are not as long as the shape");
  const auto in_steps = row_major_strides(in_shape);
  std::int64_t first = 0;
  for (std::size_t d = 0; d < in_shape.size(); ++d) {
    require(offsets[d] >= 0 && sizes[d] >= 0 && offsets[d] + sizes[d] <= in_shape[d], "slice: outside the tile");
    first += offsets[d] * in_steps[d];
  }
  copy_strided(sizes, moved_by(in, first, element_bytes), in_steps, out, row_major_strides(sizes), element_bytes);
}

void rotate(const void* in, Extents shape, std::int64_t dimension, std::int64_t amount, void* out,
            std::size_t element_bytes) {
  require(dimension >= 0 && dimension < static_cast<std::int64_t>(shape.size()), "rotate: no such dimension");
  const auto d = static_cast<std::size_t>(dimension);
  const std::int64_t n = shape[d];
  if (n == 0) return;
  const std::int64_t shift = ((amount % n) + n) % n;
  const auto steps = row_major_strides(shape);
  std::vector<std::int64_t> part(shape.begin(), shape.end());
  part[d] = n - shift;  // these move up by `shift`
  copy_strided(part, in, steps, moved_by(out, shift * steps[d], element_bytes), steps, element_bytes);
  part[d] = shift;  // and these come round to the front
  copy_strided(part, moved_by(in, (n - shift) * steps[d], element_bytes), steps, out, steps, element_bytes);
}

}  // namespace millrace::tile
