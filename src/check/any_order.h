// SPDX-License-Identifier: Apache-2.0
// The steps of a grid in every order that its parallel axes allow (S5.11): lexicographic, the last axis fastest, with
// the coordinates of each parallel axis in an order of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace millrace::checkers {

class AnyOrder {
 public:
  using Point = std::vector<std::int64_t>;
  using Position = std::uint32_t;  // of a point among all, in the order of the grid

  // The points are distinct and sorted; a core may have any of those of the grid.
  AnyOrder(std::vector<bool> parallel, std::vector<Point> points);
  const Point& point(Position p) const { return points_[p]; }
  std::size_t size() const { return points_.size(); }

  // Whether `a` comes before `b` in some order.
  bool may_precede(Position a, Position b) const;

  // In some order they come left, between, again; `between` is not one of `some`, the others are.
  struct Split {
    Position left = 0, between = 0, again = 0;
  };
  // Whether some order comes back to these points after it has left them. Ascending positions. Linear in them, times
  // the axes and a logarithm.
  std::optional<Split> split(std::span<const Position> some) const;

  // Calls f with each order, until it says false. False: there are more than `most`, and f was not called.
  bool each(std::uint64_t most, const std::function<bool(const std::vector<Position>&)>& f) const;

 private:
  struct Node {  // the points with one beginning of coordinates; `axis` is the first that may differ
    Position begin, end;
    std::size_t axis;
  };
  using Some = std::span<const Position>;
  enum class Side : std::uint8_t { kFirst, kLast };

  std::size_t rank() const { return parallel_.size(); }
  Node child(const Node& node, Position of) const;
  Some within(Some some, const Node& node) const;
  std::optional<Position> other_in(const Node& node, Some some) const;
  std::optional<Split> split_below(Node node, Some some) const;
  // Whether a point that is none of `some` may come before (kFirst) or after (kLast) one of them: that one, and it.
  std::optional<std::pair<Position, Position>> beyond(Node node, Some some, Side side) const;
  Split straight(Position p, Position r, Position q) const;

  std::vector<bool> parallel_;
  std::vector<Point> points_;
};

}  // namespace millrace::checkers
