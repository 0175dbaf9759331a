// SPDX-License-Identifier: Apache-2.0
// Which operations the language leaves behind. Every module is verified by text_of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mosaic/io.h"
#include "traced.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Values, ArithmeticOfFloatsAndIntegersOfBothKinds) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    Value s = cast(v, i32);
    Value u = cast(s, u32);
    s = (s + 1) * 3 / 2 % 5 - (s & 7) + (s | 1) + (s ^ 2) + (s << 1) + (s >> 2) + min(s, 4) + max(s, -4) + abs(s);
    u = u / 3 + u % 5 + (u >> 1) + min(u, 4) + max(u, 9);
    out.store(-v * 2 + v / 3 - abs(v) + min(v, 0.5f) + cast(s, f32) + cast(u, f32));
  });
  for (const char* operation :
       {"arith.addf",  "arith.subf",  "arith.mulf",  "arith.divf",  "arith.negf",   "math.absf",    "arith.minimumf",
        "arith.addi",  "arith.subi",  "arith.muli",  "arith.divsi", "arith.remsi",  "arith.andi",   "arith.ori",
        "arith.xori",  "arith.shli",  "arith.shrsi", "arith.minsi", "arith.maxsi",  "math.absi",    "arith.divui",
        "arith.remui", "arith.shrui", "arith.minui", "arith.maxui", "arith.fptosi", "arith.sitofp", "arith.uitofp"}) {
    EXPECT_THAT(text, HasSubstr(operation));
  }
}

TEST(Values, FunctionsOfFloats) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    out.store(exp(v) + log(v) + log1p(v) + sqrt(v) + rsqrt(v) + tanh(v) + sin(v) + cos(v) + floor(v) + ceil(v) +
              round(v) + logistic(v) + pow(v, v));
  });
  for (const char* operation : {"math.exp", "math.log", "math.log1p", "math.sqrt", "math.rsqrt", "math.tanh",
                                "math.sin", "math.cos", "math.floor", "math.ceil", "math.roundeven", "math.powf"}) {
    EXPECT_THAT(text, HasSubstr(operation));
  }
}

TEST(Values, NotEqualHoldsForNan) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    out.store(select(v != v, 0, v));
  });
  EXPECT_THAT(text, HasSubstr("\"arith.cmpf\"(%"));
  EXPECT_THAT(text, HasSubstr("predicate = 1 : i64"));  // ordered and equal, then turned around
  EXPECT_THAT(text, HasSubstr("arith.xori"));
}

TEST(Values, ReductionsKeepTheirAxisAndStartFromTheIdentity) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    out.store(v - max(v, over(1)) + sum(v, over(0)) + min(v, over(0, 1)) + sum(v));
  });
  EXPECT_THAT(text, HasSubstr("dense<0xFF800000> : vector<8xf32>"));
  EXPECT_THAT(text, HasSubstr("dense<0.000000e+00> : vector<128xf32>"));
  EXPECT_THAT(text, HasSubstr("(vector<8xf32>) -> vector<8x1xf32>"));
  EXPECT_THAT(text, HasSubstr("(vector<128xf32>) -> vector<1x128xf32>"));
  EXPECT_THAT(text, HasSubstr("reduction_dims = array<i64: 1, 2>"));
  EXPECT_THAT(text, HasSubstr("vector.extract"));
}

TEST(Values, DotNamesItsDimensionsAndPrecision) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    Value square = dot(transpose(v), v);
    out.store(dot(v, square, Precision::kHighest) + cast(dot(cast(v, i8), cast(square, i8)), f32));
  });
  EXPECT_THAT(text,
              HasSubstr("dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>"));
  EXPECT_THAT(text, HasSubstr("precision = #tpu.contract_precision<fp32>"));
  EXPECT_THAT(text, HasSubstr("(vector<8x128xi8>, vector<128x128xi8>, vector<8x128xi32>) -> vector<8x128xi32>"));
}

TEST(Values, ChangesOfShapeAndOrder) {
  std::string text = text_of([](Ref x, Ref out) {
    Value v = x.load();
    Value wide = concatenate({v, v}, 1);
    Value cube = broadcast(v, {3, 8, 128});
    Value odd = select(iota(i32, {8, 128}, 1) % 2 == 1, full(f32, {8, 128}, 2.5), v);
    Value flat = reshape(sum(cube, over(0)), {8, 128});
    out.store(odd + flat + reshape(sum(wide, over(1)), {8, 1}));
  });
  EXPECT_THAT(text, HasSubstr("tpu.concatenate"));
  EXPECT_THAT(text, HasSubstr("(vector<8x128xf32>) -> vector<1x8x128xf32>"));
  EXPECT_THAT(text, HasSubstr("(vector<1x8x128xf32>) -> vector<3x8x128xf32>"));
  EXPECT_THAT(text, HasSubstr("dimensions = array<i32: 1>"));
}

TEST(Values, CastsBetweenNarrowFloatsGoThroughF32) {
  std::string text = text_of([](Ref x, Ref out) { out.store(cast(cast(cast(x.load(), bf16), f16), f32)); });
  EXPECT_THAT(text, HasSubstr("(vector<8x128xbf16>) -> vector<8x128xf32>"));
  EXPECT_THAT(text, HasSubstr("(vector<8x128xf32>) -> vector<8x128xf16>"));
}

TEST(Values, PlacesKnownWhileTracingLeaveNoArithmetic) {
  std::string text = text_of([](Ref x, Ref out) {
    Index i = 3;
    out.rows(2 * i + 1 - i / 2, 1).store(x.rows(i % 2, 1).load());
  });
  EXPECT_THAT(text, Not(HasSubstr("arith.addi")));
  EXPECT_THAT(text, HasSubstr("value = 6 : index"));
  EXPECT_THAT(text, HasSubstr("value = 1 : index"));
}

TEST(Values, EqualScalarArithmeticIsWrittenOnce) {
  auto m = module_of(kernel("k", {smem(i32, {2})}, {smem(i32, {2})},
                            [](Ref x, Ref out) {
                              Index n(x.load(0));
                              out.store(n * 8 + 1, 0);
                              out.store(n * 8 + 1, 1);
                            }),
                     {{i32, {2}}});
  EXPECT_EQ(count(*m, "arith.muli"), 1u);
  EXPECT_EQ(count(*m, "memref.store"), 2u);
}

TEST(Values, BoolArraysLieInMemoryAsI32) {
  auto body = [](Ref mask, Ref x, Ref out) {
    Bool on(mask.load());
    out.store((on & !(x.load() > 0)) | (x.load() < -1));
  };
  Kernel k = kernel("k", {vmem(i1, {8, 128}), vmem(f32, {8, 128})}, {vmem(i1, {8, 128})}, body);
  auto traced = dsl::trace(k, {{i1, {8, 128}}, {f32, {8, 128}}});
  mosaic::verify_module(*traced.module);
  const auto& main = *traced.module->kernel();
  EXPECT_EQ(to_string(main.values[main.body.arguments[0]]), "memref<8x128xi32, #tpu.memory_space<vmem>>");
  EXPECT_EQ(traced.outputs[0].dtype, i1);
  EXPECT_EQ(count(*traced.module, "arith.extui"), 1u);
}

}  // namespace
}  // namespace millrace::test
