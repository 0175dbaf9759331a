// SPDX-License-Identifier: Apache-2.0
// The chunked labels of a memory against an array of labels, and boxes against the sets that they cover.
#include "machine/shadow/memory_shadow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "machine/shadow/cover.h"

namespace millrace::machine::shadow {
namespace {

using testing::ElementsAre;

TEST(MemoryShadow, SaysWhatAnArrayOfLabelsSays) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const auto count = static_cast<std::int64_t>(1 + random() % 400);
    MemoryShadow shadow(count, kUnwritten);
    std::vector<Label> right(static_cast<std::size_t>(count), kUnwritten);
    for (int step = 0; step < 200; ++step) {
      const auto begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
      const auto end = begin + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count - begin + 1));
      const Label label = random() % 3 == 0 ? static_cast<Label>(random() % 5) : kDefined;
      if (random() % 4 == 0) {
        shadow.relabel(begin, end, kUnwritten, label);
        std::replace(right.begin() + begin, right.begin() + end, kUnwritten, label);
      } else {
        shadow.set(begin, end, label);
        std::fill(right.begin() + begin, right.begin() + end, label);
      }
      bool none = true;
      for (std::int64_t i = begin; i < end; ++i) none &= right[static_cast<std::size_t>(i)] == kDefined;
      ASSERT_EQ(shadow.defined(begin, end), none) << seed;
      std::vector<Label> seen;
      shadow.for_each_run(0, count, [&](std::int64_t from, std::int64_t to, Label l) {
        ASSERT_EQ(from, static_cast<std::int64_t>(seen.size()));
        seen.insert(seen.end(), static_cast<std::size_t>(to - from), l);
      });
      ASSERT_EQ(seen, right) << seed;
      if (shadow.defined()) {
        ASSERT_EQ(std::count(right.begin(), right.end(), kDefined), count) << seed;
      }
    }
  }
}

TEST(MemoryShadow, KnowsThatItIsDefinedOnceEveryPartWasWritten) {
  MemoryShadow shadow(1000, kUnwritten);
  for (std::int64_t at = 0; at < 1000; at += 100) {
    EXPECT_FALSE(shadow.defined());
    shadow.set(at, at + 100, kDefined);
  }
  EXPECT_TRUE(shadow.defined());
  shadow.fill(kPadding);
  EXPECT_EQ(shadow.at(999), kPadding);
}

std::vector<Stretch> runs_of(const std::vector<bool>& set) {
  std::vector<Stretch> runs;
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set[i]) append(runs, static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) + 1);
  return runs;
}

std::string text(const std::vector<event::Box>& boxes) {
  std::string all;
  for (const event::Box& b : boxes) all += event::to_string(b);
  return all;
}

TEST(Cover, IsExactAndItsBoxesShareNothing) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(1 + random() % 4),
                                             static_cast<std::int64_t>(1 + random() % 7),
                                             static_cast<std::int64_t>(1 + random() % 9)};
    std::vector<bool> set(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
    for (std::size_t i = 0; i < set.size(); ++i) set[i] = random() % 4 < 1 + seed % 3;
    std::vector<int> covered(set.size(), 0);
    for (const event::Box& b : cover(runs_of(set), shape))
      for (std::int64_t i = b.ranges[0].begin; i < b.ranges[0].end; i += b.ranges[0].stride)
        for (std::int64_t j = b.ranges[1].begin; j < b.ranges[1].end; j += b.ranges[1].stride)
          for (std::int64_t k = b.ranges[2].begin; k < b.ranges[2].end; k += b.ranges[2].stride)
            ++covered[static_cast<std::size_t>((i * shape[1] + j) * shape[2] + k)];
    for (std::size_t i = 0; i < set.size(); ++i) ASSERT_EQ(covered[i], set[i] ? 1 : 0) << seed;
  }
}

std::vector<bool> set_of(std::int64_t rows, std::int64_t columns, const std::function<bool(int, int)>& in) {
  std::vector<bool> set;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) set.push_back(in(r, c));
  return set;
}

TEST(Cover, TakesFewBoxes) {
  const std::int64_t shape[] = {16, 12};
  const auto covered = [&](const std::function<bool(int, int)>& in) {
    return text(cover(runs_of(set_of(16, 12, in)), shape));
  };
  EXPECT_EQ(covered([](int, int) { return true; }), "[0:16, 0:12]");
  EXPECT_EQ(covered([](int, int) { return false; }), "");
  EXPECT_EQ(covered([](int r, int) { return r % 8 >= 4; }), "[4:8, 0:12][12:16, 0:12]");
  EXPECT_EQ(covered([](int, int c) { return c >= 5; }), "[0:16, 5:12]");
  EXPECT_EQ(covered([](int r, int) { return r % 2 == 1; }), "[1:16:2, 0:12]");
  EXPECT_EQ(covered([](int r, int c) { return r >= 3 && c % 4 == 2; }), "[3:16, 2:11:4]");
  // Two strips of unlike height: cut along the rows they would be three boxes.
  EXPECT_EQ(covered([](int r, int c) { return c < 4 || (r < 8 && c >= 8); }), "[0:16, 0:4][0:8, 8:12]");
}

TEST(Cover, OfAScalarIsItsOnlyElement) {
  const Stretch one[] = {{0, 1}};
  EXPECT_EQ(cover(one, {}).size(), 1u);
  EXPECT_EQ(cover(one, {})[0].rank, 0);
}

}  // namespace
}  // namespace millrace::machine::shadow
