// SPDX-License-Identifier: Apache-2.0
// Reshaped and cast views: the same elements under other coordinates, held against the arithmetic of row-major places.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "program/lower.h"
#include "runs.h"

namespace millrace::test {
namespace {

using ::testing::HasSubstr;

std::string any(const std::string& shape) { return fmt::format("memref<{}, #tpu.memory_space<any>>", shape); }
std::string vmem(const std::string& shape) { return fmt::format("memref<{}, #tpu.memory_space<vmem>>", shape); }
const std::string kSemaphore = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";

std::string view(const std::string& op, const std::string& name, const std::string& of, const std::string& from,
                 const std::string& to) {
  return fmt::format("{} = \"tpu.memref_{}\"({}) : ({}) -> {}\n", name, op, of, from, to);
}

// %name = the part of %of from the known `starts` on.
std::string slice(const std::string& name, const std::string& of, const std::string& from,
                  const std::vector<int>& starts, const std::string& to) {
  std::string text, operands, types;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    text += fmt::format("{}_{} = arith.constant {} : i32\n", name, i, starts[i]);
    operands += fmt::format(", {}_{}", name, i), types += ", i32";
  }
  return text +
         fmt::format("{} = \"tpu.memref_slice\"({}{}) {{operandSegmentSizes = array<i32: 1, {}, 0>}} : ({}{}) -> {}\n",
                     name, of, operands, starts.size(), from, types, to);
}

std::string copy(const std::string& a, const std::string& b, const std::string& type_a, const std::string& type_b) {
  return fmt::format(
      "\"tpu.enqueue_dma\"({0}, {1}, %s) {{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, "
      "strict_ordering = false}} : ({2}, {3}, {4}) -> ()\n"
      "\"tpu.wait_dma2\"(%s, {0}, {1}) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false}} : "
      "({4}, {2}, {3}) -> ()\n",
      a, b, type_a, type_b, kSemaphore);
}

mosaic::Module copying(const std::string& in, const std::string& out, const std::string& body) {
  return module_of(kernel_text(fmt::format("%x: {}, %o: {}, %s: {}", in, out, kSemaphore), body, 1));
}

TEST(Frame, AReshapedArrayIsCopiedInRowMajorOrder) {
  const std::string pages = any("4x8x128xf32"), rows = any("32x128xf32"), odd = any("2x16x1x128xf32");
  const auto module = copying(
      pages, rows,
      view("reshape", "%a", "%x", pages, odd) + view("reshape", "%b", "%a", odd, rows) + copy("%b", "%o", rows, rows));
  for (const std::string& schedule : schedules(3)) {
    const Ran ran = run(module, {counted(f32, {4, 8, 128})}, {{f32, {32, 128}}}, {.schedule = schedule});
    EXPECT_TRUE(same_bits(ran.out(), counted(f32, {32, 128}))) << schedule;
    EXPECT_EQ(ran.lines_with("m0[0:4, 0:8, 0:128] -> m1[0:32, 0:128]"), 1u);
  }
}

TEST(Frame, APartOfAReshapedPartIsFoundInItsPage) {
  const std::string pages = any("4x8x128xf32"), two = any("2x8x128xf32"), rows = any("16x128xf32"),
                    some = any("4x128xf32");
  const auto module = copying(pages, some,
                              slice("%a", "%x", pages, {1, 0, 0}, two) + view("reshape", "%b", "%a", two, rows) +
                                  slice("%c", "%b", rows, {10, 0}, some) + copy("%c", "%o", some, some));
  const Ran ran = run(module, {counted(f32, {4, 8, 128})}, {{f32, {4, 128}}});
  EXPECT_TRUE(same_bits(ran.out(), counted(f32, {4, 128}, (8 + 10) * 128)));
  EXPECT_EQ(ran.lines_with("m0[2, 2:6, 0:128] -> m1[0:4, 0:128]"), 1u);
}

TEST(Frame, AWriteThroughAReshapedViewLandsInItsPage) {
  const std::string pages = any("4x8x128xf32"), rows = any("32x128xf32"), eight = any("8x128xf32");
  const auto module = copying(eight, pages,
                              view("reshape", "%b", "%o", pages, rows) + slice("%c", "%b", rows, {16, 0}, eight) +
                                  copy("%x", "%c", eight, eight));
  const Ran ran = run(module, {counted(f32, {8, 128}, 1)}, {{f32, {4, 8, 128}}});
  EXPECT_EQ(ran.out().at({2, 7, 127}), 1024);
  EXPECT_TRUE(is_nan(ran.out(), 0));
  EXPECT_TRUE(is_nan(ran.out(), 3 * 1024));
}

TEST(Frame, ColumnsCanBeSplitButNotJoinedWithRows) {
  const std::string whole = any("8x256xf32"), half = any("8x128xf32"), split = any("8x2x64xf32"),
                    flat = any("1024xf32");
  const auto good = copying(whole, split,
                            slice("%a", "%x", whole, {0, 128}, half) + view("reshape", "%b", "%a", half, split) +
                                copy("%b", "%o", split, split));
  EXPECT_EQ(run(good, {counted(f32, {8, 256})}, {{f32, {8, 2, 64}}}).out().at({3, 1, 5}), 3 * 256 + 128 + 64 + 5);
  const auto bad = copying(whole, flat,
                           slice("%a", "%x", whole, {0, 128}, half) + view("reshape", "%b", "%a", half, flat) +
                               copy("%b", "%o", flat, flat));
  EXPECT_THAT(error_of([&] {
                program::lower(bad, {{f32, {8, 256}}}, {{f32, {1024}}});
              }),
              HasSubstr("tpu.memref_reshape of a view whose elements do not follow each other evenly"));
}

TEST(Frame, LeavingAReshapedViewIsAFaultEvenWhereItsMemoryGoesOn) {
  const std::string pages = any("4x8x128xf32"), one = any("1x8x128xf32"), rows = any("8x128xf32"),
                    some = any("4x128xf32");
  auto at = [&](int page, int row) {
    return copying(pages, some,
                   slice("%a", "%x", pages, {page, 0, 0}, one) + view("reshape", "%b", "%a", one, rows) +
                       slice("%c", "%b", rows, {row, 0}, some) + copy("%c", "%o", some, some));
  };
  auto fault = [&](int page, int row) {
    return run(at(page, row), {counted(f32, {4, 8, 128})}, {{f32, {4, 128}}}).outcome.fault;
  };
  EXPECT_FALSE(fault(1, 4));
  ASSERT_TRUE(fault(1, 5));
  EXPECT_EQ(fault(1, 5)->id, "bounds.dma");
  EXPECT_THAT(fault(1, 5)->message, HasSubstr("[5:9, 0:128] of a reshaped view of in0"));
  ASSERT_TRUE(fault(4, 0));
  EXPECT_THAT(fault(4, 0)->message,
              HasSubstr("[0:4, 0:128] of a reshaped view of in0 leaves that view, or the view leaves in0"));
}

TEST(Frame, APartAcrossPagesIsTwoBoxesOfItsMemory) {
  const std::string pages = any("4x8x128xf32"), rows = any("32x128xf32"), eight = any("8x128xf32");
  const auto module = copying(pages, eight,
                              view("reshape", "%b", "%x", pages, rows) + slice("%c", "%b", rows, {4, 0}, eight) +
                                  copy("%c", "%o", eight, eight));
  const Ran ran = run(module, {counted(f32, {4, 8, 128})}, {{f32, {8, 128}}});
  EXPECT_TRUE(same_bits(ran.out(), counted(f32, {8, 128}, 4 * 128)));
  EXPECT_EQ(ran.lines_with("m0[0, 4:8, 0:128]+[1, 0:4, 0:128] -> m1[0:8, 0:128]"), 1u);
}

// 16-bit elements of known bits.
Array halves(const Shape& shape) {
  Array a(i16, shape);
  for (std::int64_t e = 0; e < a.size(); ++e)
    a.as<std::int16_t>()[static_cast<std::size_t>(e)] = static_cast<std::int16_t>(e * 7 + 1);
  return a;
}
std::uint32_t word(const Array& narrow, std::int64_t row, std::int64_t column, std::int64_t columns) {
  auto bits = [&](std::int64_t r) {
    return std::uint32_t{
        static_cast<std::uint16_t>(narrow.as<std::int16_t>()[static_cast<std::size_t>(r * columns + column)])};
  };
  return bits(2 * row) | bits(2 * row + 1) << 16;
}

TEST(Frame, AWordOfACastViewHoldsTwoRowsTheFirstInItsLowBits) {
  const std::string narrow = vmem("16x128xi16"), wide = vmem("8x128xi32"), some = vmem("3x128xi32");
  const std::string body = view("bitcast", "%w", "%x", narrow, wide) +
                           "%c = arith.constant 0 : index\n%r = arith.constant 1 : index\n"
                           "%v = \"tpu.strided_load\"(%w, %r, %c) {strides = array<i32: 3, 1>} : (" +
                           wide +
                           ", index, index) -> vector<2x128xi32>\nvector.store %v, %o[%c, %c] : " + vmem("2x128xi32") +
                           ", vector<2x128xi32>\n";
  const auto module = module_of(kernel_text(fmt::format("%x: {}, %o: {}", narrow, vmem("2x128xi32")), body));
  const Array x = halves({16, 128});
  const Ran ran = run(module, {x}, {{i32, {2, 128}}}, {});
  EXPECT_EQ(ran.lines_with("[2:4, 0:128]+[8:10, 0:128]"), 1u);  // words 1 and 4
  for (std::int64_t row : {0, 1})
    for (std::int64_t c : {0, 1, 127})
      EXPECT_EQ(static_cast<std::uint32_t>(ran.out().as<std::int32_t>()[static_cast<std::size_t>(row * 128 + c)]),
                word(x, 1 + 3 * row, c, 128));
}

TEST(Frame, WordsGoThroughACastViewAndBackByCopy) {
  const std::string narrow = any("16x128xi16"), wide = any("8x128xi32");
  const auto module = copying(narrow, wide, view("bitcast", "%w", "%x", narrow, wide) + copy("%w", "%o", wide, wide));
  const auto back = copying(wide, narrow, view("bitcast", "%w", "%o", narrow, wide) + copy("%x", "%w", wide, wide));
  const Array x = halves({16, 128});
  for (const std::string& schedule : schedules(3)) {
    const Ran words = run(module, {x}, {{i32, {8, 128}}}, {.schedule = schedule});
    EXPECT_EQ(static_cast<std::uint32_t>(words.out().as<std::int32_t>()[3 * 128 + 9]), word(x, 3, 9, 128));
    EXPECT_EQ(words.lines_with("m0[0:16, 0:128] -> m1[0:8, 0:128]"), 1u);
    EXPECT_TRUE(same_bits(run(back, {words.out()}, {{i16, {16, 128}}}, {.schedule = schedule}).out(), x)) << schedule;
  }
}

TEST(Frame, ACastBackToTheMemorysOwnElementsIsTheArrayAgain) {
  const std::string narrow = any("16x128xi16"), wide = any("8x128xi32");
  const auto module = copying(narrow, narrow,
                              view("bitcast", "%w", "%x", narrow, wide) + view("bitcast", "%n", "%w", wide, narrow) +
                                  copy("%n", "%o", narrow, narrow));
  EXPECT_TRUE(same_bits(run(module, {halves({16, 128})}, {{i16, {16, 128}}}).out(), halves({16, 128})));
}

// Row r of the 16-bit halves of words: the low ones of word row r / 2, then the high ones.
std::int16_t half_of(const Array& words, std::int64_t row, std::int64_t column) {
  const auto word =
      static_cast<std::uint32_t>(words.as<std::int32_t>()[static_cast<std::size_t>(row / 2 * 128 + column)]);
  return static_cast<std::int16_t>(row % 2 == 0 ? word : word >> 16);
}

Array some_words() {
  Array words(i32, {8, 128});
  std::uint32_t state = 1;
  for (std::int32_t& w : words.as<std::int32_t>())
    w = static_cast<std::int32_t>(state = state * 1664525u + 1013904223u);
  return words;
}

TEST(Frame, ElementsNarrowerThanTheMemorysAreItsWordsInParts) {
  const std::string wide = any("8x128xi32"), narrow = any("16x128xi16"), some = any("5x128xi16");
  const std::string cast = view("bitcast", "%n", "%x", wide, narrow);
  const auto whole = copying(wide, narrow, cast + copy("%n", "%o", narrow, narrow));
  const auto part = copying(wide, some, cast + slice("%p", "%n", narrow, {3, 0}, some) + copy("%p", "%o", some, some));
  const auto back = copying(narrow, wide, view("bitcast", "%n", "%o", wide, narrow) + copy("%x", "%n", narrow, narrow));
  const Array words = some_words();
  for (const std::string& schedule : schedules(3)) {
    const Ran all = run(whole, {words}, {{i16, {16, 128}}}, {.schedule = schedule});
    const Ran five = run(part, {words}, {{i16, {5, 128}}}, {.schedule = schedule});
    for (std::int64_t c : {0, 1, 127}) {
      for (std::int64_t r = 0; r < 16; ++r) ASSERT_EQ(all.out().at({r, c}), half_of(words, r, c));
      for (std::int64_t r = 0; r < 5; ++r) ASSERT_EQ(five.out().at({r, c}), half_of(words, r + 3, c));
    }
    EXPECT_EQ(five.lines_with("m0[1:4, 0:128] -> m1[0:5, 0:128]"), 1u);
    EXPECT_TRUE(same_bits(run(back, {all.out()}, {{i32, {8, 128}}}, {.schedule = schedule}).out(), words)) << schedule;
  }
}

TEST(Frame, PartsOfWordsAreLoadedInStridesAndStoredAlone) {
  const std::string wide = vmem("8x128xi32"), narrow = vmem("16x128xi16");
  const std::string load = "vector<5x128xi16>";
  const auto module = module_of(kernel_text(
      fmt::format("%x: {0}, %o: {0}", wide),
      view("bitcast", "%n", "%x", wide, narrow) + view("bitcast", "%m", "%o", wide, narrow) +
          "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n" +
          fmt::format("%w = vector.load %x[%c0, %c0] : {0}, vector<8x128xi32>\n"
                      "vector.store %w, %o[%c0, %c0] : {0}, vector<8x128xi32>\n"
                      "%v = \"tpu.strided_load\"(%n, %c1, %c0) {{strides = array<i32: 3, 1>}} : ({1}, index, index) -> "
                      "{2}\n\"tpu.strided_store\"(%v, %m, %c2, %c0) {{strides = array<i32: 1, 1>}} : ({2}, {1}, index, "
                      "index) -> ()\n",
                      wide, narrow, load)));
  const Array words = some_words(), out = run(module, {words}, {{i32, {8, 128}}}).out();
  for (std::int64_t r = 0; r < 16; ++r)
    for (std::int64_t c : {0, 1, 127})
      ASSERT_EQ(half_of(out, r, c), half_of(words, r >= 2 && r < 7 ? 1 + 3 * (r - 2) : r, c)) << r;
}

TEST(Frame, AViewOfPartsIsNotCastOrReshapedAgain) {
  const std::string wide = any("8x128xi32"), narrow = any("16x128xi16"), flat = any("2048xi16");
  const auto module = copying(wide, flat,
                              view("bitcast", "%n", "%x", wide, narrow) + view("reshape", "%f", "%n", narrow, flat) +
                                  copy("%f", "%o", flat, flat));
  EXPECT_THAT(error_of([&] {
                program::lower(module, {{i32, {8, 128}}}, {{i16, {2048}}});
              }),
              HasSubstr("a view of elements narrower than the memory's is not supported"));
}

TEST(Frame, AnArrayOfSemaphoresCanBeReshaped) {
  const std::string grid = "memref<2x3x!tpu.semaphore, #tpu.memory_space<semaphore_mem>>",
                    row = "memref<6x!tpu.semaphore, #tpu.memory_space<semaphore_mem>>",
                    one = "memref<1x!tpu.semaphore, #tpu.memory_space<semaphore_mem>>",
                    it = "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";
  const std::string body =
      view("reshape", "%r", "%s", grid, row) + slice("%a", "%r", row, {4}, one) + view("squeeze", "%b", "%a", one, it) +
      "%n = arith.constant 5 : i32\n\"tpu.sem_signal\"(%b, %n) {operandSegmentSizes = array<i32: 1, 1, "
      "0, 0>} : (" +
      it + ", i32) -> ()\n\"tpu.sem_wait\"(%b, %n) : (" + it + ", i32) -> ()\n";
  const auto module = module_of(kernel_text("%s: " + grid, body, 1));
  const Ran ran = run(module, {}, {});
  EXPECT_TRUE(ran.outcome.ended());
  EXPECT_EQ(ran.lines_with("[4] by 5"), 1u);
}

TEST(Frame, CastsOfCastsEndSomewhere) {
  std::string body, last = "%x";
  const std::string a = any("8x128xf32"), b = any("1024xf32");
  for (int i = 0; i < 40; ++i) {
    const std::string name = fmt::format("%v{}", i);
    body += view("reshape", name, last, i % 2 ? b : a, i % 2 ? a : b);
    last = name;
  }
  const auto module = copying(a, a, body + copy(last, "%o", a, a));
  EXPECT_THAT(error_of([&] {
                program::lower(module, {{f32, {8, 128}}}, {{f32, {8, 128}}});
              }),
              HasSubstr("a view that is reshaped or cast more than 32 times is not supported"));
}

}  // namespace
}  // namespace millrace::test
