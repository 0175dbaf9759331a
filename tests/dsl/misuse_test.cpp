// SPDX-License-Identifier: Apache-2.0
// What a wrong kernel is told: the caller's line, what is wrong, and the legal range.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.h"
#include "traced.h"

namespace millrace::test {
namespace {

#define EXPECT_REFUSED(body, sentence) EXPECT_EQ(refusal(body), here() + (sentence))

TEST(Misuse, FunctionsOfFloatsNameTheCastForIntegers) {
  EXPECT_REFUSED([](Ref x, Ref) { exp(cast(x.load(), i32)); }, "exp of i32; take a float (cast(v, f32))");
  EXPECT_REFUSED([](Ref x, Ref) { rsqrt(cast(x.load(), i8)); }, "rsqrt of i8; take a float (cast(v, f32))");
}

TEST(Misuse, TwoDtypesNameBothCasts) {
  EXPECT_REFUSED([](Ref x, Ref) { x.load() + cast(x.load(), bf16); },
                 "f32 + bf16: both sides need one dtype; write cast(v, f32) or cast(v, bf16)");
  EXPECT_REFUSED([](Ref x, Ref) { x.load() < cast(x.load(), i32); },
                 "f32 < i32: both sides need one dtype; write cast(v, f32) or cast(v, i32)");
}

TEST(Misuse, AFractionMeetsNoInteger) {
  EXPECT_REFUSED([](Ref x, Ref) { cast(x.load(), i32) * 2.5f; },
                 "*: the number 2.5 has a fraction and the other side is i32; write an integer, or cast(v, f32)");
  EXPECT_REFUSED([](Ref x, Ref) { cast(x.load(), u8) + 300; }, "+: 300 is no u8 (0 to 255)");
}

TEST(Misuse, ShapesThatDoNotBroadcastNameTheAxis) {
  EXPECT_REFUSED([](Ref x, Ref) { x.load() + transpose(x.load()); },
                 "+: the shapes (8, 128) and (128, 8) do not broadcast: axis 1 has 128 and 8");
}

TEST(Misuse, StoresCompareDtypeAndShape) {
  EXPECT_REFUSED([](Ref x, Ref out) { out.store(cast(x.load(), bf16)); },
                 "store of bf16 to output 0, f32 (8, 128); write cast(v, f32)");
  EXPECT_REFUSED([](Ref x, Ref out) { out.store(sum(x.load(), over(1))); },
                 "store of f32 (8, 1) to output 0, f32 (8, 128): the shapes differ");
}

TEST(Misuse, PlacesKnownWhileTracingStayInside) {
  EXPECT_REFUSED([](Ref x, Ref) { x.rows(0, 9); },
                 "rows(..., 9): 9 rows do not fit the 8 rows of input 0, f32 (8, 128)");
  EXPECT_REFUSED([](Ref x, Ref) { x.rows(3, 6); },
                 "rows: 6 from 3 along axis 0 leave input 0, f32 (8, 128); the start is 0 to 2");
  EXPECT_REFUSED([](Ref x, Ref) { x[8]; },
                 "[]: 1 from 8 along axis 0 leave input 0, f32 (8, 128); the start is 0 to 7");
  EXPECT_REFUSED(
      [](Ref x, Ref) {
        x.slice({0, 120}, {8, 16});
      },
      "slice: 16 from 120 along axis 1 leave input 0, f32 (8, 128); the start is 0 to 112");
  EXPECT_REFUSED([](Ref x, Ref) { x.slice({0}, {8}); },
                 "slice: 1 starts and 1 sizes for input 0, f32 (8, 128) of rank 2");
}

TEST(Misuse, ReductionsNameTheAxesThatThereAre) {
  EXPECT_REFUSED([](Ref x, Ref) { sum(x.load(), over(2)); },
                 "sum over axes (2): the value has shape (8, 128); name each axis once, from 0 to 1");
  EXPECT_REFUSED([](Ref x, Ref) { max(cast(x.load(), bf16), over(1)); }, "max of bf16; take f32 or i32 (cast(v, f32))");
}

TEST(Misuse, DotComparesTheInnerSizes) {
  EXPECT_REFUSED([](Ref x, Ref) { dot(x.load(), x.load()); },
                 "dot of (8, 128) and (8, 128): it takes (m, k) and (k, n), or (b, m, k) and (b, k, n)");
}

TEST(Misuse, ABranchTakesOneConditionNoMask) {
  EXPECT_REFUSED([](Ref x, Ref) { when(x.load() > 0, [] {}); },
                 "a branch on a mask of shape (8, 128); it takes one condition (select works element by element)");
}

TEST(Misuse, AGridIsNeededForProgramIds) {
  EXPECT_REFUSED([](Ref, Ref) { program_id(0); }, "program_id(0): this kernel has no grid");
}

TEST(Misuse, AnIndexIsMadeOfAnI32Scalar) {
  EXPECT_REFUSED([](Ref x, Ref) { Index(x.load()); }, "an Index is made of an i32 scalar; this is f32 (8, 128)");
}

TEST(Misuse, SemaphoresOfCopiesAreNotCountedByHand) {
  EXPECT_REFUSED([](Ref, Ref) { scoped(dma_semaphore(), [](Semaphore s) { signal(s); }); },
                 "signal on scoped semaphore 0, which belongs to copies; use semaphore() or semaphores(n), or wait for "
                 "the copy");
  EXPECT_REFUSED(
      [](Ref x, Ref o) { scoped(semaphore(), [&](Semaphore s) { make_async_copy(x, o, s); }); },
      "make_async_copy on scoped semaphore 0, which counts by hand; use dma_semaphore() or dma_semaphores(n)");
}

TEST(Misuse, TheEndsOfACopyAreEqual) {
  EXPECT_REFUSED([](Ref x, Ref out) { sync_copy(x.rows(0, 4), out); },
                 "sync_copy: the ends differ: input 0, f32 (4, 128) does not fit output 0, f32 (8, 128)");
}

TEST(Misuse, AValueStaysInTheBodyThatMadeIt) {
  int made = 0, used = 0;
  std::string said = refusal([&](Ref x, Ref out) {
    Value v = x.load();
    when(sum(v) > 0, [&] {
      made = __LINE__ + 1;
      v += 1;
    });
    used = __LINE__ + 1;
    out.store(v);
  });
  EXPECT_EQ(said,
            fmt::format("misuse_test.cpp:{}: a value made at misuse_test.cpp:{} inside a branch, loop or scope is "
                        "used outside it; hand it out through carry(...), or store it in memory",
                        used, made));
}

TEST(Misuse, ALoopKeepsTheShapesThatItCarries) {
  EXPECT_REFUSED([](Ref x, Ref) { for_range(0, 4, carry(x.load()), [](Index, Value v) { return carry(sum(v)); }); },
                 "for_range: carried value 0 is f32 (8, 128) at first and f32 scalar then");
}

TEST(Misuse, TheLanguageWorksOnlyInsideAKernel) {
  EXPECT_EQ(refusal_of([] { program_id(0); }),
            here() + "program_id outside a kernel: the language works only while a kernel or an index map is traced");
}

TEST(Misuse, ValuesOfAnotherTraceAreRefused) {
  std::optional<Value> kept;
  refusal([&](Ref x, Ref) { kept = x.load(); });
  EXPECT_REFUSED([&](Ref, Ref out) { out.store(*kept); }, "a value of another kernel's trace is used here");
}

TEST(Misuse, HbmIsReachedByCopies) {
  auto body = [](Ref x, Ref out) { out.store(x.load()); };
  Kernel k = kernel("k", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})}, body);
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(k, {{f32, {8, 128}}});
              }),
              testing::EndsWith("load of input 0, f32 (8, 128): it lies in HBM, which only copies reach; use "
                                "make_async_copy, sync_copy or emit_pipeline"));
}

TEST(Misuse, SmemHoldsScalars) {
  auto body = [](Ref x, Ref out) { out.store(x.load(4), 0); };
  Kernel k = kernel("k", {smem(i32, {4})}, {smem(i32, {4})}, body);
  EXPECT_THAT(refusal_of([&] {
                dsl::trace(k, {{i32, {4}}});
              }),
              testing::EndsWith("load: 1 from 4 along axis 0 leave input 0, i32 (4,); the start is 0 to 3"));
}

}  // namespace
}  // namespace millrace::test
