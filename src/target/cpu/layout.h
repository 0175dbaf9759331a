// SPDX-License-Identifier: Apache-2.0
// How the elements of a value lie: a nest of dimensions, sizes outermost first, with a step for each. Whoever computes
// several values at once cuts their nests at the same places.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace millrace::cpu {

struct Dim {
  std::int64_t size = 1, stride = 0;  // elements
  int symbol = -1;                    // not -1: the stride is this one, known only at run time, times `stride`
};
using Layout = std::vector<Dim>;

Layout dense(std::int64_t count);
std::int64_t count_of(const Layout& l);

// Where dimensions begin, counted in elements from the end: the products of the sizes behind them.
using Cuts = std::set<std::int64_t>;
void add_cuts(const Layout& l, Cuts& cuts);
// The same elements, with a dimension for each stretch between two cuts; none where a dimension cannot be cut there.
std::optional<Layout> cut(const Layout& l, const Cuts& cuts);

// The layout seen through a move of a value of shape `in`; none where the layout cannot be cut at its dimensions.
std::optional<Layout> broadcast(const Layout& l, std::span<const std::int64_t> in, std::span<const std::int64_t> out);
std::optional<Layout> transposed(const Layout& l, std::span<const std::int64_t> in,
                                 std::span<const std::int64_t> permutation);
// Also how far the first element is from where it was: `offset` in elements, of known strides only.
std::optional<Layout> sliced(const Layout& l, std::span<const std::int64_t> in, std::span<const std::int64_t> offsets,
                             std::span<const std::int64_t> sizes, std::int64_t& offset);

// Joins neighbours that one stride steps through in all of the layouts; they have equal sizes. Dimensions of 1 go.
void join(std::vector<Layout>& layouts);

}  // namespace millrace::cpu
