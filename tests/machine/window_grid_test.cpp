// SPDX-License-Identifier: Apache-2.0
// What a grid kernel's module may ask of its windows beyond plain blocks: element windows, dynamic bounds, blocks that
// are entered again, parallel axes, scalars.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runs.h"

namespace millrace::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kTile = "memref<8x128xf32, #tpu.memory_space<vmem>>";

// %a (a window of 8 rows) + the i32 %n -> %o, over a grid of `bounds`; %t0 and %t1 are what the maps make of %i.
struct Text {
  std::string bounds = "3", n = "%n = arith.constant 0 : i32", in_window = "", out_window = "";
  std::string t0 = "%r = arith.addi %i, %z : i32", t1 = "%r = arith.addi %i, %z : i32";
};

mosaic::Module module_with(const Text& t) {
  auto map = [](const std::string& name, const std::string& body) {
    return fmt::format(
        "func.func @{}(%i: i32) -> (i32, i32) {{\n%z = arith.constant 0 : i32\n{}\nreturn %r, %z : i32, i32\n}}\n",
        name, body);
  };
  auto window = [](int index, const std::string& more) {
    return fmt::format("{{transform_indices = @t{}, window_bounds = array<i64: 8, 128>{}}}", index, more);
  };
  return module_of(fmt::format(
      "module {{\nfunc.func @main(%i: i32, %a: {0}, %o: {0}) attributes {{dimension_semantics = "
      "[#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: {1}>, scalar_prefetch = 0 : i64, "
      "scratch_operands = 0 : i64, window_params = [{2}, {3}]}} {{\n"
      "%c = arith.constant 0 : index\n{4}\n%f = arith.sitofp %n : i32 to f32\n%v = vector.broadcast %f : f32 to "
      "vector<8x128xf32>\n%x = vector.load %a[%c, %c] : {0}, vector<8x128xf32>\n%y = arith.addf %x, %v : "
      "vector<8x128xf32>\nvector.store %y, %o[%c, %c] : {0}, vector<8x128xf32>\nreturn\n}}\n{5}{6}}}\n",
      kTile, t.bounds, window(0, t.in_window), window(1, t.out_window), t.n, map("t0", t.t0), map("t1", t.t1)));
}

const std::string kTimes4 = "%k = arith.constant 4 : i32\n%r = arith.muli %i, %k : i32";
const std::string kTimes8 = "%k = arith.constant 8 : i32\n%r = arith.muli %i, %k : i32";
std::string padded(int low, int high) {
  return fmt::format(", window_kind = #tpu.element_window<[{}, 0], [{}, 0]>", low, high);
}

TEST(WindowGrid, AnElementWindowStepsByElements) {
  const auto module = module_with({.in_window = padded(0, 0), .t0 = kTimes4});
  for (const std::string& schedule : schedules(3)) {
    const Ran ran = run(module, {counted(f32, {16, 128})}, {{f32, {24, 128}}}, {.schedule = schedule});
    for (std::int64_t r = 0; r < 24; ++r) EXPECT_EQ(ran.out().at({r, 1}), (r / 8 * 4 + r % 8) * 128 + 1) << schedule;
  }
}

TEST(WindowGrid, ThePaddingOfAnElementWindowIsPoison) {
  const auto module = module_with({.bounds = "4", .in_window = padded(8, 9), .t0 = kTimes8});
  const Array out =
      run(module, {counted(f32, {15, 128})}, {{f32, {32, 128}}}).out();  // rows -8 to 24, of which 15 are there
  for (std::int64_t r = 0; r < 32; ++r) {
    EXPECT_EQ(is_nan(out, r * 128), r < 8 || r >= 23) << r;
    if (r < 8 || r >= 23) continue;
    EXPECT_EQ(out.at({r, 0}), (r - 8) * 128);
  }
}

TEST(WindowGrid, WhatAnElementWindowWritesIntoThePaddingIsDropped) {
  const auto module = module_with({.bounds = "3", .out_window = padded(4, 4), .t1 = kTimes8});
  const Array out = run(module, {counted(f32, {24, 128})}, {{f32, {16, 128}}}).out();
  for (std::int64_t r = 0; r < 16; ++r) EXPECT_EQ(out.at({r, 0}), (r + 4) * 128);
}

TEST(WindowGrid, AnElementWindowThatLeavesThePaddedArrayIsAFault) {
  const auto module = module_with({.bounds = "4", .in_window = padded(8, 8), .t0 = kTimes8});
  const Ran ran = run(module, {counted(f32, {15, 128})}, {{f32, {32, 128}}});
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->id, "bounds.block");
  EXPECT_THAT(ran.outcome.fault->message, HasSubstr("in0 asks for the elements 24:32 of dimension 0, which has 31"));
}

