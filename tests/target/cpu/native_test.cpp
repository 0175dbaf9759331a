// SPDX-License-Identifier: Apache-2.0
// NativeKernel: kernels of the language on this CPU, bit for bit as in the simulator.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "millrace/millrace.h"
#include "millrace/native.h"

namespace millrace {
namespace {

Array numbers(Shape shape, unsigned seed) {
  Array a(f32, std::move(shape));
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (float& v : a.as<float>()) v = normal(random);
  return a;
}

// Every kind of number that arithmetic treats in its own way, among ordinary ones.
Array odd_numbers(Shape shape, unsigned seed) {
  Array a = numbers(std::move(shape), seed);
  constexpr float kOdd[] = {0.0f,
                            -0.0f,
                            1.0f,
                            -1.0f,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::denorm_min(),
                            -std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::lowest(),
                            std::numeric_limits<float>::min(),
                            0.5f,
                            2.5f,
                            3e9f,
                            -3e9f};
  std::mt19937 random(seed + 1);
  for (float& v : a.as<float>())
    if (random() % 2 == 0) v = kOdd[random() % std::size(kOdd)];
  return a;
}

BlockSpec rows(std::int64_t r, std::int64_t c) {
  return BlockSpec{{r, c}, [](Index i) { return block(i, 0); }};
}

void expect_as_simulated(const Kernel& kernel, const std::vector<Array>& inputs, const NativeOptions& options = {}) {
  const NativeKernel native(kernel, inputs, options);
  const std::vector<Array> got = native.run(inputs);
  const Results right = run(kernel, inputs);
  ASSERT_EQ(got.size(), right.arrays.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(same_bits(got[i], right[i])) << "out" << i;
}

Kernel axpy(std::int64_t r, std::int64_t c, std::int64_t steps, Dimension how = Dimension::kArbitrary) {
  return grid_kernel("axpy", [](Ref x, Ref y, Ref out) { out.store(2.0f * x.load() + y.load()); },
                     {.grid = {steps}, .semantics = {how}, .in = {rows(r, c), rows(r, c)}, .out = {rows(r, c)}});
}

TEST(NativeKernel, GivesTheSimulatorsBits) {
  expect_as_simulated(axpy(8, 128, 4), {odd_numbers({32, 128}, 1), odd_numbers({32, 128}, 2)});
}

TEST(NativeKernel, TakesBlocksThatStickOutOfTheArray) {
  expect_as_simulated(axpy(8, 100, 3), {odd_numbers({17, 100}, 1), odd_numbers({17, 100}, 2)});
}

TEST(NativeKernel, TakesArraysOfOneElement) {
  expect_as_simulated(axpy(1, 1, 1), {numbers({1, 1}, 1), numbers({1, 1}, 2)});
}

TEST(NativeKernel, RunsParallelStepsOnThreads) {
  const std::vector<Array> in{numbers({64, 128}, 1), numbers({64, 128}, 2)};
  for (const int threads : {1, 2, 5}) expect_as_simulated(axpy(8, 128, 8, Dimension::kParallel), in, {threads});
}

TEST(NativeKernel, RunsAgainIntoTheSameArrays) {
  const std::vector<Array> one{numbers({32, 128}, 1), numbers({32, 128}, 2)},
      two{numbers({32, 128}, 3), numbers({32, 128}, 4)};
  const Kernel kernel = axpy(8, 128, 4);
  const NativeKernel native(kernel, one);
  std::vector<Array> out;
  native.run_into(one, out);
  const std::byte* where = out[0].data();
  native.run_into(two, out);
  EXPECT_EQ(out[0].data(), where);
  EXPECT_TRUE(same_bits(out[0], run(kernel, two)[0]));
}

TEST(NativeKernel, RefusesArraysThatItWasNotCompiledFor) {
  const NativeKernel native(axpy(8, 128, 4), {numbers({32, 128}, 1), numbers({32, 128}, 2)});
  try {
    native.run({numbers({32, 128}, 1), numbers({16, 128}, 2)});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_NE(std::string(error.what()).find("in1 is f32 of shape (16, 128)"), std::string::npos) << error.what();
  }
}

std::string refusal(const auto& does) {
  try {
    does();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + " " + error.what();
  }
  return "nothing";
}

TEST(NativeKernel, RefusesEmptyArraysAsTheSimulatorDoes) {
  for (const Shape& empty : {Shape{0, 128}, Shape{8, 0}}) {
    const Kernel adds = grid_kernel(
        "adds", [](Ref x, Ref out) { out.store(x.load() + 1.0f); },
        {.grid = {1}, .in = {BlockSpec::whole()}, .out = {BlockSpec::whole()}, .out_arrays = {{f32, empty}}});
    const std::vector<Array> in{Array::full(f32, empty, 1)};
    const std::string simulated = refusal([&] { run(adds, in); });
    EXPECT_EQ(simulated.substr(0, 2), "2 ");
    EXPECT_NE(simulated.find("is empty; kernels compute with one element or more"), std::string::npos) << simulated;
    EXPECT_EQ(refusal([&] { NativeKernel(adds, in).run(in); }), simulated);
  }
}

TEST(NativeKernel, SaysThatNothingIsCopiedAndWhy) {
  const NativeKernel native(axpy(8, 128, 4), {numbers({32, 128}, 1), numbers({32, 128}, 2)});
  ASSERT_EQ(native.movement().size(), 3u);
  EXPECT_NE(native.movement()[0].find("in0: no copies"), std::string::npos);
  EXPECT_FALSE(native.device().empty());
}

Kernel piped(std::int64_t r, std::int64_t c, BlockSpec tile, bool in_place = false) {
  const MemorySpec matrix = hbm(f32, {r, c});
  const auto pipeline = [=](const Ref& x, const Ref& y, const Ref& out) {
    const Shape block_shape = *tile.shape;
    emit_pipeline([](Ref a, Ref b, Ref o) { o.store(2.0f * a.load() + b.load()); },
                  {.grid = {(r + block_shape[0] - 1) / block_shape[0], (c + block_shape[1] - 1) / block_shape[1]},
                   .in = {tile, tile},
                   .out = {tile}})(x, y, out);
  };
  if (in_place) return kernel("axpy", {matrix, matrix}, {matrix}, pipeline, {.aliases = {{1, 0}}});
  return kernel("axpy", {matrix, matrix}, {matrix}, pipeline);
}

BlockSpec tile(std::int64_t r, std::int64_t c) {
  return BlockSpec{{r, c}, [](Index i, Index j) { return block(i, j); }};
}

void expect_copied(const NativeKernel& native) {
  ASSERT_EQ(native.movement().size(), 1u);
  EXPECT_EQ(native.movement()[0], "the kernel's own DMAs: all are copied, when they are started");
}

TEST(NativePipeline, OfWholeBlocksCopiesNothing) {
  const std::vector<Array> in{odd_numbers({24, 384}, 1), odd_numbers({24, 384}, 2)};
  const Kernel kernel = piped(24, 384, tile(8, 128));
  expect_as_simulated(kernel, in);
  ASSERT_EQ(NativeKernel(kernel, in).movement().size(), 1u);
  EXPECT_NE(NativeKernel(kernel, in).movement()[0].find("pipelines of the kernel: no copies"), std::string::npos);
}

TEST(NativePipeline, OfRaggedBlocksCopies) {
  const std::vector<Array> in{odd_numbers({20, 300}, 1), odd_numbers({20, 300}, 2)};
  expect_as_simulated(piped(20, 300, tile(8, 128)), in);
  expect_copied(NativeKernel(piped(20, 300, tile(8, 128)), in));
}

TEST(NativePipeline, OnAnArrayOfTwoNamesCopies) {
  const std::vector<Array> in{odd_numbers({16, 256}, 1), odd_numbers({16, 256}, 2)};
  expect_as_simulated(piped(16, 256, tile(8, 128), true), in);
  expect_copied(NativeKernel(piped(16, 256, tile(8, 128), true), in));
}

// The body reads the block that it writes from the array itself: only a window keeps the old one.
TEST(NativePipeline, WhoseBodyCopiesByItselfKeepsItsWindows) {
  const MemorySpec matrix = hbm(f32, {16, 128});
  const Kernel twice = kernel("twice", {matrix}, {matrix}, [](Ref x, Ref out) {
    emit_pipeline([](Ref a, Ref o) { o.store(a.load()); }, {.grid = {2}, .in = {rows(8, 128)}, .out = {rows(8, 128)}})(
        x, out);
    sync_copy(out, x);
  });
  const std::vector<Array> in{odd_numbers({16, 128}, 3)};
  expect_as_simulated(twice, in);
  expect_copied(NativeKernel(twice, in));
}

TEST(NativeCopies, GiveTheSimulatorsBits) {
  const NativeOptions copies{.threads = 1, .movement = Movement::kCopies};
  const std::vector<Array> in{odd_numbers({35, 200}, 1), odd_numbers({35, 200}, 2)};
  expect_as_simulated(axpy(8, 200, 5), in, copies);
  expect_as_simulated(axpy(8, 200, 5, Dimension::kParallel), in, {.threads = 2, .movement = Movement::kCopies});
  const NativeKernel native(axpy(8, 200, 5), in, copies);
  EXPECT_NE(native.movement()[0].find("every block is copied"), std::string::npos);
}

// 8 MiB and more are written past the caches, in whole vectors from aligned rows on; the rest, and rows that are not,
// as ever.
TEST(NativeKernel, WritesLargeOutputsWhole) {
  expect_as_simulated(axpy(64, 2048, 16), {numbers({1024, 2048}, 1), numbers({1024, 2048}, 2)});
  expect_as_simulated(axpy(64, 2064, 17), {numbers({1030, 2064}, 1), numbers({1030, 2064}, 2)});
  expect_as_simulated(axpy(64, 2051, 16), {numbers({1024, 2051}, 1), numbers({1024, 2051}, 2)});
  const Kernel columns = grid_kernel("columns", [](Ref x, Ref out) { out.store(x.load() + 1.0f); },
                                     {.grid = {16, 2}, .in = {tile(64, 1088)}, .out = {tile(64, 1088)}});
  expect_as_simulated(columns, {numbers({1024, 2176}, 1)});
}

TEST(NativeKernel, NamesThePlaceWhereAKernelLeavesItsMemory) {
  const Kernel astray =
      grid_kernel("astray", [](Ref at, Ref x, Ref out) { out.store(x.rows(Index(at.load(0)), 8).load()); },
                  {.grid = {1}, .prefetch = 1, .in = {rows(16, 128)}, .out = {rows(8, 128)}});
  const auto starting = [](std::int32_t row) { return Array::from(std::vector<std::int32_t>{row}, {1}); };
  expect_as_simulated(astray, {starting(8), numbers({16, 128}, 1)});
  for (const std::int32_t row : {9, -1}) {
    const std::vector<Array> in{starting(row), numbers({16, 128}, 1)};
    try {
      NativeKernel(astray, in).run(in);
      FAIL() << row;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFinding);
      EXPECT_NE(std::string(error.what()).find("bounds.access"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("native_test.cpp"), std::string::npos) << error.what();
    }
  }
}

TEST(NativeKernel, EndsWhereAWaitCanNeverBeMet) {
  const MemorySpec matrix = hbm(f32, {8, 128});
  const Kernel stuck = kernel("stuck", {matrix}, {matrix}, [](Ref x, Ref out) {
    sync_copy(x, out);
    scoped(SemaphoreSpec{false}, [](Semaphore done) { wait(done); });
  });
  const std::vector<Array> in{numbers({8, 128}, 1)};
  try {
    NativeKernel(stuck, in).run(in);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFinding);
    EXPECT_NE(std::string(error.what()).find("deadlock"), std::string::npos) << error.what();
  }
}

// Threads are taken only where no two would write one block: here all steps write the same.
TEST(NativeKernel, KeepsStepsThatShareABlockOnOneThread) {
  const BlockSpec one{{8, 128}, [](Index) { return block(0, 0); }};
  const Kernel total =
      grid_kernel("total",
                  [](Ref x, Ref out) {
                    when(program_id(0) == 0, [&] { out.store(zeros_like(out)); });
                    out.store(out.load() + x.load());
                  },
                  {.grid = {8}, .semantics = {Dimension::kParallel}, .in = {rows(8, 128)}, .out = {one}});
  for (int i = 0; i < 5; ++i) expect_as_simulated(total, {numbers({64, 128}, 1)}, {.threads = 4});
}

TEST(NativeKernel, RefusesThreadsBelowZero) {
  EXPECT_THROW(NativeKernel(axpy(8, 128, 1), {numbers({8, 128}, 1), numbers({8, 128}, 2)}, {.threads = -1}), Error);
}

}  // namespace
}  // namespace millrace
