// SPDX-License-Identifier: Apache-2.0
// How an array is cut into blocks, and which block each step of a grid sees.
//
//   BlockSpec{{8, 128}, [](Index i, Index j) { return block(i, j); }}
//
// gives step (i, j) the elements [8 * i, 8 * i + 8) x [128 * j, 128 * j + 128): the map counts blocks, not elements.
// A dimension of kSqueezed is one element of the array, named by the map, and is not there in the window:
//
//   BlockSpec{{kSqueezed, 8, 128}, [](Index i, Index j) { return block(i, j, 0); }}     // the body sees (8, 128)
//
// A map may compute its places from data: after the indices it takes the scalars that a grid kernel prefetches, and in
// a pipeline it may load from SMEM refs that it captures.
//
// Steps run one after the other, the last axis of the grid fastest. Consecutive steps with the same block share its
// window: an input is not loaded again, an output is written back when its block is left.
#pragma once

#include <limits>
#include <optional>

#include "millrace/signature.h"

namespace millrace {

// The result of an index map.
struct Block {
  std::vector<Index> places;
};
template <class... I>
Block block(const I&... places) {
  static_assert(((dsl::Integer<I> || std::same_as<I, Index>)&&...), "a block's places are Index or int");
  return {{Index(places)...}};
}

// How many windows an operand gets: with 2, the next block is loaded while this one is used. With lookahead, an input
// of emit_pipeline loads its next different block as soon as a window is free, however many steps ahead that is.
struct Buffered {
  int count = 2;
  bool lookahead = false;
};

inline constexpr std::int64_t kSqueezed = std::numeric_limits<std::int64_t>::min();

namespace dsl {
struct IndexMap {
  std::size_t indices = 0, refs = 0;
  std::function<Block(const std::vector<Index>&, const std::vector<Ref>&)> call;  // empty: block (0, 0, ...)
};

template <class... A>
consteval bool indices_then_refs() {
  bool refs = false, right = true;
  ((std::same_as<A, Index> ? right = right && !refs : (refs = true, right = right && std::same_as<A, Ref>)), ...);
  return right;
}

template <class A>
const A& argument_of(std::size_t i, const std::vector<Index>& at, const std::vector<Ref>& scalars) {
  if constexpr (std::same_as<A, Index>) {
    return at[i];
  } else {
    return scalars[i - at.size()];
  }
}

template <class F, class... A>
IndexMap make_map_of(F map, std::tuple<A...>*) {
  static_assert(indices_then_refs<A...>(),
                "an index map takes one Index for each axis of the grid, then a Ref for each prefetched operand");
  static_assert(std::same_as<ResultOf<F>, Block>, "an index map returns block(...)");
  constexpr std::size_t kIndices = (std::size_t{std::same_as<A, Index>} + ... + 0);
  return {kIndices, sizeof...(A) - kIndices, [map](const std::vector<Index>& at, const std::vector<Ref>& scalars) {
            return [&]<std::size_t... I>(std::index_sequence<I...>) { return map(argument_of<A>(I, at, scalars)...); }
            (std::index_sequence_for<A...>{});
          }};
}
}  // namespace dsl

class MILLRACE_API BlockSpec {
 public:
  template <class F>
  BlockSpec(Shape shape, F map, std::optional<Buffered> buffered = {}, Site at = Site::current())
      : shape(std::move(shape)),
        map(dsl::make_map_of(std::move(map), static_cast<dsl::ArgumentsOf<F>*>(nullptr))),
        buffered(buffered),
        at(at) {}

  // The whole array, the same for every step.
  static BlockSpec whole(Space space = Space::kVmem, Site at = Site::current());
  // No windows: the body sees the array where it lies, and copies by itself.
  static BlockSpec in_place(Site at = Site::current());
  // The same blocks, with the window in another memory: kSmem for scalars.
  BlockSpec in(Space window) const;

  std::optional<Shape> shape;  // empty: the whole array; kSqueezed where a dimension goes away
  dsl::IndexMap map;
  std::optional<Buffered> buffered;
  Space space = Space::kVmem;  // of the window
  Site at;

 private:
  explicit BlockSpec(Site at) : at(at) {}
};

}  // namespace millrace