const std::string kDynamic = "-9223372036854775808";
const std::string kBound = "%n = \"tpu.iteration_bound\"() {dim = 0 : i32} : () -> i32";

TEST(WindowGrid, ADynamicBoundIsTheCallers) {
  const auto module = module_with({.bounds = kDynamic, .n = kBound});
  for (std::int64_t bound : {1, 2, 3}) {
    const Ran ran = run(module, {counted(f32, {24, 128})}, {{f32, {24, 128}}}, {.environment = {{}, {bound}}});
    EXPECT_EQ(ran.outcome.work.grid_steps, static_cast<std::uint64_t>(bound));
    EXPECT_EQ(ran.out().flat(5), 5.0 + static_cast<double>(bound));
    for (std::int64_t r = 0; r < 24; r += 8) EXPECT_EQ(is_nan(ran.out(), r * 128), r >= 8 * bound);
  }
}

TEST(WindowGrid, ABoundOfZeroRunsNothing) {
  const auto module = module_with({.bounds = kDynamic});
  const Ran ran = run(module, {counted(f32, {24, 128})}, {{f32, {24, 128}}}, {.environment = {{}, {0}}});
  EXPECT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.outcome.work.grid_steps, 0u);
  EXPECT_EQ(ran.outcome.work.dmas, 0u);
}

TEST(WindowGrid, BoundsThatAreMissingOrTooManyAreRefused) {
  auto error = [](const std::string& bounds, std::vector<std::int64_t> given) {
    return error_of([&] {
      run(module_with({.bounds = bounds}), {counted(f32, {24, 128})}, {{f32, {24, 128}}},
          {.environment = {{}, std::move(given)}});
    });
  };
  EXPECT_EQ(error(kDynamic, {}), "user: the grid has 1 dynamic bounds, but 0 were given");
  EXPECT_EQ(error("3", {3}), "user: the grid has 0 dynamic bounds, but 1 were given");
  EXPECT_EQ(error(kDynamic, {-1}), "user: a bound of the grid is -1; take 0 to 2^31 - 1");
  EXPECT_THAT(error(kDynamic, {std::int64_t{1} << 31}), StartsWith("user: a bound of the grid is 2147483648"));
}

// Enters blocks 0, 1, 0, 1 and adds to what it finds.
std::string accumulating(const std::string& window) {
  std::string text = fmt::format(
      "module {{\nfunc.func @main(%k: i32, %j: i32, %o: {0}) attributes {{dimension_semantics = "
      "[#tpu.dimension_semantics<arbitrary>, #tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 2, "
      "2>, "
      "scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, window_params = [{{{1}, transform_indices = @t0, "
      "window_bounds = array<i64: 8, 128>}}]}} {{\n%c = arith.constant 0 : index\n%zero = arith.constant 0 : i32\n"
      "%one = arith.constant dense<1.0> : vector<8x128xf32>\n%later = arith.cmpi sgt, %k, %zero : i32\n"
      "scf.if %later {{\n%x = vector.load %o[%c, %c] : {0}, vector<8x128xf32>\n%y = arith.addf %x, %one : "
      "vector<8x128xf32>\nvector.store %y, %o[%c, %c] : {0}, vector<8x128xf32>\n}} else {{\n"
      "vector.store %one, %o[%c, %c] : {0}, vector<8x128xf32>\n}}\nreturn\n}}\n"
      "func.func @t0(%k: i32, %j: i32) -> (i32, i32) {{\n%z = arith.constant 0 : i32\nreturn %z, %j : i32, "
      "i32\n}}\n}}\n",
      kTile, window);
  return text;
}

TEST(WindowGrid, ABlockEnteredAgainIsReadBackWhereTheModuleSaysSo) {
  const auto module =
      module_of(accumulating("pipeline_mode = #tpu.pipeline_mode<synchronous>, revisit_mode = #tpu.revisit_mode<any>"));
  for (const std::string& schedule : schedules(5)) {
    const Ran ran = run(module, {}, {{f32, {8, 256}}}, {.schedule = schedule});
    for (std::int64_t i : {0, 127, 128, 255, 2047}) EXPECT_EQ(ran.out().flat(i), 2) << schedule;
  }
}

TEST(WindowGrid, OtherwiseItHoldsPoison) {
  const auto module = module_of(accumulating("pipeline_mode = #tpu.pipeline_mode<synchronous>"));
  EXPECT_TRUE(is_nan(run(module, {}, {{f32, {8, 256}}}).out(), 0));
}

