// SPDX-License-Identifier: Apache-2.0
// Views of the same bytes in another form, masked stores, parts of values and places of extremes: what they leave
// behind, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traced.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Views, AReshapedRefIsAViewOfThePartItIsMadeFrom) {
  std::string text = text_of([](Ref x, Ref out) {
    out.rows(0, 4).store(x.reshape({2, 4, 128})[1].load());
    out.rows(4, 4).store(x.rows(4, 4).reshape({1, 4, 128})[0].load());
  });
  EXPECT_THAT(text, HasSubstr("(memref<8x128xf32, #tpu.memory_space<vmem>>) -> memref<2x4x128xf32"));
  EXPECT_THAT(text, HasSubstr("(memref<4x128xf32, #tpu.memory_space<vmem>>) -> memref<1x4x128xf32"));
}

TEST(Views, AReshapeKeepsTheNumberOfElements) {
  EXPECT_THAT(refusal([](Ref x, Ref) {
                x.reshape({2, 8, 128});
              }),
              HasSubstr("reshape of input 0, f32 (8, 128) to (2, 8, 128): the counts of elements differ"));
  EXPECT_THAT(text_of([](Ref x, Ref out) { out.store(x.reshape({8, 128}).load()); }), Not(HasSubstr("memref_reshape")));
}

TEST(Views, ABitcastScalesTheSecondLastDimension) {
  Shape narrow, wide;
  std::string text = text_of([&](Ref x, Ref out) {
    narrow = x.bitcast(bf16).shape();
    wide = x.bitcast(bf16).bitcast(i32).shape();
    out.store(cast(x.bitcast(bf16).rows(0, 8).load(), f32));
  });
  EXPECT_EQ(narrow, (Shape{16, 128}));
  EXPECT_EQ(wide, (Shape{8, 128}));
  EXPECT_THAT(text, HasSubstr("memref_bitcast"));
  EXPECT_THAT(
      refusal([](Ref x, Ref) { x.bitcast(bf16).rows(0, 3).bitcast(f32); }),
      HasSubstr("the second last dimension makes up for the width, so it must be there and be a multiple of 2"));
  EXPECT_THAT(refusal([](Ref x, Ref) { x.bitcast(i1); }), HasSubstr("bool arrays have no bits of their own"));
}

TEST(Views, AMaskHasTheShapeOfWhatIsStored) {
  std::string text = text_of([](Ref x, Ref out) { out.store(x.load(), x.load() > 0); });
  EXPECT_THAT(text, HasSubstr("operandSegmentSizes = array<i32: 1, 1, 2, 1>"));
  EXPECT_THAT(refusal([](Ref x, Ref out) { out.rows(0, 4).store(0, x.load() > 0); }), HasSubstr("masked store"));
}

TEST(Views, AMaskGoesWithWordsInVmem) {
  EXPECT_THAT(refusal([](Ref x, Ref) {
                scoped(vmem(bf16, {8, 128}), [&](Ref b) { b.store(0, x.load() > 0); });
              }),
              HasSubstr("masks go with elements of 32 bits"));
  EXPECT_THAT(refusal([](Ref x, Ref) {
                scoped(smem(i32, {1}), [&](Ref s) { s.store(0, program_id(0) == 0); });
                static_cast<void>(x);
              }),
              HasSubstr("this kernel has no grid"));
  EXPECT_THAT(refusal([](Ref, Ref) { scoped(smem(i32, {1}), [&](Ref s) { s.store(0, Index(s.load(0)) == 0); }); }),
              HasSubstr("SMEM holds scalars; write when(c, ...)"));
}

TEST(Views, APartOfAValueLiesWithinIt) {
  EXPECT_THAT(text_of([](Ref x, Ref out) {
                out.rows(0, 4).store(slice(x.load(), {4, 0}, {4, 128}));
              }),
              HasSubstr("vector.extract_strided_slice"));
  EXPECT_THAT(refusal([](Ref x, Ref) {
                slice(x.load(), {5, 0}, {4, 128});
              }),
              HasSubstr("slice: 4 from 5 along axis 0 of shape (8, 128); it lies within 0 to 8"));
  EXPECT_THAT(refusal([](Ref x, Ref) { slice(x.load(), {0}, {4}); }),
              HasSubstr("slice: 1 starts and 1 sizes for a value of shape (8, 128)"));
}

TEST(Views, ThePlaceOfTheLargestElementIsAnI32) {
  DType dtype = f32;
  Shape shape;
  std::string text = text_of([&](Ref x, Ref out) {
    Value best = argmax(x.load(), 1);
    dtype = best.dtype(), shape = best.shape();
    out.store(broadcast(cast(best + argmin(x.load(), 1), f32), {8, 128}));
  });
  EXPECT_EQ(dtype, i32);
  EXPECT_EQ(shape, (Shape{8, 1}));
  EXPECT_THAT(text, HasSubstr("reduction_kind<arg_max>"));
  EXPECT_THAT(text, HasSubstr("reduction_kind<arg_min>"));
  EXPECT_THAT(refusal([](Ref x, Ref) { argmax(cast(x.load(), i32), 1); }), HasSubstr("argmax of i32; take f32"));
  EXPECT_THAT(refusal([](Ref x, Ref) { argmin(x.load(), 2); }),
              HasSubstr("argmin along axis 2 of shape (8, 128): the rank is at least 2 and the axis below it"));
}

}  // namespace
}  // namespace millrace::test
