// SPDX-License-Identifier: Apache-2.0
// Memories: what nobody has written is poison, stores touch exactly their elements, bools cross the border as i32.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

constexpr std::int32_t kPoison = static_cast<std::int32_t>(0xa5adbeef);

TEST(Memory, UnwrittenScratchReadsAsPoisonOfItsType) {
  auto forward = [](DType dtype) {
    const Kernel k =
        kernel("forward", {}, {vmem(dtype, {16, 128})}, [](Ref out, Ref scratch) { out.store(scratch.load()); },
               {.scratch = {vmem(dtype, {16, 128})}});
    return run(k, {}).out();
  };
  EXPECT_TRUE(is_nan(forward(f32), 0));
  EXPECT_TRUE(is_nan(forward(bf16), 2047));
  EXPECT_EQ(forward(i32).flat(5), kPoison);
}

TEST(Memory, AnOutputThatNobodyWritesIsPoison) {
  const Ran ran =
      run(kernel("idle", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128}), hbm(i32, {8, 128})}, [](Ref, Ref, Ref) {}),
          {counted(f32, {8, 128})});
  EXPECT_TRUE(is_nan(ran.out(0), 0));
  EXPECT_EQ(ran.out(1).flat(1023), kPoison);
}

TEST(Memory, AStoreOfSomeRowsLeavesTheOthers) {
  const Kernel k = kernel("rows", {vmem(f32, {16, 128})}, {vmem(f32, {16, 128})}, [](Ref x, Ref out) {
    out.store(zeros_like(out));
    out.rows(4, 8).store(x.rows(0, 8).load());
  });
  const Array out = run(k, {counted(f32, {16, 128}, 1)}).out();
  EXPECT_EQ(out.at({3, 127}), 0);
  EXPECT_EQ(out.at({4, 0}), 1);
  EXPECT_EQ(out.at({11, 127}), 1024);
  EXPECT_EQ(out.at({12, 0}), 0);
}

const std::string kVector = "memref<16x128xf32, #tpu.memory_space<vmem>>";
const std::string kTwoVectors = "%x: " + kVector + ", %o: " + kVector;

// A store of %value to all of %o, where %mask holds if there is one.
std::string store(const std::string& value, const std::string& mask = "") {
  return fmt::format(
      "\"tpu.vector_store\"({}, %o, %c, %c{}) {{add = false, operandSegmentSizes = array<i32: 1, 1, 2, {}>, "
      "strides = array<i32>}} : (vector<16x128xf32>, {}, index, index{}) -> ()\n",
      value, mask.empty() ? "" : ", " + mask, mask.empty() ? 0 : 1, kVector, mask.empty() ? "" : ", vector<16x128xi1>");
}

TEST(Memory, AMaskedStoreWritesWhereTheMaskHolds) {
  const auto module = module_of(kernel_text(
      kTwoVectors, "%c = arith.constant 0 : index\n%v = vector.load %x[%c, %c] : " + kVector + R"(, vector<16x128xf32>
    %zero = arith.constant dense<0.0> : vector<16x128xf32>
    %five = arith.constant dense<5.0> : vector<16x128xf32>
    %m = arith.cmpf olt, %v, %five : vector<16x128xf32>
)" + store("%zero") + store("%v", "%m")));
  const Array out = run(module, {counted(f32, {16, 128})}, {{f32, {16, 128}}}).out();
  EXPECT_EQ(out.flat(4), 4);
  EXPECT_EQ(out.flat(5), 0);
  EXPECT_EQ(out.flat(2047), 0);
}

TEST(Memory, StridedLoadsAndStoresTakeEverySecondRowAndTheStreamSaysSo) {
  const auto module = module_of(
      kernel_text(kTwoVectors,
                  "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                  "%v = \"tpu.strided_load\"(%x, %c1, %c0) {strides = array<i32: 2, 1>} : (" +
                      kVector +
                      ", index, index) -> vector<8x128xf32>\n"
                      "\"tpu.strided_store\"(%v, %o, %c0, %c0) {strides = array<i32: 2, 1>} : (vector<8x128xf32>, " +
                      kVector + ", index, index) -> ()"));
  const Ran ran = run(module, {counted(f32, {16, 128})}, {{f32, {16, 128}}});
  EXPECT_EQ(ran.out().at({0, 3}), 128 + 3);
  EXPECT_EQ(ran.out().at({14, 0}), 15 * 128);
  EXPECT_TRUE(is_nan(ran.out(), 128));  // row 1
  EXPECT_EQ(ran.lines_with("[1:16:2, 0:128]"), 1u);
  EXPECT_EQ(ran.lines_with("[0:15:2, 0:128]"), 1u);
}

TEST(Memory, BoolArraysCrossTheBorderAsI32) {
  const Kernel pick = kernel("pick", {vmem(i1, {8, 128})}, {vmem(i32, {8, 128})}, [](Ref mask, Ref out) {
    out.store(select(Bool(mask.load()), zeros_like(out) + 7, zeros_like(out) - 7));
  });
  Array mask(i1, {8, 128});
  mask.data()[3] = std::byte{1};
  const Array out = run(pick, {mask}).out();
  EXPECT_EQ(out.flat(2), -7);
  EXPECT_EQ(out.flat(3), 7);
}

TEST(Memory, ScalarsInSmemAreReadAndWrittenOneAtATime) {
  const Kernel sums = kernel("sums", {smem(i32, {4})}, {smem(i32, {4})}, [](Ref x, Ref out) {
    out.store(x.load(0), 0);
    for_range(1, 4, [&](Index i) { out.store(out.load(i - 1) + x.load(i), i); });
  });
  const Array out = run(sums, {counted(i32, {4}, 1)}).out();
  EXPECT_EQ(out.flat(3), 10);
}

TEST(Memory, AKernelNeverChangesItsInputs) {
  const std::vector<Array> inputs = {counted(f32, {8, 128})};
  const Kernel k = kernel("over", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref out) {
    x.store(zeros_like(x));
    out.store(x.load());
  });
  EXPECT_EQ(run(k, inputs).out().flat(9), 0);
  EXPECT_EQ(inputs[0].flat(9), 9);
}

}  // namespace
}  // namespace millrace::test