std::vector<std::string> steps_of(const std::string& schedule, std::vector<Dimension> semantics) {
  const Kernel k =
      grid_kernel("ids", [](Ref out) { out.store(program_id(0) * 10 + program_id(1), 0, 0); },
                  {.grid = {5, 3},
                   .semantics = std::move(semantics),
                   .out = {BlockSpec({1, 1}, [](Index i, Index j) { return block(i, j); }).in(Space::kSmem)},
                   .out_arrays = {{i32, {5, 3}}}});
  const Ran ran = run(k, {}, {.schedule = schedule});
  for (std::int64_t e = 0; e < 15; ++e) EXPECT_EQ(ran.out().flat(e), e / 3 * 10 + e % 3) << schedule;
  std::vector<std::string> steps;
  for (std::size_t at = ran.stream.find("\nstep ("); at != std::string::npos; at = ran.stream.find("\nstep (", at + 1))
    steps.push_back(ran.stream.substr(at + 7, 4));
  return steps;
}

const std::vector<std::string> kInOrder = {"0, 0", "0, 1", "0, 2", "1, 0", "1, 1", "1, 2", "2, 0", "2, 1",
                                           "2, 2", "3, 0", "3, 1", "3, 2", "4, 0", "4, 1", "4, 2"};

TEST(WindowGrid, AParallelAxisIsWalkedInAnyOrderAndAnArbitraryOneInItsOwn) {
  bool changed = false;
  for (const std::string& schedule : schedules(6)) {
    std::vector<std::string> steps = steps_of(schedule, {Dimension::kParallel, Dimension::kArbitrary});
    changed |= steps != kInOrder;
    for (std::size_t s = 0; s < steps.size(); ++s) EXPECT_EQ(steps[s].substr(3), std::to_string(s % 3));
    std::sort(steps.begin(), steps.end());
    EXPECT_EQ(steps, kInOrder) << schedule;
  }
  EXPECT_TRUE(changed);
  EXPECT_EQ(steps_of("canonical", {Dimension::kParallel, Dimension::kParallel}), kInOrder);
  EXPECT_EQ(steps_of("random:1", {Dimension::kArbitrary, Dimension::kArbitrary}), kInOrder);
}

TEST(WindowGrid, ABlockVisitedAlongAParallelAxisIsStillLeftOnce) {
  const Kernel k = grid_kernel("sums",
                               [](Ref x, Ref out, Ref seen) {
                                 when(seen.load(0) != program_id(0) + 1, [&] { out.store(zeros_like(out)); });
                                 seen.store(program_id(0) + 1, 0);
                                 out.store(out.load() + x.load());
                               },
                               {.grid = {3, 4},
                                .semantics = {Dimension::kParallel, Dimension::kParallel},
                                .in = {{{8, 128}, [](Index i, Index j) { return block(i, j); }}},
                                .out = {{{8, 128}, [](Index i, Index) { return block(i, 0); }}},
                                .scratch = {smem(i32, {1})}});
  for (const std::string& schedule : schedules(6)) {
    const Ran ran = run(k, {counted(f32, {24, 512})}, {.schedule = schedule});
    for (std::int64_t r = 0; r < 24; ++r)
      EXPECT_EQ(ran.out().at({r, 2}), 4 * (r * 512 + 2) + 128 * (1 + 2 + 3)) << schedule;
  }
}

TEST(WindowGrid, ABlockMayBeLargerThanItsArray) {
  const std::string block = "memref<1x8x128xf32, #tpu.memory_space<vmem>>";
  const std::string window = "{transform_indices = @t, window_bounds = array<i64: 1, 8, 128>}";
  const auto module = module_of(fmt::format(
      "module {{\nfunc.func @main(%i: i32, %a: {0}, %o: {0}) attributes {{dimension_semantics = "
      "[#tpu.dimension_semantics<parallel>], iteration_bounds = array<i64: 2>, scalar_prefetch = 0 : i64, "
      "scratch_operands = 0 : i64, window_params = [{1}, {1}]}} {{\n%c = arith.constant 0 : index\n"
      "%x = vector.load %a[%c, %c, %c] : {0}, vector<1x8x128xf32>\n%y = arith.addf %x, %x : vector<1x8x128xf32>\n"
      "vector.store %y, %o[%c, %c, %c] : {0}, vector<1x8x128xf32>\nreturn\n}}\n"
      "func.func @t(%i: i32) -> (i32, i32, i32) {{\n%z = arith.constant 0 : i32\nreturn %i, %z, %z : i32, i32, "
      "i32\n}}\n}}\n",
      block, window));
  const Array out = run(module, {counted(f32, {2, 8, 1})}, {{f32, {2, 8, 1}}}).out();
  for (std::int64_t e = 0; e < 16; ++e) EXPECT_EQ(out.flat(e), 2.0 * static_cast<double>(e));
}

