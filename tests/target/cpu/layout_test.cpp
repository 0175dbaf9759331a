// SPDX-License-Identifier: Apache-2.0
// Layouts against walking over every element.
#include "target/cpu/layout.h"

#include <gtest/gtest.h>

#include <numeric>

namespace millrace::cpu {
namespace {

using Numbers = std::vector<std::int64_t>;

// Where each element lies, in row-major order.
Numbers places(const Layout& l) {
  Numbers all{0};
  for (const Dim& d : l) {
    Numbers next;
    for (const std::int64_t p : all)
      for (std::int64_t i = 0; i < d.size; ++i) next.push_back(p + i * d.stride);
    all = std::move(next);
  }
  return all;
}

// The value (of places) of shape `in` that a move makes, element by element.
template <class From>
Numbers moved(const Numbers& value, const Numbers& in, const Numbers& out, const From& from) {
  Numbers result;
  const std::int64_t n = std::accumulate(out.begin(), out.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t e = 0; e < n; ++e) {
    Numbers at(out.size());
    std::int64_t rest = e;
    for (std::size_t d = out.size(); d-- > 0; rest /= out[d]) at[d] = rest % out[d];
    const Numbers source = from(at);
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < in.size(); ++d) flat = flat * in[d] + source[d];
    result.push_back(value[static_cast<std::size_t>(flat)]);
  }
  return result;
}

TEST(Layout, CutsKeepEveryPlace) {
  const Layout rows{{8, 200}, {128, 1}};
  const auto pieces = cut(rows, {1, 64, 128, 256, 1024});
  ASSERT_TRUE(pieces);
  EXPECT_EQ(pieces->size(), 4u);
  EXPECT_EQ(places(*pieces), places(rows));
  EXPECT_FALSE(cut(rows, {1, 96, 1024}));  // 96 does not divide 128
}

TEST(Layout, BroadcastsRepeat) {
  const Layout column{{8, 3}};
  const auto wide = broadcast(column, Numbers{8, 1}, Numbers{2, 8, 4});
  ASSERT_TRUE(wide);
  EXPECT_EQ(places(*wide), moved(places(column), {8, 1}, {2, 8, 4}, [](const Numbers& at) {
              return Numbers{at[1], 0};
            }));
}

TEST(Layout, TranspositionsTurn) {
  const Layout all = dense(24);
  const auto turned = transposed(all, Numbers{2, 3, 4}, Numbers{2, 0, 1});
  ASSERT_TRUE(turned);
  EXPECT_EQ(places(*turned), moved(places(all), {2, 3, 4}, {4, 2, 3}, [](const Numbers& at) {
              return Numbers{at[1], at[2], at[0]};
            }));
}

TEST(Layout, SlicesBeginLater) {
  const Layout all = dense(24);
  std::int64_t offset = 0;
  const auto part = sliced(all, Numbers{4, 6}, Numbers{1, 2}, Numbers{2, 3}, offset);
  ASSERT_TRUE(part);
  Numbers got = places(*part);
  for (std::int64_t& p : got) p += offset;
  EXPECT_EQ(got, moved(places(all), {4, 6}, {2, 3}, [](const Numbers& at) { return Numbers{at[0] + 1, at[1] + 2}; }));
}

TEST(Layout, JoinsWhatOneStrideStepsThroughInAll) {
  std::vector<Layout> layouts{{{8, 128}, {1, 0}, {128, 1}}, {{8, 128}, {1, 7}, {128, 1}}};
  const Numbers before = places(layouts[0]);
  join(layouts);
  EXPECT_EQ(layouts[0].size(), 1u);
  EXPECT_EQ(places(layouts[0]), before);
  layouts = {{{8, 128}, {128, 1}}, {{8, 0}, {128, 1}}};  // a row for all: not one stride
  join(layouts);
  EXPECT_EQ(layouts[0].size(), 2u);
  layouts = {{{8, 128}, {128, 1}}, {{8, 1, 3}, {128, 1}}};  // a stride that is known only at run time
  join(layouts);
  EXPECT_EQ(layouts[0].size(), 2u);
}

}  // namespace
}  // namespace millrace::cpu
