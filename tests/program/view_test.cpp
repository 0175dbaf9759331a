// SPDX-License-Identifier: Apache-2.0
// Views add up: a slice of a slice, squeezed dimensions, sizes known only at run time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/lower.h"
#include "runs.h"

namespace millrace::test {
namespace {

std::string hbm_type(const std::string& shape) { return fmt::format("memref<{}, #tpu.memory_space<any>>", shape); }
const std::string kSemaphore = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";

std::string numbers(const std::string& prefix, const std::vector<int>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{} = arith.constant {} : i32\n", prefix, i, values[i]);
  return text;
}

// %name = slice of %of at `starts`.
std::string slice(const std::string& name, const std::string& of, const std::string& from,
                  const std::vector<int>& starts, const std::string& to) {
  std::string operands, types;
  for (std::size_t i = 0; i < starts.size(); ++i) operands += fmt::format(", {}_{}", name, i), types += ", i32";
  return numbers(name + "_", starts) +
         fmt::format("{} = \"tpu.memref_slice\"({}{}) {{operandSegmentSizes = array<i32: 1, {}, 0>}} : ({}{}) -> {}\n",
                     name, of, operands, starts.size(), from, types, to);
}
std::string squeeze(const std::string& name, const std::string& of, const std::string& from, const std::string& to) {
  return fmt::format("{} = \"tpu.memref_squeeze\"({}) : ({}) -> {}\n", name, of, from, to);
}
std::string copy(const std::string& a, const std::string& ta, const std::string& b, const std::string& tb) {
  return fmt::format(
      "\"tpu.enqueue_dma\"({0}, {1}, %s) {{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, "
      "strict_ordering = false}} : ({2}, {3}, {4}) -> ()\n"
      "\"tpu.wait_dma2\"(%s, {0}, {1}) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false}} : "
      "({4}, {2}, {3}) -> ()\n",
      a, b, ta, tb, kSemaphore);
}

mosaic::Module copying(const std::string& in, const std::string& out, const std::string& body) {
  return module_of(
      kernel_text(fmt::format("%x: {}, %o: {}, %s: {}", hbm_type(in), hbm_type(out), kSemaphore), body, 1));
}

TEST(View, ASliceOfASliceAddsItsStarts) {
  const std::string whole = hbm_type("32x256xf32"), half = hbm_type("16x256xf32"), tile = hbm_type("8x128xf32");
  const auto module = copying(
      "32x256xf32", "8x128xf32",
      slice("%a", "%x", whole, {16, 0}, half) + slice("%b", "%a", half, {8, 128}, tile) + copy("%b", tile, "%o", tile));
  const auto program = program::lower(module, {{f32, {32, 256}}}, {{f32, {8, 128}}});
  ASSERT_EQ(program.dmas.size(), 1u);
  EXPECT_EQ(program.dmas[0].source.dims[0].start.constant, 24);
  EXPECT_EQ(program.dmas[0].source.dims[1].start.constant, 128);
  EXPECT_EQ(run(module, {counted(f32, {32, 256})}, {{f32, {8, 128}}}).out().flat(0), 24 * 256 + 128);
}

TEST(View, ASqueezedDimensionKeepsItsStart) {
  const std::string whole = hbm_type("4x3x8x128xf32"), one = hbm_type("1x1x8x128xf32"), tile = hbm_type("8x128xf32");
  const auto module = copying(
      "4x3x8x128xf32", "8x128xf32",
      slice("%a", "%x", whole, {2, 1, 0, 0}, one) + squeeze("%b", "%a", one, tile) + copy("%b", tile, "%o", tile));
  const auto program = program::lower(module, {{f32, {4, 3, 8, 128}}}, {{f32, {8, 128}}});
  EXPECT_EQ(program.dmas[0].source.shown, (std::vector<std::uint8_t>{2, 3}));
  EXPECT_EQ(run(module, {counted(f32, {4, 3, 8, 128})}, {{f32, {8, 128}}}).out().flat(3), (2 * 3 + 1) * 1024 + 3);
}

TEST(View, UnitDimensionsAreSqueezedFromTheLeftWhereSeveralWouldDo) {
  const std::string whole = hbm_type("4x5x128xf32"), one = hbm_type("1x1x128xf32"), row = hbm_type("1x128xf32");
  const auto module =
      copying("4x5x128xf32", "1x128xf32",
              slice("%a", "%x", whole, {3, 2, 0}, one) + squeeze("%b", "%a", one, row) + copy("%b", row, "%o", row));
  const auto program = program::lower(module, {{f32, {4, 5, 128}}}, {{f32, {1, 128}}});
  EXPECT_EQ(program.dmas[0].source.shown, (std::vector<std::uint8_t>{1, 2}));
  EXPECT_EQ(run(module, {counted(f32, {4, 5, 128})}, {{f32, {1, 128}}}).out().flat(0), (3 * 5 + 2) * 128);
}

TEST(View, ASizeThatIsReadAtRunTimeCounts) {
  const std::string whole = hbm_type("32x128xf32"), some = hbm_type("?x128xf32"),
                    n = "memref<1xi32, #tpu.memory_space<smem>>";
  const std::string body = numbers("%k", {0}) + "%z = arith.constant 0 : index\n%size = memref.load %n[%z] : " + n +
                           "\n" +
                           fmt::format(
                               "%a = \"tpu.memref_slice\"(%x, %k0, %k0, %size) {{operandSegmentSizes = array<i32: 1, "
                               "2, 1>}} : ({0}, i32, i32, i32) -> {1}\n"
                               "%b = \"tpu.memref_slice\"(%o, %k0, %k0, %size) {{operandSegmentSizes = array<i32: 1, "
                               "2, 1>}} : ({0}, i32, i32, i32) -> {1}\n",
                               whole, some) +
                           copy("%a", some, "%b", some);
  const auto module =
      module_of(kernel_text(fmt::format("%n: {}, %x: {}, %o: {}, %s: {}", n, whole, whole, kSemaphore), body, 1));
  auto with = [&](int rows) {
    return run(module, {counted(i32, {1}, rows), counted(f32, {32, 128})}, {{f32, {32, 128}}});
  };
  EXPECT_EQ(with(5).out().at({4, 127}), 4 * 128 + 127);
  EXPECT_TRUE(is_nan(with(5).out(), 5 * 128));
  EXPECT_EQ(with(5).lines_with("by 2560"), 2u);  // 5 * 128 * 4 bytes: the window's own semaphores are others
  EXPECT_TRUE(with(0).outcome.ended());
  EXPECT_TRUE(with(32).outcome.ended());
  ASSERT_TRUE(with(33).outcome.fault);
  EXPECT_EQ(with(33).outcome.fault->id, "bounds.dma");
  ASSERT_TRUE(with(-1).outcome.fault);
  EXPECT_EQ(with(-1).outcome.fault->id, "bounds.dma");
}

TEST(View, AnElementOfASemaphoreArrayIsItsRowMajorPosition) {
  const Kernel k = kernel("grid of semaphores", {}, {smem(i32, {1})},
                          [](Ref out, Semaphores s) {
                            for_range(1, 2, [&](Index i) {
                              signal(s.at(i, 2), 4);
                              out.store(semaphore_read(s.at(1, 2)), 0);
                              wait(s.at(1, i + 1), 4);
                            });
                          },
                          {.scratch = {semaphores(2, 3)}});
  const Ran ran = run(k, {});
  EXPECT_EQ(ran.out().flat(0), 4);
  EXPECT_EQ(ran.lines_with("[5] by 4"), 1u);
}

}  // namespace
}  // namespace millrace::test
