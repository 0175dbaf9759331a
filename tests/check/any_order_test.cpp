// SPDX-License-Identifier: Apache-2.0
// Orders of parallel axes: what is said of all of them, held against each of them, walked one after the other.
#include "check/any_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "check/step_orders.h"
#include "check/window_rules.h"
#include "story.h"

namespace millrace::test {
namespace {

using checkers::AnyOrder;
using Position = AnyOrder::Position;

struct Numbers {
  std::uint64_t state;
  std::int64_t below(std::int64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(n));
  }
};

// A grid of up to three axes, at most 3 points each, some of them left out; at least one axis is parallel.
AnyOrder drawn(Numbers& numbers) {
  const auto rank = static_cast<std::size_t>(1 + numbers.below(3));
  std::vector<bool> parallel;
  std::vector<std::int64_t> extent;
  for (std::size_t d = 0; d < rank; ++d)
    parallel.push_back(numbers.below(2) == 1), extent.push_back(1 + numbers.below(3));
  parallel[static_cast<std::size_t>(numbers.below(static_cast<std::int64_t>(rank)))] = true;
  const bool whole = numbers.below(2) == 0;
  std::vector<AnyOrder::Point> points;
  AnyOrder::Point at(rank, 0);
  for (bool more = true; more;) {
    if (whole || numbers.below(5) > 0) points.push_back(at);
    more = false;
    for (std::size_t d = rank; d-- > 0 && !more;)
      if (++at[d] < extent[d])
        more = true;
      else
        at[d] = 0;
  }
  if (points.empty()) points.push_back(AnyOrder::Point(rank, 0));
  return {parallel, points};
}

// Whether the order comes back to the points after it has left them.
bool comes_back(const std::vector<Position>& order, const std::vector<Position>& some) {
  int begun = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto in = [&](std::size_t k) { return std::ranges::binary_search(some, order[k]); };
    begun += in(i) && (i == 0 || !in(i - 1)) ? 1 : 0;
  }
  return begun > 1;
}

TEST(AnyOrder, SplitsWhatSomeOrderComesBackTo) {
  Numbers numbers{11};
  int split = 0, whole = 0;
  for (int round = 0; round < 4000; ++round) {
    const AnyOrder orders = drawn(numbers);
    std::vector<Position> some;
    const std::int64_t dense = 1 + numbers.below(4);
    for (Position p = 0; p < orders.size(); ++p)
      if (numbers.below(4) < dense) some.push_back(p);
    const auto found = orders.split(some);
    bool right = false, shown = false;
    ASSERT_TRUE(orders.each(100'000, [&](const auto& order) {
      right |= comes_back(order, some);
      if (!found) return true;
      const auto when = [&](Position p) { return std::ranges::find(order, p) - order.begin(); };
      shown |= when(found->left) < when(found->between) && when(found->between) < when(found->again);
      return true;
    }));
    ASSERT_EQ(found.has_value(), right) << round;
    if (found) {
      ASSERT_TRUE(shown) << round;
      ASSERT_TRUE(std::ranges::binary_search(some, found->left) && std::ranges::binary_search(some, found->again));
      ASSERT_FALSE(std::ranges::binary_search(some, found->between));
    }
    ++(right ? split : whole);
  }
  EXPECT_GT(split, 500);
  EXPECT_GT(whole, 500);
}

TEST(AnyOrder, KnowsWhoMayComeFirst) {
  Numbers numbers{5};
  for (int round = 0; round < 300; ++round) {
    const AnyOrder orders = drawn(numbers);
    for (Position a = 0; a < orders.size(); ++a)
      for (Position b = 0; b < orders.size(); ++b) {
        bool right = false;
        orders.each(100'000, [&](const auto& order) {
          right |= std::ranges::find(order, a) < std::ranges::find(order, b);
          return true;
        });
        ASSERT_EQ(orders.may_precede(a, b), right);
      }
  }
}

