// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits, two to a word: every one of them, NaN with its payload, as the simulator has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "millrace/millrace.h"
#include "millrace/native.h"

namespace millrace {
namespace {

// All bf16 that there are, in order, or, with a seed, in disorder.
Array all_numbers(unsigned seed) {
  std::vector<std::uint16_t> bits(65536);
  std::iota(bits.begin(), bits.end(), std::uint16_t{0});
  if (seed > 0) std::shuffle(bits.begin(), bits.end(), std::mt19937(seed));
  Array a(bf16, {128, 512});
  std::memcpy(a.data(), bits.data(), 2 * bits.size());
  return a;
}

Array of_shape(Shape shape, unsigned seed) {
  Array a(bf16, std::move(shape));
  const Array all = all_numbers(seed);
  std::memcpy(a.data(), all.data(), a.bytes());
  return a;
}

BlockSpec rows(std::int64_t r, std::int64_t c) {
  return BlockSpec{{r, c}, [](Index i) { return block(i, 0); }};
}

void expect_as_simulated(const Kernel& kernel, const std::vector<Array>& in) {
  EXPECT_TRUE(same_bits(NativeKernel(kernel, in).run(in).at(0), run(kernel, in)[0]));
}

template <class Body>
Kernel of_blocks(Body body, std::int64_t r, std::int64_t c, std::int64_t steps, DType out = bf16) {
  return grid_kernel(
      "pairs", body,
      {.grid = {steps}, .in = {rows(r, c), rows(r, c)}, .out = {rows(r, c)}, .out_arrays = {{out, {r * steps, c}}}});
}

void chain(Ref x, Ref y, Ref out) { out.store(1.1f * x.load() + y.load() / (x.load() - 3.0f)); }

TEST(CpuPairs, RoundEveryNumber) {
  expect_as_simulated(of_blocks(chain, 32, 512, 4), {all_numbers(0), all_numbers(1)});
  expect_as_simulated(of_blocks([](Ref x, Ref y, Ref out) { out.store(2.0f * x.load() + y.load()); }, 64, 512, 2),
                      {all_numbers(2), all_numbers(3)});
}

TEST(CpuPairs, RowsOfAnyLength) {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 100})
    expect_as_simulated(of_blocks(chain, 8, n, 2), {of_shape({16, n}, 4), of_shape({16, n}, 5)});
}

TEST(CpuPairs, SelectCompareAndChangeSigns) {
  expect_as_simulated(of_blocks(
                          [](Ref x, Ref y, Ref out) {
                            Value a = x.load(), b = y.load();
                            out.store(select(a < b, max(a, -b), abs(a * b)));
                          },
                          16, 512, 8),
                      {all_numbers(6), all_numbers(7)});
}

// A row that is the same for all, a column, and a way over f32.
TEST(CpuPairs, TakeBroadcastsAndWiderNumbersOnTheWay) {
  const Kernel kernel = grid_kernel("pairs",
                                    [](Ref x, Ref row, Ref column, Ref out) {
                                      out.store(cast(cast(x.load() * row.load() + column.load(), f32) * 0.3f, bf16));
                                    },
                                    {.grid = {1},
                                     .in = {BlockSpec::whole(), BlockSpec::whole(), BlockSpec::whole()},
                                     .out = {BlockSpec::whole()},
                                     .out_arrays = {{bf16, {128, 512}}}});
  expect_as_simulated(kernel, {all_numbers(8), of_shape({1, 512}, 9), of_shape({128, 1}, 10)});
}

// The output is one of the inputs.
TEST(CpuPairs, WriteWhereTheyRead) {
  const Kernel kernel = grid_kernel("pairs",
                                    [](Ref x, Ref out) {
                                      out.store(x.load());
                                      out.store(out.load() * 1.3f);
                                      out.store(out.load() + out.load() * out.load());
                                    },
                                    {.grid = {4}, .in = {rows(32, 512)}, .out = {rows(32, 512)}});
  expect_as_simulated(kernel, {all_numbers(11)});
}

}  // namespace
}  // namespace millrace
