// SPDX-License-Identifier: Apache-2.0
// Gathers, rotations that grow from row to row, halves of bytes, and the random words.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "machine/tile/tile.h"

namespace millrace::tile {
namespace {

using Shape = std::vector<std::int64_t>;

template <class T>
std::vector<T> count_up(std::size_t n) {
  std::vector<T> v(n);
  std::iota(v.begin(), v.end(), T{0});
  return v;
}

template <class T>
void check_gather() {
  const Shape from = {2, 5, 3}, to = {2, 4, 3};
  const auto in = count_up<T>(30);
  const std::vector<std::int32_t> indices = {0,  1, 2,  4, 3, 2, -1, -5, -6, 5,  6, 1000,
                                             -2, 2, -2, 0, 0, 0, 1,  1,  1,  -3, 7, 4};
  std::vector<T> out(24, T{99});
  gather(in.data(), from, indices.data(), to, 1, out.data(), sizeof(T));
  for (std::size_t i = 0; i < 24; ++i) {
    const std::int64_t outer = static_cast<std::int64_t>(i) / 12, inner = static_cast<std::int64_t>(i) % 3;
    std::int64_t k = indices[i];
    while (k < 0) k += 5;
    while (k >= 5) k -= 5;
    EXPECT_EQ(out[i], static_cast<T>(outer * 15 + k * 3 + inner)) << i;
  }
}

TEST(TileGather, TakesIndicesModuloTheSizeForEveryWidthOfElements) {
  check_gather<std::uint8_t>();
  check_gather<std::uint16_t>();
  check_gather<std::uint32_t>();
  check_gather<std::uint64_t>();
}

TEST(TileGather, FromNothingGivesNothing) {
  std::int32_t index = 0;
  std::uint32_t out = 7;
  gather(nullptr, Shape{0}, &index, Shape{1}, 0, &out, 4);
  EXPECT_EQ(out, 7u);
}

TEST(TileRotateStrided, EachStepAlongTheOtherDimensionTurnsFurther) {
  const Shape shape = {3, 4, 6};
  const auto in = count_up<std::uint16_t>(72);
  for (const std::int64_t stride : {0, 1, -2, 13}) {
    std::vector<std::uint16_t> out(72);
    rotate_strided(in.data(), shape, 2, 5, stride, 0, out.data(), 2);
    for (std::int64_t a = 0; a < 3; ++a)
      for (std::int64_t b = 0; b < 4; ++b)
        for (std::int64_t c = 0; c < 6; ++c) {
          const std::int64_t to = (((c + 5 + a * stride) % 6) + 6) % 6;
          EXPECT_EQ(out[static_cast<std::size_t>((a * 4 + b) * 6 + to)],
                    in[static_cast<std::size_t>((a * 4 + b) * 6 + c)]);
        }
  }
}

TEST(Nibbles, ComeApartLowHalfFirstAndSignedAndGoTogetherAgain) {
  std::vector<std::uint8_t> bytes = count_up<std::uint8_t>(256);
  std::vector<std::int8_t> halves(512);
  split_nibbles(bytes.data(), halves.data(), 256);
  EXPECT_EQ(halves[2 * 0x8f], -1);
  EXPECT_EQ(halves[2 * 0x8f + 1], -8);
  EXPECT_EQ(halves[2 * 0x37], 7);
  EXPECT_EQ(halves[2 * 0x37 + 1], 3);
  std::vector<std::uint8_t> back(256);
  join_nibbles(halves.data(), back.data(), 256);
  EXPECT_EQ(back, bytes);
}

TEST(RandomWords, AStateGivesOneStreamInPiecesOfAnySize) {
  std::uint64_t a = seeded(0, 42), b = a;
  std::vector<std::uint32_t> whole(100), parts(100);
  random_words(a, whole.data(), 100);
  random_words(b, parts.data(), 30);
  random_words(b, parts.data() + 30, 70);
  EXPECT_EQ(whole, parts);
  EXPECT_EQ(a, b);
  EXPECT_GT(std::set<std::uint32_t>(whole.begin(), whole.end()).size(), 98u);
}

TEST(RandomWords, TheStreamOfASeedNeverChanges) {  // whoever recorded a run relies on it
  std::uint64_t state = seeded(0, 42);
  std::uint32_t first[2] = {};
  random_words(state, first, 2);
  EXPECT_EQ(first[0], 0xc68f8876u);
  EXPECT_EQ(first[1], 0x516492abu);
}

}  // namespace
}  // namespace millrace::tile
