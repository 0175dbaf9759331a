// SPDX-License-Identifier: Apache-2.0
// Operations that JAX 0.9.2 does not write, but older releases and other authors do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tile_kernels.h"

namespace millrace::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(OlderForms, AWaitThatNamesTheTargetAloneWaitsForItsBytes) {
  const std::string any = "memref<8x128xi32, #tpu.memory_space<any>>";
  const std::string sem = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
  const auto module = module_of(kernel_text(
      "%x: " + any + ", %o: " + any + ", %s: " + sem,
      "\"tpu.enqueue_dma\"(%x, %o, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, "
      "strict_ordering = false} : (" +
          any + ", " + any + ", " + sem + ") -> ()\n\"tpu.wait_dma\"(%s, %o) : (" + sem + ", " + any + ") -> ()",
      1));
  const Array x = scrambled({8, 128});
  const Ran ran = run(module, {x}, {{i32, {8, 128}}});
  EXPECT_TRUE(same_bits(ran.out(), x));
  EXPECT_EQ(ran.lines_with("for 4096"), 1u);
}

// x is 16 x 8: its first 8 rows the left side, the others the right.
Array product(const std::string& flags) {
  const std::string side = ", sizes = [8, 8], strides = [1, 1]} : vector<16x8xf32> to vector<8x8xf32>\n";
  return run_tile(counted(f32, {16, 8}, -60), "16x8xf32", "8x8xf32", {f32, {8, 8}},
                  "%l = vector.extract_strided_slice %v {offsets = [0, 0]" + side +
                      "%w = vector.extract_strided_slice %v {offsets = [8, 0]" + side +
                      "%z = arith.constant dense<0.0> : vector<8x8xf32>\n%r = \"tpu.matmul\"(%l, %w, %z) {" + flags +
                      "} : (vector<8x8xf32>, vector<8x8xf32>, vector<8x8xf32>) -> vector<8x8xf32>");
}

TEST(OlderForms, AProductMayNameItsTranspositionsByFlags) {
  const Array x = counted(f32, {16, 8}, -60);
  for (const bool lhs : {false, true})
    for (const bool rhs : {false, true}) {
      const Array out = product(std::string("transpose_lhs = ") + (lhs ? "true" : "false") +
                                ", transpose_rhs = " + (rhs ? "true" : "false"));
      for (std::int64_t i = 0; i < 8; ++i)
        for (std::int64_t j = 0; j < 8; ++j) {
          double sum = 0;
          for (std::int64_t k = 0; k < 8; ++k)
            sum += (lhs ? x.at({k, i}) : x.at({i, k})) * (rhs ? x.at({8 + j, k}) : x.at({8 + k, j}));
          ASSERT_EQ(out.at({i, j}), sum) << lhs << rhs;
        }
    }
}

TEST(OlderForms, TransposeHadAnotherName) {
  const Array x = scrambled({8, 128});
  const Array out = run_tile(x, "8x128xi32", "128x8xi32", {i32, {128, 8}},
                             "%r = vector.transpose %v, [1, 0] : vector<8x128xi32> to vector<128x8xi32>");
  for (std::int64_t r : {0, 7})
    for (std::int64_t c : {0, 1, 127}) ASSERT_EQ(out.at({c, r}), x.at({r, c}));
}

const std::string kRef = vmem_type("8x128xi32");

std::string load_and_double(const std::string& load) {
  return "%w = " + load + " -> vector<8x128xi32>\n%r = arith.addi %w, %v : vector<8x128xi32>";
}
std::string sublanes(const std::string& last) {
  return "sublane_mask = array<i1: true, true, true, true, true, true, true, " + last + ">";
}

TEST(OlderForms, PlainLoadsOfOtherNamesAreLoads) {
  const Array x = scrambled({8, 128});
  const std::string args = "(%x, %c0, %c0) {";
  for (const std::string& load :
       {"\"tpu.load\"" + args + sublanes("true") + "} : (" + kRef + ", index, index)",
        "\"tpu.vector_load\"" + args + "operandSegmentSizes = array<i32: 1, 2, 0>, strides = array<i32>} : (" + kRef +
            ", index, index)"}) {
    const Array out = run_tile(x, "8x128xi32", "8x128xi32", {i32, {8, 128}}, load_and_double(load));
    for (std::size_t i = 0; i < 1024; ++i)
      ASSERT_EQ(static_cast<std::uint32_t>(out.as<std::int32_t>()[i]),
                2 * static_cast<std::uint32_t>(x.as<std::int32_t>()[i]));
  }
}

TEST(OlderForms, ALoadThatLeavesRowsOutIsRefused) {
  EXPECT_THAT(tile_error(scrambled({8, 128}), "8x128xi32", "8x128xi32", {i32, {8, 128}},
                         load_and_double("\"tpu.load\"(%x, %c0, %c0) {" + sublanes("false") + "} : (" + kRef +
                                         ", index, index)")),
              AllOf(StartsWith("unsupported: "), HasSubstr("masked or strided tpu.load")));
}

TEST(OlderForms, APlainStoreOfAnotherNameIsAStore) {
  const Array x = scrambled({8, 128});
  const auto module = module_of(kernel_text(
      "%x: " + kRef + ", %o: " + kRef,
      "%c0 = arith.constant 0 : index\n%v = vector.load %x[%c0, %c0] : " + kRef +
          ", vector<8x128xi32>\n\"tpu.store\"(%v, %o, %c0, %c0) {operandSegmentSizes = array<i32: 1, 1, 2, 0>, " +
          sublanes("true") + "} : (vector<8x128xi32>, " + kRef + ", index, index) -> ()"));
  EXPECT_TRUE(same_bits(run(module, {x}, {{i32, {8, 128}}}).out(), x));
}

}  // namespace
}  // namespace millrace::test
