// SPDX-License-Identifier: Apache-2.0
// tpu.reduce_index: the place of the largest or smallest element along one dimension.
#include "machine/tile/tile.h"

namespace millrace::tile {
namespace {

// Whether `x`, met later, takes the place of `best`: never once that is a NaN, always if it is the first NaN itself.
template <bool maximum>
bool replaces(float x, float best) {
  if (best != best) return false;
  return x != x || (maximum ? x > best : x < best);
}

template <bool maximum>
void place_of_extreme(const Reduction& r, const void* in, void* out) {
  const auto dimension = static_cast<std::size_t>(r.dimensions[0]);
  std::int64_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < r.shape.size(); ++d) {
    if (d < dimension) outer *= r.shape[d];
    if (d > dimension) inner *= r.shape[d];
  }
  const std::int64_t length = r.shape[dimension];
  const auto* x = static_cast<const float*>(in);
  auto* to = static_cast<std::int32_t*>(out);
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < inner; ++i) {
      const float* first = x + o * length * inner + i;
      std::int64_t best = 0;
      for (std::int64_t e = 1; e < length; ++e) {
        if (replaces<maximum>(first[e * inner], first[best * inner])) best = e;
      }
      *to++ = static_cast<std::int32_t>(best);
    }
  }
}

}  // namespace

ReduceIndex reduce_index(std::string_view kind, Element element) {
  if (element != Element::kF32) return nullptr;
  if (kind == "arg_max") return &place_of_extreme<true>;
  if (kind == "arg_min") return &place_of_extreme<false>;
  return nullptr;
}

}  // namespace millrace::tile
