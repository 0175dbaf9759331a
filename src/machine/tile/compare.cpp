// SPDX-License-Identifier: Apache-2.0
// Comparisons, by MLIR's predicate numbers, into i1 bytes; and select.
#include <algorithm>
#include <array>
#include <utility>

#include "machine/tile/loops.h"

namespace millrace::tile {
namespace {

// arith.cmpi: eq ne slt sle sgt sge ult ule ugt uge.
constexpr int kIntegerPredicates = 10;

template <int predicate, class T>
MILLRACE_TILE_INLINE bool holds(typename T::Stored a, typename T::Stored b) {
  const auto sa = T::as_signed(a), sb = T::as_signed(b);
  const auto ua = T::as_unsigned(a), ub = T::as_unsigned(b);
  if constexpr (predicate == 0) return ua == ub;
  if constexpr (predicate == 1) return ua != ub;
  if constexpr (predicate == 2) return sa < sb;
  if constexpr (predicate == 3) return sa <= sb;
  if constexpr (predicate == 4) return sa > sb;
  if constexpr (predicate == 5) return sa >= sb;
  if constexpr (predicate == 6) return ua < ub;
  if constexpr (predicate == 7) return ua <= ub;
  if constexpr (predicate == 8) return ua > ub;
  if constexpr (predicate == 9) return ua >= ub;
}

// arith.cmpf: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true. As the set of outcomes for which one
// holds (1 equal, 2 greater, 4 less, 8 unordered), the ordered ones are their own numbers.
constexpr int kFloatPredicates = 16;

constexpr int outcomes(int predicate) {
  if (predicate < 8) return predicate;
  if (predicate < 14) return 8 | (predicate - 7);
  return predicate == 14 ? 8 : 15;
}

template <int predicate>
MILLRACE_TILE_INLINE bool holds_for_floats(float a, float b) {
  constexpr int kSet = outcomes(predicate);
  const bool equal = a == b, greater = a > b, less = a < b, unordered = !(a == a) | !(b == b);
  return (((kSet & 1) != 0) & equal) | (((kSet & 2) != 0) & greater) | (((kSet & 4) != 0) & less) |
         (((kSet & 8) != 0) & unordered);
}

template <int predicate, class T>
MILLRACE_TILE_CLONES void compare_integer_tiles(const void* a, const void* b, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  const auto* y = static_cast<const typename T::Stored*>(b);
  auto* to = static_cast<std::uint8_t*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = holds<predicate, T>(x[i], y[i]) ? 1 : 0;
}

template <int predicate, class T>
MILLRACE_TILE_CLONES void compare_float_tiles(const void* a, const void* b, void* out, std::size_t n) {
  const auto* x = static_cast<const typename T::Stored*>(a);
  const auto* y = static_cast<const typename T::Stored*>(b);
  auto* to = static_cast<std::uint8_t*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = holds_for_floats<predicate>(T::load(x[i]), T::load(y[i])) ? 1 : 0;
}

template <class T, std::size_t... p>
Binary integer_comparison(std::size_t predicate, std::index_sequence<p...>) {
  constexpr std::array<Binary, sizeof...(p)> kLoops{&compare_integer_tiles<static_cast<int>(p), T>...};
  return kLoops[predicate];
}
template <class T, std::size_t... p>
Binary float_comparison(std::size_t predicate, std::index_sequence<p...>) {
  constexpr std::array<Binary, sizeof...(p)> kLoops{&compare_float_tiles<static_cast<int>(p), T>...};
  return kLoops[predicate];
}

// Words rather than floats: select moves bits.
template <class Word>
MILLRACE_TILE_CLONES void select_words(const void* condition, const void* a, const void* b, void* out, std::size_t n) {
  const auto* c = static_cast<const std::uint8_t*>(condition);
  const auto* x = static_cast<const Word*>(a);
  const auto* y = static_cast<const Word*>(b);
  auto* to = static_cast<Word*>(out);
  MILLRACE_TILE_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    const auto mask = static_cast<Word>(Word{0} - static_cast<Word>(c[i] & 1u));
    to[i] = static_cast<Word>((x[i] & mask) | (y[i] & static_cast<Word>(~mask)));
  }
}

}  // namespace

Binary compare_integers(std::int64_t predicate, Element element) {
  if (predicate < 0 || predicate >= kIntegerPredicates) return nullptr;
  return with_integer<Binary>(element, [predicate]<class T>(T) -> Binary {
    return integer_comparison<T>(static_cast<std::size_t>(predicate), std::make_index_sequence<kIntegerPredicates>());
  });
}

Binary compare_floats(std::int64_t predicate, Element element) {
  if (predicate < 0 || predicate >= kFloatPredicates) return nullptr;
  return with_float<Binary>(element, [predicate]<class T>(T) -> Binary {
    return float_comparison<T>(static_cast<std::size_t>(predicate), std::make_index_sequence<kFloatPredicates>());
  });
}

Select select(std::size_t bytes) {
  switch (bytes) {
    case 1: return &select_words<std::uint8_t>;
    case 2: return &select_words<std::uint16_t>;
    case 4: return &select_words<std::uint32_t>;
    case 8: return &select_words<std::uint64_t>;
    default: return nullptr;
  }
}

}  // namespace millrace::tile