TEST(AnyOrder, AreNotWalkedWhereThereAreTooMany) {
  std::vector<AnyOrder::Point> points;
  for (std::int64_t i = 0; i < 9; ++i) points.push_back({i});
  const auto never = [](const auto&) { return ADD_FAILURE(), true; };
  EXPECT_FALSE(AnyOrder({true}, points).each(1000, never));
}

// A grid in one of its orders: the step shows input block in[p] and output block out[p], 8 rows each or 16 of the
// input's.
struct Shown {
  std::vector<std::int64_t> in, out;
  std::int64_t height = 8;
  bool in_place = true;
};
void tell(event::Observer& rules, const AnyOrder& orders, const std::vector<Position>& order, const Shown& s) {
  Story story(rules);
  const auto array = story.memory("out0", {64}, {"in0"});
  const auto other = s.in_place ? array : story.memory("in0");
  story.bind(0, "in0", other, false, false, {s.height});
  story.bind(1, "out0", array, true, s.in_place);
  std::uint32_t slot = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int64_t from = s.in[order[i]], to = s.out[order[i]];
    story.step(orders.point(order[i]));
    if (i == 0 || from != s.in[order[i - 1]]) {
      story.enter(0, ++slot, {from});
      story.move(0, slot, other, {from}, Story::rows(from * s.height, (from + 1) * s.height), false);
    }
    if (i == 0 || to != s.out[order[i - 1]]) story.enter(1, 0, {to});
    if (i + 1 == order.size() || to != s.out[order[i + 1]])
      story.move(1, 0, array, {to}, Story::rows(to * 8, to * 8 + 8), true);
  }
}

// Judged from one run, against a run of each order under the rules of a single one.
TEST(StepOrders, FindWhatTheRulesFindInSomeOrder) {
  Numbers numbers{23};
  int faulty = 0, clean = 0;
  for (int round = 0; round < 1500; ++round) {
    const AnyOrder orders = drawn(numbers);
    std::vector<bool> parallel;
    const std::size_t rank = orders.point(0).size();
    for (std::size_t d = 0; d < rank; ++d) {  // as drawn: an axis is parallel where some pair may turn round
      bool turns = false;
      for (Position a = 0; a < orders.size(); ++a)
        for (Position b = 0; b < a; ++b) {
          std::size_t first = 0;
          while (orders.point(a)[first] == orders.point(b)[first]) ++first;
          turns |= first == d && orders.may_precede(a, b);
        }
      parallel.push_back(turns);
    }
    Shown s;
    s.in_place = round % 3 != 0, s.height = round % 5 == 0 ? 16 : 8;
    const std::int64_t blocks = 1 + numbers.below(4);
    for (Position p = 0; p < orders.size(); ++p) {
      s.out.push_back(numbers.below(2) ? orders.point(p)[0] : numbers.below(blocks));
      s.in.push_back(numbers.below(2) ? s.out.back() : numbers.below(blocks));
    }
    std::vector<Position> canonical;
    for (Position p = 0; p < orders.size(); ++p) canonical.push_back(p);
    std::set<std::string> right, found;
    ASSERT_TRUE(orders.each(100'000, [&](const auto& order) {
      checkers::WindowRules rules;
      tell(rules, orders, order, s);
      for (const Finding& f : rules.findings()) right.insert(f.id);
      return true;
    }));
    checkers::StepOrders judged(parallel);
    checkers::WindowRules own;
    tell(judged, orders, canonical, s);
    tell(own, orders, canonical, s);
    for (const Finding& f : judged.findings()) {
      found.insert(f.id);
      ASSERT_EQ(f.schedules, "some");
    }
    for (const Finding& f : own.findings()) found.insert(f.id);
    ASSERT_EQ(found, right) << round;
    ++(right.empty() ? clean : faulty);
  }
  EXPECT_GT(faulty, 200);
  EXPECT_GT(clean, 200);
}

}  // namespace
}  // namespace millrace::test
