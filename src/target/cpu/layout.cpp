// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/layout.h"

#include <algorithm>

namespace millrace::cpu {

Layout dense(std::int64_t count) { return {{count, 1, -1}}; }

std::int64_t count_of(const Layout& l) {
  std::int64_t n = 1;
  for (const Dim& d : l) n *= d.size;
  return n;
}

void add_cuts(const Layout& l, Cuts& cuts) {
  std::int64_t behind = 1;
  cuts.insert(behind);
  for (auto d = l.rbegin(); d != l.rend(); ++d) cuts.insert(behind *= d->size);
}

std::optional<Layout> cut(const Layout& l, const Cuts& cuts) {
  Layout result;
  std::int64_t behind = 1;
  for (auto d = l.rbegin(); d != l.rend(); ++d) {
    const std::int64_t end = behind * d->size;
    std::int64_t stride = d->stride;
    for (auto c = cuts.upper_bound(behind); behind < end; ++c) {
      const std::int64_t to = c == cuts.end() ? end : std::min(*c, end);
      if (to % behind != 0 || end % to != 0) return {};
      result.push_back({to / behind, stride, d->symbol});
      stride *= to / behind;
      behind = to;
    }
  }
  std::ranges::reverse(result);
  return result;
}

namespace {

// The layout's dimensions by dimension of the shape; none where it cannot be cut so.
std::optional<std::vector<Layout>> by_dimension(const Layout& l, std::span<const std::int64_t> shape) {
  Cuts cuts;
  Layout of_shape;
  for (const std::int64_t n : shape) of_shape.push_back({n, 0, -1});
  add_cuts(of_shape, cuts);
  const auto pieces = cut(l, cuts);
  if (!pieces) return {};
  std::vector<Layout> groups(shape.size());
  auto p = pieces->begin();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::int64_t n = 1;
    for (; p != pieces->end() && n * p->size <= shape[d]; ++p) n *= p->size, groups[d].push_back(*p);
    if (n != shape[d]) return {};
  }
  return groups;
}

void append(Layout& to, const Layout& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

std::optional<Layout> broadcast(const Layout& l, std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  const auto groups = by_dimension(l, in);
  if (!groups) return {};
  Layout result;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const std::size_t missing = out.size() - in.size();
    if (d < missing || in[d - missing] != out[d])
      result.push_back({out[d], 0, -1});
    else
      append(result, (*groups)[d - missing]);
  }
  return result;
}

std::optional<Layout> transposed(const Layout& l, std::span<const std::int64_t> in,
                                 std::span<const std::int64_t> permutation) {
  const auto groups = by_dimension(l, in);
  if (!groups) return {};
  Layout result;
  for (const std::int64_t d : permutation) append(result, (*groups)[static_cast<std::size_t>(d)]);
  return result;
}

std::optional<Layout> sliced(const Layout& l, std::span<const std::int64_t> in, std::span<const std::int64_t> offsets,
                             std::span<const std::int64_t> sizes, std::int64_t& offset) {
  const auto groups = by_dimension(l, in);
  if (!groups) return {};
  Layout result;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const Layout& group = (*groups)[d];
    if (sizes[d] == in[d]) {
      append(result, group);
      continue;
    }
    if (group.size() > 1 || (!group.empty() && group[0].symbol >= 0 && offsets[d] != 0)) return {};
    if (group.empty()) continue;
    offset += offsets[d] * group[0].stride;
    result.push_back({sizes[d], group[0].stride, group[0].symbol});
  }
  return result;
}

void join(std::vector<Layout>& layouts) {
  if (layouts.empty()) return;
  const auto remove = [&](std::size_t d) {
    for (Layout& l : layouts) l.erase(l.begin() + static_cast<std::ptrdiff_t>(d));
  };
  for (std::size_t d = layouts[0].size(); d-- > 0;)
    if (layouts[0][d].size == 1) remove(d);
  for (std::size_t d = layouts[0].size(); d-- > 1;) {
    const bool one = std::ranges::all_of(layouts, [&](const Layout& l) {
      const Dim &outer = l[d - 1], &inner = l[d];
      return outer.symbol == inner.symbol && outer.stride == inner.stride * inner.size &&
             (inner.symbol < 0 || inner.stride == 0);
    });
    if (!one) continue;
    for (Layout& l : layouts) l[d].size *= l[d - 1].size;
    remove(d - 1);
  }
}

}  // namespace millrace::cpu
