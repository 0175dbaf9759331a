// SPDX-License-Identifier: Apache-2.0
// DMAs: tile padding, ends that overlap, memory that ends while a DMA is on its way, bytes and counts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::test {
namespace {

std::string memref(const std::string& shape, const std::string& space) {
  return fmt::format("memref<{}, #tpu.memory_space<{}>>", shape, space);
}
const std::string kSemaphore = memref("!tpu.dma_semaphore", "semaphore_mem");

std::string start(const std::string& a, const std::string& ta, const std::string& b, const std::string& tb,
                  const std::string& semaphore = kSemaphore) {
  return fmt::format(
      "\"tpu.enqueue_dma\"({}, {}, %s) {{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, "
      "strict_ordering = false}} : ({}, {}, {}) -> ()\n",
      a, b, ta, tb, semaphore);
}
std::string wait(const std::string& a, const std::string& ta, const std::string& b, const std::string& tb,
                 const std::string& semaphore = kSemaphore) {
  return fmt::format(
      "\"tpu.wait_dma2\"(%s, {}, {}) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false}} : "
      "({}, {}, {}) -> ()\n",
      a, b, semaphore, ta, tb);
}
std::string slice(const std::string& name, const std::string& of, const std::string& from, int row, int column,
                  const std::string& to) {
  return fmt::format(
      "{0}_r = arith.constant {3} : i32\n{0}_c = arith.constant {4} : i32\n"
      "{0} = \"tpu.memref_slice\"({1}, {0}_r, {0}_c) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : ({2}, i32, i32) "
      "-> {5}\n",
      name, of, from, row, column, to);
}

const std::string kRagged = memref("17x257xf32", "any"), kTile = memref("8x128xf32", "any"),
                  kSlot = memref("8x128xf32", "vmem");

// Copies the tile at (row, column) of the ragged input to an output of one tile, through VMEM.
Ran from_ragged(int row, int column) {
  const std::string body = slice("%part", "%x", kRagged, row, column, kTile) + start("%part", kTile, "%buf", kSlot) +
                           wait("%part", kTile, "%buf", kSlot) + start("%buf", kSlot, "%o", kTile) +
                           wait("%buf", kSlot, "%o", kTile);
  const auto module = module_of(
      kernel_text(fmt::format("%x: {}, %o: {}, %buf: {}, %s: {}", kRagged, kTile, kSlot, kSemaphore), body, 2));
  return run(module, {counted(f32, {17, 257})}, {{f32, {8, 128}}});
}

TEST(Dma, PaddingOfTheSourceArrivesAsPoisonAndIsNoFault) {
  const Ran ran = from_ragged(16, 256);
  ASSERT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.out().at({0, 0}), 16 * 257 + 256);
  EXPECT_TRUE(is_nan(ran.out(), 1));
  EXPECT_TRUE(is_nan(ran.out(), 128));
  EXPECT_EQ(ran.lines_with("m0[16, 256] -> m2[0:8, 0:128]"), 1u);  // the box is the part inside the array
}

TEST(Dma, APartWhollyInThePaddingIsAllPoison) {
  const Ran ran = from_ragged(0, 256);
  ASSERT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.out().at({7, 0}), 7 * 257 + 256);
  EXPECT_TRUE(is_nan(ran.out(), 1));
}

TEST(Dma, OneElementBeyondThePaddingLeavesTheArray) {
  for (auto [row, column] : {std::pair{17, 0}, {0, 257}, {-1, 0}, {0, -1}}) {
    const Ran ran = from_ragged(row, column);
    ASSERT_TRUE(ran.outcome.fault) << row << ", " << column;
    EXPECT_EQ(ran.outcome.fault->id, "bounds.dma");
  }
  const std::string message = from_ragged(17, 0).outcome.fault->message;
  EXPECT_EQ(message, "in0[17:25, 0:128] leaves in0, which has the shape (17, 257)");
}

TEST(Dma, PaddingOfTheTargetIsDropped) {
  const std::string body = slice("%part", "%o", kRagged, 16, 256, kTile) + start("%x", kTile, "%part", kTile) +
                           wait("%x", kTile, "%part", kTile);
  const auto module =
      module_of(kernel_text(fmt::format("%x: {}, %o: {}, %s: {}", kTile, kRagged, kSemaphore), body, 1));
  for (const std::string& schedule : schedules(5)) {
    const Ran ran = run(module, {counted(f32, {8, 128}, 3)}, {{f32, {17, 257}}}, {schedule});
    ASSERT_TRUE(ran.outcome.ended());
    EXPECT_EQ(ran.out().at({16, 256}), 3);
    EXPECT_TRUE(is_nan(ran.out(), 16 * 257 + 255));
  }
}

TEST(Dma, FastMemoryHasNoPadding) {
  const std::string vector = memref("9x128xf32", "vmem");
  const std::string body = slice("%part", "%buf", vector, 8, 0, kSlot) + start("%x", kTile, "%part", kSlot);
  const auto module = module_of(
      kernel_text(fmt::format("%x: {}, %o: {}, %buf: {}, %s: {}", kTile, kTile, vector, kSemaphore), body, 2));
  const Ran ran = run(module, {counted(f32, {8, 128})}, {{f32, {8, 128}}});
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->id, "bounds.dma");
}

