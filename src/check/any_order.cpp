// SPDX-License-Identifier: Apache-2.0
#include "check/any_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace millrace::checkers {

using Position = AnyOrder::Position;

AnyOrder::AnyOrder(std::vector<bool> parallel, std::vector<Point> points)
    : parallel_(std::move(parallel)), points_(std::move(points)) {}

bool AnyOrder::may_precede(Position a, Position b) const {
  for (std::size_t d = 0; d < rank(); ++d)
    if (points_[a][d] != points_[b][d]) return parallel_[d] || points_[a][d] < points_[b][d];
  return false;
}

// The child of the node that holds this point.
AnyOrder::Node AnyOrder::child(const Node& node, Position of) const {
  const std::int64_t at = points_[of][node.axis];
  const auto first = points_.begin() + node.begin, last = points_.begin() + node.end;
  const auto low = std::lower_bound(first, last, at, [&](const Point& p, auto x) { return p[node.axis] < x; });
  const auto high = std::upper_bound(low, last, at, [&](auto x, const Point& p) { return x < p[node.axis]; });
  return {static_cast<Position>(low - points_.begin()), static_cast<Position>(high - points_.begin()), node.axis + 1};
}

AnyOrder::Some AnyOrder::within(Some some, const Node& node) const {
  const auto low = std::ranges::lower_bound(some, node.begin), high = std::ranges::lower_bound(some, node.end);
  return some.subspan(static_cast<std::size_t>(low - some.begin()), static_cast<std::size_t>(high - low));
}

// A point of the node that is none of `some`, all of which lie in the node.
std::optional<Position> AnyOrder::other_in(const Node& node, Some some) const {
  if (some.size() == node.end - node.begin) return {};
  for (std::size_t i = 0; i < some.size(); ++i)
    if (some[i] != node.begin + i) return node.begin + static_cast<Position>(i);
  return node.begin + static_cast<Position>(some.size());
}

// r lies between p and q in some order; or between q and p.
AnyOrder::Split AnyOrder::straight(Position p, Position r, Position q) const {
  return may_precede(p, r) && may_precede(r, q) ? Split{p, r, q} : Split{q, r, p};
}

std::optional<AnyOrder::Split> AnyOrder::split(Some some) const {
  if (some.empty()) return {};
  return split_below({0, static_cast<Position>(points_.size()), 0}, some);
}

std::optional<AnyOrder::Split> AnyOrder::split_below(Node node, Some some) const {
  for (;; ++node.axis) {
    const auto other = other_in(node, some);
    if (!other || node.axis == rank()) return {};
    const Node first = child(node, some.front()), last = child(node, some.back());
    if (first.begin == last.begin) {  // all in one child
      node.begin = first.begin, node.end = first.end;
      continue;
    }
    if (parallel_[node.axis]) {  // any child may come between two others, or a child's points before or after its own
      const Node with = child(node, *other);
      const Some same = within(some, with);
      const Position p = same.empty() ? some.front() : same.front();
      const Position q = with.begin == last.begin ? some.front() : some.back();
      return straight(p, *other, q);
    }
    const Node between{first.end, last.begin, node.axis};
    if (const auto r = other_in(between, within(some, between))) return Split{some.front(), *r, some.back()};
    if (const auto late = beyond(first, within(some, first), Side::kLast))
      return Split{late->first, late->second, some.back()};
    if (const auto early = beyond(last, within(some, last), Side::kFirst))
      return Split{some.front(), early->second, early->first};
    return {};
  }
}

std::optional<std::pair<Position, Position>> AnyOrder::beyond(Node node, Some some, Side side) const {
  for (;; ++node.axis) {
    const auto other = other_in(node, some);
    if (!other || node.axis == rank()) return {};
    const Node lowest = child(node, node.begin), highest = child(node, node.end - 1);
    if (lowest.begin != highest.begin && parallel_[node.axis]) {  // two children may come in either order
      const Node with = child(node, *other);
      for (const Position p : {some.front(), some.back()})
        if (p < with.begin || p >= with.end) return std::pair(p, *other);
      // All of them are in the other's child, so a point of another child is none of them either.
      return std::pair(some.front(), with.begin == lowest.begin ? node.end - 1 : node.begin);
    }
    const Node edge = child(node, side == Side::kLast ? some.front() : some.back());
    const Node rest =
        side == Side::kLast ? Node{edge.end, node.end, node.axis} : Node{node.begin, edge.begin, node.axis};
    if (const auto r = other_in(rest, within(some, rest)))
      return std::pair(side == Side::kLast ? some.front() : some.back(), *r);
    some = within(some, edge);
    node.begin = edge.begin, node.end = edge.end;
  }
}

bool AnyOrder::each(std::uint64_t most, const std::function<bool(const std::vector<Position>&)>& f) const {
  std::vector<std::map<std::int64_t, std::size_t>> ranks(rank());  // by axis, of each coordinate
  for (const Point& p : points_)
    for (std::size_t d = 0; d < rank(); ++d) ranks[d][p[d]] = 0;
  std::vector<std::vector<std::size_t>> ways(rank());
  std::uint64_t orders = 1;
  for (std::size_t d = 0; d < rank(); ++d) {
    for (auto& [coordinate, number] : ranks[d]) number = ways[d].size(), ways[d].push_back(number);
    for (std::uint64_t k = 2; parallel_[d] && k <= ways[d].size(); ++k)
      if ((orders *= k) > most) return false;
  }
  std::vector<Position> order(points_.size());
  for (bool more = true; more;) {
    std::iota(order.begin(), order.end(), Position{0});
    std::ranges::sort(order, [&](Position a, Position b) {
      for (std::size_t d = 0; d < rank(); ++d) {
        const std::size_t x = ways[d][ranks[d].at(points_[a][d])], y = ways[d][ranks[d].at(points_[b][d])];
        if (x != y) return x < y;
      }
      return false;
    });
    if (!f(order)) return true;
    more = false;
    for (std::size_t d = 0; d < rank() && !more; ++d)
      more = parallel_[d] && std::ranges::next_permutation(ways[d]).found;
  }
  return true;
}

}  // namespace millrace::checkers
