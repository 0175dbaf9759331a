// SPDX-License-Identifier: Apache-2.0
// Each kind of edit on the smallest module that has a place for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edits.h"
#include "mosaic/io.h"

namespace millrace::mutation {
namespace {

using mosaic::Module;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kModule = R"(module @sample {
  func.func @main(%x: memref<16x128xf32, #tpu.memory_space<any>>, %o: memref<8x128xf32, #tpu.memory_space<vmem>>,
      %b: memref<2x8x128xf32, #tpu.memory_space<vmem>>,
      %s: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>,
      %r: memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>,
      %q: memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>)
      attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 4 : i64} {
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %n = arith.constant 3 : i32
    %c = arith.constant 0 : index
    %mask = arith.constant dense<true> : vector<8x128xi1>
    %slot = arith.remsi %n, %two : i32
    %src = "tpu.memref_slice"(%x, %zero, %zero) {operandSegmentSizes = array<i32: 1, 2, 0>} :
      (memref<16x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    %b1 = "tpu.memref_slice"(%b, %slot, %zero, %zero) {operandSegmentSizes = array<i32: 1, 3, 0>} :
      (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %dst = "tpu.memref_squeeze"(%b1) :
      (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %s1 = "tpu.memref_slice"(%s, %slot) {operandSegmentSizes = array<i32: 1, 1, 0>} :
      (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32)
      -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %sem = "tpu.memref_squeeze"(%s1) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %yes = arith.constant true
    scf.if %yes {
      "tpu.enqueue_dma"(%src, %dst, %sem) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32,
        strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>,
        memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    }
    "tpu.wait_dma2"(%sem, %src, %dst) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} :
      (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>,
       memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
    scf.for %i = %zero to %n step %n : i32 {
      "tpu.sem_signal"(%r, %two) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
        (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> ()
    }
    "tpu.sem_wait"(%r, %two) : (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> ()
    %v = vector.load %b[%c, %c, %c] : memref<2x8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>
    "tpu.vector_store"(%v, %o, %c, %c, %mask) {operandSegmentSizes = array<i32: 1, 1, 2, 1>, strides = array<i32>} :
      (vector<8x128xf32>, memref<8x128xf32, #tpu.memory_space<vmem>>, index, index, vector<8x128xi1>) -> ()
    return
  }
}
)";

Module sample() { return mosaic::read_module(kModule, "sample.mlir"); }

// The module, as plain text without locations, with the n-th edit of a kind made; it verifies.
std::string after(const std::string& kind, int nth = 0) {
  const Module module = sample();
  const std::vector<Edit> edits = edits_of(module);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].kind != kind || nth-- > 0) continue;
    const Module changed = edited(module, i);
    EXPECT_FALSE(mosaic::same(changed, module)) << kind;
    return mosaic::write_module(changed, {mosaic::Form::kText, mosaic::Names::kPlain, 9, false});
  }
  ADD_FAILURE() << "no such edit: " << kind;
  return "";
}

int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(Edits, AreFoundInTheOrderOfTheOperations) {
  std::vector<std::string> kinds;
  for (const Edit& edit : edits_of(sample())) kinds.push_back(edit.kind);
  EXPECT_THAT(
      kinds, ElementsAre("wrong parity", "buffer fewer", "shift block", "wrong slot", "wrong semaphore", "drop guarded",
                         "drop guard", "drop start", "double start", "drop wait", "double wait", "halve wait",
                         "loop shorter", "loop longer", "loop later", "drop signal", "double signal", "wrong semaphore",
                         "drop wait", "double wait", "halve wait", "wrong semaphore", "wrong slot", "drop mask"));
}

TEST(Edits, NameTheirPlace) { EXPECT_EQ(edits_of(sample()).front().place, "sample.mlir:13"); }

TEST(Edits, DropAndDoubleStartsWaitsAndSignals) {
  EXPECT_EQ(count(after("drop start"), "tpu.enqueue_dma"), 0);
  EXPECT_EQ(count(after("double start"), "tpu.enqueue_dma"), 2);
  EXPECT_EQ(count(after("drop wait"), "tpu.wait_dma2"), 0);
  EXPECT_EQ(count(after("double wait", 1), "tpu.sem_wait"), 2);
  EXPECT_EQ(count(after("drop signal"), "tpu.sem_signal"), 0);
  EXPECT_EQ(count(after("double signal"), "tpu.sem_signal"), 2);
}

TEST(Edits, HalveTheBytesOrTheAmountOfAWait) {
  EXPECT_THAT(after("halve wait"), HasSubstr("memref<4x128xf32, #tpu.memory_space<vmem>>) -> ()"));
  EXPECT_THAT(after("halve wait", 1), HasSubstr("arith.divui"));
}

TEST(Edits, TakeAnotherSemaphoreSlotOrRemainder) {
  EXPECT_EQ(count(after("wrong semaphore"), "arith.remui"), 1);     // the next of the array
  EXPECT_EQ(count(after("wrong semaphore", 1), "arith.remui"), 0);  // the other regular one
  EXPECT_EQ(count(after("wrong slot"), "arith.remui"), 1);
  EXPECT_EQ(count(after("wrong slot", 1), "arith.remui"), 1);
  EXPECT_EQ(count(after("wrong parity"), "arith.addi"), 1);
  EXPECT_THAT(after("buffer fewer"), HasSubstr("value = 1 : i32"));
}

TEST(Edits, ShiftBlocksAndLoops) {
  EXPECT_THAT(after("shift block"), HasSubstr("value = 8 : i32"));
  EXPECT_THAT(after("loop shorter"), HasSubstr("value = -1 : i32"));
  EXPECT_EQ(count(after("loop longer"), "arith.addi"), 1);
  EXPECT_EQ(count(after("loop later"), "arith.addi"), 1);
}

TEST(Edits, DropGuardsAndMasks) {
  EXPECT_EQ(count(after("drop guarded"), "tpu.enqueue_dma"), 0);
  EXPECT_EQ(count(after("drop guard"), "value = true"), 2);
  EXPECT_THAT(after("drop mask"), HasSubstr("array<i32: 1, 1, 2, 0>"));
}

TEST(Edits, ShiftWhatAnIndexMapGives) {
  const Module module = mosaic::read_module(R"(module {
  func.func @main(%i: i32, %x: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {
    dimension_semantics = [#tpu.dimension_semantics<arbitrary>], iteration_bounds = array<i64: 3>,
    scalar_prefetch = 0 : i64, scratch_operands = 0 : i64,
    window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>}]} {
    return
  }
  func.func @transform_0(%i: i32) -> (i32, i32) { return %i, %i : i32, i32 }
})",
                                            "map.mlir");
  const std::vector<Edit> edits = edits_of(module);
  ASSERT_EQ(edits.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(edits[i].kind, "shift block");
    const Module changed = edited(module, i);
    EXPECT_NO_THROW(mosaic::verify_module(changed));
    EXPECT_FALSE(mosaic::same(changed, module));
  }
}

}  // namespace
}  // namespace millrace::mutation