TEST(WindowGrid, AScalarOperandLiesInSmem) {
  const std::string scalar = "memref<i32, #tpu.memory_space<smem>>";
  const auto module = module_of(kernel_text(
      fmt::format("%n: {0}, %o: {0}", scalar),
      fmt::format("%x = memref.load %n[] : {0}\n%y = arith.addi %x, %x : i32\nmemref.store %y, %o[] : {0}", scalar)));
  EXPECT_EQ(run(module, {counted(i32, {}, 21)}, {{i32, {}}}).out().flat(0), 42);
}

TEST(WindowGrid, FourBitElementsCountHalfAByteEach) {
  const std::string array = "memref<8x128xi4, #tpu.memory_space<any>>",
                    s = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
  const auto module = module_of(kernel_text(
      fmt::format("%x: {0}, %o: {0}, %s: {1}", array, s),
      fmt::format(
          "\"tpu.enqueue_dma\"(%x, %o, %s) {{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 1 : "
          "i32, strict_ordering = false}} : ({0}, {0}, {1}) -> ()\n\"tpu.wait_dma2\"(%s, %x, %o) "
          "{{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false}} : ({1}, {0}, {0}) -> ()",
          array, s),
      1));
  const Ran ran = run(module, {counted(i8, {8, 128}).cast(i8)}, {{i8, {8, 128}}});
  EXPECT_EQ(ran.lines_with("by 512"), 2u);  // the issue and its end: 1,024 elements
  EXPECT_EQ(ran.out().flat(7), 7);
}

// %o = %x, or one more than %x, through i32.
Array four_bits(const Array& x, const program::OperandSpec& out, const std::string& extend, bool more) {
  const std::string ref = "memref<8x128xi4, #tpu.memory_space<vmem>>";
  return run(module_of(kernel_text(
                 fmt::format("%x: {0}, %o: {0}", ref),
                 fmt::format("%c0 = arith.constant 0 : index\n%v = vector.load %x[%c0, %c0] : {0}, vector<8x128xi4>\n"
                             "%w = {1} %v : vector<8x128xi4> to vector<8x128xi32>\n"
                             "%one = arith.constant dense<{2}> : vector<8x128xi32>\n"
                             "%s = arith.addi %w, %one : vector<8x128xi32>\n"
                             "%r = arith.trunci %s : vector<8x128xi32> to vector<8x128xi4>\n"
                             "vector.store %r, %o[%c0, %c0] : {0}, vector<8x128xi4>",
                             ref, extend, more ? 1 : 0))),
             {x}, {out})
      .out();
}

TEST(WindowGrid, FourBitArraysHaveASignOrNot) {
  Array with(i8, {8, 128}), without(u8, {8, 128});
  for (std::size_t i = 0; i < 1024; ++i) {
    with.as<std::int8_t>()[i] = static_cast<std::int8_t>(i % 16) - 8;
    without.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 16);
  }
  EXPECT_TRUE(same_bits(four_bits(with, {i8, {8, 128}}, "arith.extsi", false), with));
  EXPECT_TRUE(same_bits(four_bits(without, {u8, {8, 128}}, "arith.extui", false), without));
  EXPECT_EQ(four_bits(with, {i8, {8, 128}}, "arith.extsi", true).flat(15), -8);  // 7 and 1
  EXPECT_EQ(four_bits(without, {u8, {8, 128}}, "arith.extui", true).flat(14), 15);
  EXPECT_EQ(four_bits(without, {u8, {8, 128}}, "arith.extui", true).flat(15), 0);
}

TEST(WindowGrid, ArraysOfEightBitFloatsAreTheirBits) {
  const std::string f8 = "memref<8x128xf8E4M3FN, #tpu.memory_space<vmem>>",
                    f = "memref<8x128xf32, #tpu.memory_space<vmem>>";
  const auto module = module_of(kernel_text(
      fmt::format("%x: {}, %o: {}", f8, f),
      fmt::format("%c0 = arith.constant 0 : index\n%v = vector.load %x[%c0, %c0] : {0}, vector<8x128xf8E4M3FN>\n"
                  "%w = arith.extf %v : vector<8x128xf8E4M3FN> to vector<8x128xf32>\n"
                  "vector.store %w, %o[%c0, %c0] : {1}, vector<8x128xf32>",
                  f8, f)));
  Array x(u8, {8, 128});
  x.as<std::uint8_t>()[3] = 0xc4;  // -3
  EXPECT_EQ(run(module, {x}, {{f32, {8, 128}}}).out().flat(3), -3);
  EXPECT_THAT(error_of([&] { run(module, {x.cast(i8)}, {{f32, {8, 128}}}); }), testing::HasSubstr("in0 is i8"));
}

}  // namespace
}  // namespace millrace::test