TEST(Dma, EndsThatOverlapMoveWhatStoodThereBefore) {
  const Kernel shift = kernel("shift", {hbm(f32, {32, 128})}, {hbm(f32, {32, 128})}, [](Ref x, Ref out) {
    sync_copy(x, out);
    sync_copy(out.rows(0, 16), out.rows(8, 16));
  });
  for (const std::string& schedule : schedules(5)) {
    const Array out = run(shift, {counted(f32, {32, 128})}, {schedule}).out();
    EXPECT_EQ(out.at({8, 0}), 0) << schedule;
    EXPECT_EQ(out.at({23, 127}), 15 * 128 + 127) << schedule;
    EXPECT_EQ(out.at({24, 0}), 24 * 128) << schedule;
  }
}

TEST(Dma, MemoryThatEndsWhileADmaReadsItStaysForTheDmaAndIsFreedOnce) {
  const Kernel loose = kernel("loose", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})}, [](Ref x, Ref out) {
    scoped(dma_semaphore(), [&](Semaphore sent) {
      scoped(vmem(f32, {8, 128}), [&](Ref buf) {
        sync_copy(x, buf);
        make_async_copy(buf, out, sent).start();
      });
      scoped(vmem(f32, {8, 128}), [&](Ref other) { other.store(zeros_like(other)); });
      make_async_copy(x, out, sent).wait();
    });
  });
  for (const std::string& schedule : schedules(10)) {
    const Ran ran = run(loose, {counted(f32, {8, 128})}, {schedule});
    ASSERT_TRUE(ran.outcome.ended());
    EXPECT_EQ(ran.out().flat(1000), 1000) << schedule;
    EXPECT_EQ(ran.lines_with("free m"), ran.lines_with("alloc m")) << schedule << "\n" << ran.stream;
  }
}

TEST(Dma, OneThatNobodyWaitsForStillArrivesBeforeTheKernelEnds) {
  const Kernel loose = kernel("loose", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})}, [](Ref x, Ref out) {
    scoped(dma_semaphore(), [&](Semaphore s) { make_async_copy(x, out, s).start(); });
  });
  for (const std::string& schedule : schedules(5))
    EXPECT_TRUE(same_bits(run(loose, {counted(f32, {8, 128})}, {schedule}).out(), counted(f32, {8, 128}))) << schedule;
}

TEST(Dma, OnARegularSemaphoreADmaCountsOne) {
  const std::string regular = memref("!tpu.semaphore", "semaphore_mem");
  const std::string body = start("%x", kTile, "%o", kTile, regular) + wait("%x", kTile, "%o", kTile, regular);
  const auto module = module_of(kernel_text(fmt::format("%x: {}, %o: {}, %s: {}", kTile, kTile, regular), body, 1));
  const Ran ran = run(module, {counted(f32, {8, 128})}, {{f32, {8, 128}}});
  ASSERT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.lines_with("signals m2[0] by 1 last"), 1u);
  EXPECT_EQ(ran.lines_with("waited core0.0 m2[0] for 1 "), 1u);
  EXPECT_EQ(ran.outcome.work.dma_bytes, 4096u);
}

TEST(Dma, BytesCountTheElementsOfTheirType) {
  const Kernel copy =
      kernel("copy", {hbm(bf16, {16, 128})}, {hbm(bf16, {16, 128})}, [](Ref x, Ref out) { sync_copy(x, out); });
  const Ran ran = run(copy, {counted(bf16, {16, 128})});
  EXPECT_EQ(ran.lines_with("by 4096"), 2u);  // 16 * 128 * 2: the issue and the last signal
  EXPECT_EQ(ran.outcome.work.dmas, 1u);
}

// A DMA of %n rows onto %m rows; both sizes are read at run time.
TEST(Dma, EndsOfDifferentRunTimeSizesStopTheRunWithBothSizes) {
  const auto module = module_of(
      kernel_text("%s: memref<2xi32, #tpu.memory_space<smem>>, %x: memref<16x128xf32, #tpu.memory_space<any>>, "
                  "%o: memref<16x128xf32, #tpu.memory_space<any>>, %d: memref<!tpu.dma_semaphore, "
                  "#tpu.memory_space<semaphore_mem>>",
                  R"(%i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %n = memref.load %s[%i0] : memref<2xi32, #tpu.memory_space<smem>>
    %m = memref.load %s[%i1] : memref<2xi32, #tpu.memory_space<smem>>
    %a = "tpu.memref_slice"(%x, %z, %z, %n) {operandSegmentSizes = array<i32: 1, 2, 1>}
      : (memref<16x128xf32, #tpu.memory_space<any>>, i32, i32, i32) -> memref<?x128xf32, #tpu.memory_space<any>>
    %b = "tpu.memref_slice"(%o, %z, %z, %m) {operandSegmentSizes = array<i32: 1, 2, 1>}
      : (memref<16x128xf32, #tpu.memory_space<any>>, i32, i32, i32) -> memref<?x128xf32, #tpu.memory_space<any>>
    "tpu.enqueue_dma"(%a, %b, %d)
      {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false}
      : (memref<?x128xf32, #tpu.memory_space<any>>, memref<?x128xf32, #tpu.memory_space<any>>,
         memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    "tpu.wait_dma2"(%d, %a, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false}
      : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<?x128xf32, #tpu.memory_space<any>>,
         memref<?x128xf32, #tpu.memory_space<any>>) -> ()
)",
                  1));
  const auto rows = [&](std::int32_t from, std::int32_t to) {
    const std::vector<std::int32_t> sizes{from, to};
    return run(module, {Array::from(sizes, {2}), counted(f32, {16, 128})}, {{f32, {16, 128}}});
  };
  EXPECT_TRUE(rows(8, 8).outcome.ended());
  const Ran ran = rows(8, 4);
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->id, "dma.mismatch");
  EXPECT_EQ(ran.outcome.fault->message, "the DMA's source has 8 elements along dimension 0, its target 4");
}

}  // namespace
}  // namespace millrace::test
