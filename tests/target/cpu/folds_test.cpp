// SPDX-License-Identifier: Apache-2.0
// Reductions in compiled loops: the simulator's bits, whatever is reduced, of however many elements.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "millrace/millrace.h"
#include "millrace/native.h"

namespace millrace {
namespace {

// Sums of such numbers tell one order of additions from another; some are infinite, some no numbers, some zeros.
Array floats(Shape shape, unsigned seed, bool odd) {
  Array a(f32, std::move(shape));
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  constexpr float kOdd[] = {0.0f,
                            -0.0f,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::max()};
  for (float& v : a.as<float>()) {
    v = std::ldexp(normal(random), static_cast<int>(random() % 60) - 30);
    if (odd && random() % 64 == 0) v = kOdd[random() % std::size(kOdd)];
  }
  return a;
}

Array integers(Shape shape, unsigned seed) {
  Array a(i32, std::move(shape));
  std::mt19937 random(seed);
  for (std::int32_t& v : a.as<std::int32_t>()) v = static_cast<std::int32_t>(random());
  return a;
}

using Body = void (*)(Ref x, Ref out);

void expect_as_simulated(Body body, const Array& x, DType dtype, Shape out) {
  const Kernel kernel =
      grid_kernel("reduces", body,
                  {.grid = {1}, .in = {BlockSpec::whole()}, .out = {BlockSpec::whole()}, .out_arrays = {{dtype, out}}});
  const Results right = run(kernel, {x});
  EXPECT_TRUE(same_bits(NativeKernel(kernel, {x}).run({x}).at(0), right[0]));
}

TEST(CpuFolds, OfRowsOfAnyLength) {
  for (const std::int64_t n : {1, 2, 15, 16, 17, 31, 32, 100, 128, 1000}) {
    for (const bool odd : {false, true}) {
      SCOPED_TRACE(n);
      const Array x = floats({6, n}, static_cast<unsigned>(n), odd);
      const Shape rows{6, 1};
      expect_as_simulated([](Ref x, Ref out) { out.store(sum(x.load(), over(1))); }, x, f32, rows);
      expect_as_simulated([](Ref x, Ref out) { out.store(max(x.load(), over(1))); }, x, f32, rows);
      expect_as_simulated([](Ref x, Ref out) { out.store(min(x.load(), over(1))); }, x, f32, rows);
    }
  }
}

TEST(CpuFolds, OfIntegers) {
  const Array x = integers({5, 77}, 1);
  expect_as_simulated([](Ref x, Ref out) { out.store(sum(x.load(), over(1))); }, x, i32, {5, 1});
  expect_as_simulated([](Ref x, Ref out) { out.store(max(x.load(), over(1))); }, x, i32, {5, 1});
  expect_as_simulated([](Ref x, Ref out) { out.store(min(x.load(), over(1))); }, x, i32, {5, 1});
}

TEST(CpuFolds, OfWhatIsComputedOnTheWay) {
  const Array x = floats({8, 130}, 3, false);
  expect_as_simulated([](Ref x, Ref out) { out.store(sum(x.load() * x.load() + 1.0f, over(1))); }, x, f32, {8, 1});
  expect_as_simulated([](Ref x, Ref out) { out.store(sum(exp(min(x.load(), 3.0f)), over(1))); }, x, f32, {8, 1});
  // Dear, and used again: computed once.
  expect_as_simulated(
      [](Ref x, Ref out) {
        Value e = exp(min(x.load(), 3.0f));
        out.store(e / sum(e, over(1)));
      },
      x, f32, {8, 130});
}

TEST(CpuFolds, OfRoundedNumbers) {
  const Array x = floats({4, 200}, 4, true).cast(bf16);
  expect_as_simulated(
      [](Ref x, Ref out) {
        Value v = x.load();
        out.store(sum(cast(v * v, f32), over(1)));
      },
      x, f32, {4, 1});
}

TEST(CpuFolds, OfAllElements) {
  const Array x = floats({3, 5, 40}, 5, false);
  expect_as_simulated([](Ref x, Ref out) { out.store(sum(x.load(), over(0, 1, 2))); }, x, f32, {1, 1, 1});
  expect_as_simulated([](Ref x, Ref out) { out.store(sum(x.load(), over(1, 2))); }, x, f32, {3, 1, 1});
}

// Not along the last dimension: handed to the simulator's arithmetic.
TEST(CpuFolds, OfColumns) {
  const Array x = floats({40, 24}, 6, true);
  expect_as_simulated([](Ref x, Ref out) { out.store(sum(x.load(), over(0))); }, x, f32, {1, 24});
  expect_as_simulated([](Ref x, Ref out) { out.store(max(transpose(x.load(), {1, 0}), over(1))); }, x, f32, {24, 1});
}

// A row that is the same for all, and a column.
TEST(CpuFolds, OfBroadcasts) {
  const Array x = floats({6, 40}, 7, false);
  expect_as_simulated(
      [](Ref x, Ref out) {
        Value v = x.load();
        Value apart = v - sum(v, over(1)) * 0.025f;
        out.store(sum(apart * apart, over(1)));
      },
      x, f32, {6, 1});
}

}  // namespace
}  // namespace millrace
