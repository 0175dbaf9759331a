// SPDX-License-Identifier: Apache-2.0
// Moves against the plainest code: for every index of the output, look up where its element comes from.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <numeric>

#include "machine/tile/strided.h"
#include "millrace/error.h"
#include "samples.h"

namespace millrace::tile {
namespace {

using Index = std::vector<std::int64_t>;

std::int64_t place(const Index& shape, const Index& index) {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
  return at;
}

// f(index) for every index of `shape`, the last dimension fastest.
void for_each(const Index& shape, const std::function<void(const Index&)>& f) {
  Index index(shape.size(), 0);
  const std::int64_t count = elements_in(shape);
  for (std::int64_t i = 0; i < count; ++i) {
    f(index);
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
}

std::vector<std::uint8_t> numbered(const Index& shape, std::size_t bytes) {
  std::vector<std::uint8_t> data(static_cast<std::size_t>(elements_in(shape)) * bytes);
  std::mt19937 random(99);
  for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
  return data;
}

std::vector<std::uint8_t> element(const std::vector<std::uint8_t>& data, std::int64_t i, std::size_t bytes) {
  const auto first = data.begin() + i * static_cast<std::int64_t>(bytes);
  return {first, first + static_cast<std::int64_t>(bytes)};
}

Index some_shape() {
  const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
  return *rc::gen::container<Index>(rank, rc::gen::inRange<std::int64_t>(1, 8));
}
std::size_t some_bytes() { return *rc::gen::element<std::size_t>(1, 2, 4, 8); }

// `source(index)` is where in `in` the element of `out` at that index comes from.
void expect_gathered(const Index& out_shape, const std::vector<std::uint8_t>& in, const std::vector<std::uint8_t>& out,
                     std::size_t bytes, const std::function<std::int64_t(const Index&)>& source) {
  for_each(out_shape, [&](const Index& index) {
    RC_ASSERT(element(out, place(out_shape, index), bytes) == element(in, source(index), bytes));
  });
}

RC_GTEST_PROP(Broadcast, StretchesOnesAndAddsLeadingDimensions, ()) {
  const Index out_shape = some_shape();
  const std::size_t bytes = some_bytes();
  const auto dropped = *rc::gen::inRange<std::size_t>(0, out_shape.size() + 1);
  Index in_shape(out_shape.begin() + static_cast<std::int64_t>(dropped), out_shape.end());
  for (auto& size : in_shape) {
    if (*rc::gen::arbitrary<bool>()) size = 1;
  }
  const auto in = numbered(in_shape, bytes);
  std::vector<std::uint8_t> out(numbered(out_shape, bytes).size());
  broadcast(in.data(), in_shape, out.data(), out_shape, bytes);
  expect_gathered(out_shape, in, out, bytes, [&](const Index& index) {
    Index from;
    for (std::size_t d = 0; d < in_shape.size(); ++d) from.push_back(in_shape[d] == 1 ? 0 : index[dropped + d]);
    return place(in_shape, from);
  });
}

void expect_transposed(const Index& shape, const Index& permutation, std::size_t bytes) {
  Index out_shape;
  for (const std::int64_t d : permutation) out_shape.push_back(shape[static_cast<std::size_t>(d)]);
  const auto in = numbered(shape, bytes);
  std::vector<std::uint8_t> out(in.size());
  transpose(in.data(), shape, permutation, out.data(), bytes);
  expect_gathered(out_shape, in, out, bytes, [&](const Index& index) {
    Index from(shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) from[static_cast<std::size_t>(permutation[d])] = index[d];
    return place(shape, from);
  });
}

RC_GTEST_PROP(Transpose, PutsEachDimensionWhereThePermutationSays, ()) {
  const Index shape = some_shape();
  Index permutation(shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::size_t i = permutation.size(); i > 1; --i) {
    std::swap(permutation[i - 1], permutation[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  expect_transposed(shape, permutation, some_bytes());
}

TEST(Transpose, WorksInSquaresWithRaggedEdges) {
  rc::check([] {
    expect_transposed({37, 50}, {1, 0}, 4);
    expect_transposed({3, 17, 33}, {2, 0, 1}, 2);
    expect_transposed({3, 17, 33}, {0, 2, 1}, 1);
    expect_transposed({17, 2, 33}, {2, 1, 0}, 8);
  });
}

RC_GTEST_PROP(Slice, TakesABoxOut, ()) {
  const Index shape = some_shape();
  const std::size_t bytes = some_bytes();
  Index offsets, sizes;
  for (const std::int64_t size : shape) {
    offsets.push_back(*rc::gen::inRange<std::int64_t>(0, size));
    sizes.push_back(*rc::gen::inRange<std::int64_t>(1, size - offsets.back() + 1));
  }
  const auto in = numbered(shape, bytes);
  std::vector<std::uint8_t> out(static_cast<std::size_t>(elements_in(sizes)) * bytes);
  extract_slice(in.data(), shape, offsets, sizes, out.data(), bytes);
  expect_gathered(sizes, in, out, bytes, [&](const Index& index) {
    Index from = index;
    for (std::size_t d = 0; d < from.size(); ++d) from[d] += offsets[d];
    return place(shape, from);
  });
}

RC_GTEST_PROP(Concatenate, WritesItsPartAndNothingElse, ()) {
  const Index part = some_shape();
  const std::size_t bytes = some_bytes();
  const auto d = *rc::gen::inRange<std::size_t>(0, part.size());
  const auto offset = *rc::gen::inRange<std::int64_t>(0, 4);
  Index whole = part;
  whole[d] += offset + *rc::gen::inRange<std::int64_t>(0, 4);
  const auto in = numbered(part, bytes);
  const auto before = std::vector<std::uint8_t>(numbered(whole, bytes).size(), 0xa5);
  auto out = before;
  concatenate_part(in.data(), part, out.data(), whole, static_cast<std::int64_t>(d), offset, bytes);
  for_each(whole, [&](const Index& index) {
    Index from = index;
    from[d] -= offset;
    const bool inside = from[d] >= 0 && from[d] < part[d];
    const auto expected = inside ? element(in, place(part, from), bytes) : element(before, 0, bytes);
    RC_ASSERT(element(out, place(whole, index), bytes) == expected);
  });
}

RC_GTEST_PROP(Rotate, MovesEachElementUpByTheAmount, ()) {
  const Index shape = some_shape();
  const std::size_t bytes = some_bytes();
  const auto d = *rc::gen::inRange<std::size_t>(0, shape.size());
  const auto amount = *rc::gen::inRange<std::int64_t>(-20, 20);
  const auto in = numbered(shape, bytes);
  std::vector<std::uint8_t> out(in.size());
  tile::rotate(in.data(), shape, static_cast<std::int64_t>(d), amount, out.data(), bytes);
  for_each(shape, [&](const Index& index) {
    Index to = index;
    to[d] = (((index[d] + amount) % shape[d]) + shape[d]) % shape[d];
    RC_ASSERT(element(out, place(shape, to), bytes) == element(in, place(shape, index), bytes));
  });
}

RC_GTEST_PROP(Iota, CountsAlongOneDimension, ()) {
  const Index shape = some_shape();
  const auto d = *rc::gen::inRange<std::size_t>(0, shape.size());
  std::vector<std::int32_t> out(static_cast<std::size_t>(elements_in(shape)), -1);
  tile::iota(shape, Index{static_cast<std::int64_t>(d)}, out.data());
  for_each(shape,
           [&](const Index& index) { RC_ASSERT(out[static_cast<std::size_t>(place(shape, index))] == index[d]); });
}

TEST(Iota, CountsRowMajorOverSeveralDimensions) {
  std::vector<std::int32_t> out(12);
  tile::iota(Index{2, 3, 2}, Index{0, 1}, out.data());
  EXPECT_EQ(out, (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  tile::iota(Index{2, 3, 2}, Index{0, 1, 2}, out.data());
  EXPECT_EQ(out, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(Move, NineDimensionsAreRefusedWithTheLimit) {
  const Index shape(9, 1), permutation{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const float in = 1.0f;
  float out = 0.0f;
  try {
    transpose(&in, shape, permutation, &out, 4);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUnsupported);
    EXPECT_STREQ(e.what(), "a tile of 9 dimensions; at most 8 are supported");
  }
}

TEST(Move, AScalarAndAnEmptyTileAreTilesToo) {
  const float in = 3.0f;
  std::vector<float> out(6, 0.0f);
  broadcast(&in, Index{}, out.data(), Index{2, 3}, 4);
  EXPECT_EQ(out, std::vector<float>(6, 3.0f));
  std::vector<float> untouched{7.0f};
  transpose(&in, Index{0, 5}, Index{1, 0}, untouched.data(), 4);
  EXPECT_EQ(untouched[0], 7.0f);
}

}  // namespace
}  // namespace millrace::tile
