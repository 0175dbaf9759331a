// SPDX-License-Identifier: Apache-2.0
// vector.multi_reduction. The elements that fold into one result are numbered in row-major order; number e goes to
// partial result e mod 16, the partials are folded in halves (l with l + 8, then 4, 2, 1), the accumulator comes last.
// Float sums and products are carried in double and rounded once. The order depends on nothing else: not on which
// dimensions are reduced, nor on the machine.
#include <algorithm>
#include <vector>

#include "machine/tile/folds.h"
#include "machine/tile/loops.h"
#include "machine/tile/strided.h"

namespace millrace::tile {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kColumns = 32;  // results worked on at a time where they, not their elements, are neighbours

// `results` runs of `length` elements, one after another.
template <class K>
MILLRACE_TILE_CLONES void fold_rows(const typename K::Type::Stored* in, const typename K::Type::Stored* accumulator,
                                    typename K::Type::Stored* out, std::size_t results, std::size_t length) {
  for (std::size_t r = 0; r < results; ++r, in += length) {
    typename K::Carried lanes[kLanes];
    for (auto& lane : lanes) lane = K::kStart;
    std::size_t e = 0;
    for (; e + kLanes <= length; e += kLanes) {
      for (std::size_t l = 0; l < kLanes; ++l) lanes[l] = K::step(lanes[l], K::load(in[e + l]));
    }
    for (std::size_t l = 0; e + l < length; ++l) lanes[l] = K::step(lanes[l], K::load(in[e + l]));
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
      for (std::size_t l = 0; l < half; ++l) lanes[l] = K::step(lanes[l], lanes[l + half]);
    }
    out[r] = K::store(K::step(K::load(accumulator[r]), lanes[0]));
  }
}

// `columns` (at most kColumns) neighbouring results, whose elements are `stride` apart. Of fewer than kLanes elements
// each, only as many partial results are kept: folding in an untouched one would change nothing.
template <class K>
MILLRACE_TILE_CLONES void fold_columns(const typename K::Type::Stored* in, const typename K::Type::Stored* accumulator,
                                       typename K::Type::Stored* out, std::size_t columns, std::size_t length,
                                       std::size_t stride) {
  typename K::Carried lanes[kLanes][kColumns];
  const std::size_t used = length == 0 ? 1 : (length < kLanes ? length : kLanes);
  for (std::size_t l = 0; l < used; ++l) {
    for (auto& carried : lanes[l]) carried = K::kStart;
  }
  for (std::size_t e = 0; e < length; ++e) {
    auto* lane = lanes[e % kLanes];
    const auto* row = in + e * stride;
    if (columns == kColumns) {
      for (std::size_t c = 0; c < kColumns; ++c) lane[c] = K::step(lane[c], K::load(row[c]));
    } else {
      for (std::size_t c = 0; c < columns; ++c) lane[c] = K::step(lane[c], K::load(row[c]));
    }
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half && l + half < used; ++l) {
      for (std::size_t c = 0; c < kColumns; ++c) lanes[l][c] = K::step(lanes[l][c], lanes[l + half][c]);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) out[c] = K::store(K::step(K::load(accumulator[c]), lanes[0][c]));
}

// The input seen as (outer, reduced, inner), where the reduced dimensions are neighbours.
struct Layout {
  std::size_t outer = 1, reduced = 1, inner = 1;
  bool neighbours = true;
};

bool is_reduced(const Reduction& r, std::size_t d) {
  return std::find(r.dimensions.begin(), r.dimensions.end(), static_cast<std::int64_t>(d)) != r.dimensions.end();
}

Layout layout_of(const Reduction& r) {
  Layout layout;
  bool seen = false;
  for (std::size_t d = 0; d < r.shape.size(); ++d) {
    const auto size = static_cast<std::size_t>(r.shape[d]);
    if (is_reduced(r, d)) {
      if (layout.inner != 1) layout.neighbours = false;
      layout.reduced *= size;
      seen = true;
    } else {
      (seen ? layout.inner : layout.outer) *= size;
    }
  }
  return layout;
}

// Puts the kept dimensions first and the reduced ones last.
template <class Stored>
std::vector<Stored> kept_first(const Reduction& r, const void* in) {
  std::vector<std::int64_t> permutation;
  for (const bool reduced : {false, true}) {
    for (std::size_t d = 0; d < r.shape.size(); ++d) {
      if (is_reduced(r, d) == reduced) permutation.push_back(static_cast<std::int64_t>(d));
    }
  }
  std::vector<Stored> copy(static_cast<std::size_t>(elements_in(r.shape)));
  transpose(in, r.shape, permutation, copy.data(), sizeof(Stored));
  return copy;
}

template <class K>
void reduce_tile(const Reduction& r, const void* in, const void* accumulator, void* out) {
  using Stored = typename K::Type::Stored;
  const Layout layout = layout_of(r);
  const auto* x = static_cast<const Stored*>(in);
  const auto* start = static_cast<const Stored*>(accumulator);
  auto* to = static_cast<Stored*>(out);
  if (!layout.neighbours) {
    fold_rows<K>(kept_first<Stored>(r, in).data(), start, to, layout.outer * layout.inner, layout.reduced);
    return;
  }
  if (layout.inner == 1) {
    fold_rows<K>(x, start, to, layout.outer, layout.reduced);
    return;
  }
  for (std::size_t o = 0; o < layout.outer; ++o, x += layout.reduced * layout.inner) {
    for (std::size_t c = 0; c < layout.inner; c += kColumns) {
      const std::size_t at = o * layout.inner + c;
      fold_columns<K>(x + c, start + at, to + at, std::min(kColumns, layout.inner - c), layout.reduced, layout.inner);
    }
  }
}

template <template <class> class K>
Reduce float_fold(Element element) {
  return with_float<Reduce>(element, []<class T>(T) -> Reduce { return &reduce_tile<K<T>>; });
}

// Up to 32 bits.
template <template <class> class K>
Reduce integer_fold(Element element) {
  return with_integer<Reduce>(element, []<class T>(T) -> Reduce {
    if constexpr (T::kBits > 32) {
      return nullptr;
    } else {
      return &reduce_tile<K<T>>;
    }
  });
}

template <template <class> class OfFloats, template <class> class OfIntegers>
Reduce either_fold(Element element) {
  const Reduce floats = float_fold<OfFloats>(element);
  return floats ? floats : integer_fold<OfIntegers>(element);
}

struct Kind {
  std::string_view name;
  Reduce (*find)(Element element);
};

constexpr Kind kKinds[] = {
    {"add", &either_fold<fold::FloatSum, fold::IntegerSum>},
    {"mul", &either_fold<fold::FloatProduct, fold::IntegerProduct>},
    {"maximumf", &float_fold<fold::FloatMaximum>},
    {"minimumf", &float_fold<fold::FloatMinimum>},
    {"maxsi", &integer_fold<fold::MaximumSigned>},
    {"minsi", &integer_fold<fold::MinimumSigned>},
    {"maxui", &integer_fold<fold::MaximumUnsigned>},
    {"minui", &integer_fold<fold::MinimumUnsigned>},
    {"and", &integer_fold<fold::IntegerAnd>},
    {"or", &integer_fold<fold::IntegerOr>},
    {"xor", &integer_fold<fold::IntegerXor>},
};

}  // namespace

Reduce reduce(std::string_view kind, Element element) {
  for (const Kind& row : kKinds) {
    if (row.name == kind) return row.find(element);
  }
  return nullptr;
}

}  // namespace millrace::tile
