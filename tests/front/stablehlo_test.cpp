// SPDX-License-Identifier: Apache-2.0
// Texts as JAX 0.9.2 exports them (tests/data/stablehlo/kernels.py), whole and damaged.
#include "front/stablehlo.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/files.h"
#include "front/module_file.h"

namespace millrace::front {
namespace {

using test::data;
using test::error_of;
using test::text_of;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string exported(const std::string& name) { return text_of(data("data/stablehlo/" + name)); }

// A call of a kernel around this JSON, with these types.
std::string call(const std::string& config, const std::string& types = "(tensor<8xf32>) -> tensor<8xf32>",
                 const std::string& more = "") {
  std::string escaped;
  for (char c : config) escaped += c == '"' ? std::string("\\22") : std::string(1, c);
  return fmt::format(
      "module {{\n  %0 = stablehlo.custom_call @tpu_custom_call(%a) {{backend_config = \"{}\", "
      "kernel_name = \"k\"{}}} : {}\n}}\n",
      escaped, more, types);
}

const std::string kConfig = R"({"custom_call_config": {"body": "Zm9v"}})";

std::string refused(const std::string& text, const std::string& kernel = "") {
  return error_of([&] { find_custom_call(text, kernel, "x.mlir"); });
}

TEST(StableHlo, IsToldFromAModule) {
  EXPECT_TRUE(is_stablehlo(exported("two.mlir")));
  EXPECT_TRUE(is_stablehlo(exported("two_generic.mlir")));
  EXPECT_FALSE(is_stablehlo(text_of(data("cases/kernels_small/edge_2d/kernel.mlirbc"))));
  EXPECT_FALSE(is_stablehlo("module { func.func @main() { return } }"));
}

TEST(StableHlo, GivesAKernelByNumberAndByNameInBothForms) {
  for (const char* file : {"two.mlir", "two_generic.mlir"}) {
    const std::string text = exported(file);
    const CustomCall scale = find_custom_call(text, "0", file);
    EXPECT_EQ(scale.kernel_name, "scale");
    EXPECT_EQ(scale.operands.size(), 1u);
    EXPECT_TRUE(scale.aliases.empty());
    const CustomCall accumulate = find_custom_call(text, "accumulate", file);
    EXPECT_EQ(accumulate.body, find_custom_call(text, "1", file).body);
    ASSERT_EQ(accumulate.operands.size(), 2u);
    EXPECT_EQ(accumulate.operands[1].dtype, f32);
    EXPECT_EQ(accumulate.operands[1].shape, (Shape{24, 128}));
    ASSERT_EQ(accumulate.aliases.size(), 1u);
    EXPECT_EQ(accumulate.aliases[0].input, 1u);
    EXPECT_EQ(accumulate.aliases[0].output, 0u);
  }
}

TEST(StableHlo, OpensTheModuleOfACall) {
  const Kernel kernel = read_kernel(exported("dynamic.mlir"), "dynamic.mlir");
  EXPECT_EQ(kernel.module.kernel()->name, "main");
  EXPECT_EQ(kernel.origin.serde_version, 9);
  EXPECT_EQ(kernel.call->operands.size(), 2u);
  EXPECT_EQ(kernel.call->operands[0].dtype, i32);
}

TEST(StableHlo, AsksWhichOfSeveralKernels) {
  EXPECT_EQ(refused(exported("two.mlir")),
            "user: 2 kernels; pick one by its number with --kernel: x.mlir holds 0 (scale, line 5), 1 (accumulate, "
            "line 6)");
  EXPECT_THAT(refused(exported("two.mlir"), "softmax"), StartsWith("user: no kernel `softmax`: x.mlir holds 0 (scale"));
  EXPECT_THAT(refused(exported("two.mlir"), "2"), StartsWith("user: no kernel `2`"));
  EXPECT_THAT(refused(call(kConfig) + call(kConfig), "k"), StartsWith("user: 2 kernels are named `k`; pick one"));
  EXPECT_EQ(refused("%0 = stablehlo.custom_call @Sharding(%a) : (tensor<8xf32>) -> tensor<8xf32>"),
            "user: x.mlir holds no call of tpu_custom_call");
}

TEST(StableHlo, SeesNoCallInStringsAndComments) {
  EXPECT_EQ(refused("// stablehlo.custom_call @tpu_custom_call(\n \"a stablehlo.custom_call @tpu_custom_call(\""),
            "user: x.mlir holds no call of tpu_custom_call");
}

TEST(StableHlo, ReadsTypesOfEveryKind) {
  const CustomCall c = find_custom_call(
      call(kConfig, "(tensor<bf16>, tensor<2x3xui8>, tensor<0xi1>) -> (tensor<4xi32>, tensor<ui32>)"), "", "x.mlir");
  EXPECT_EQ(c.body, "foo");
  EXPECT_EQ(c.operands[0].dtype, bf16);
  EXPECT_TRUE(c.operands[0].shape.empty());
  EXPECT_EQ(c.operands[1].dtype, u8);
  EXPECT_EQ(c.operands[1].shape, (Shape{2, 3}));
  EXPECT_EQ(c.operands[2].dtype, i1);
  EXPECT_EQ(c.results[1].dtype, u32);
  const CustomCall narrow =
      find_custom_call(call(kConfig, "(tensor<8xi4>, tensor<8xui4>, tensor<8xf8E5M2>) -> tensor<8xf8E4M3FN>"), "", "x");
  EXPECT_EQ(narrow.operands[0].dtype, i8);
  EXPECT_EQ(narrow.operands[1].dtype, u8);
  EXPECT_EQ(narrow.operands[2].dtype, u8);
  EXPECT_EQ(narrow.results[0].dtype, u8);
}

TEST(StableHlo, RefusesWhatACallCannotBe) {
  EXPECT_THAT(refused(call("nonsense")), HasSubstr("user: x.mlir:2: backend_config of this call is no JSON object"));
  EXPECT_THAT(refused(call("{}")), HasSubstr("has no custom_call_config.body"));
  EXPECT_THAT(refused(call(R"({"custom_call_config": {"body": "Zm9"}})")), HasSubstr("is no base64"));
  EXPECT_THAT(refused(call(R"({"device_type": "DEVICE_TYPE_SPARSECORE"})")), HasSubstr("unsupported: "));
  EXPECT_THAT(refused(call(kConfig, "(tensor<?xf32>) -> tensor<8xf32>")), HasSubstr("unsupported: x.mlir:2: tensor<?"));
  EXPECT_THAT(refused(call(kConfig, "(tensor<8xf64>) -> tensor<8xf32>")), HasSubstr("arrays of tensor<8xf64>"));
  EXPECT_THAT(refused(call(kConfig, "(tensor<8xui2>) -> tensor<8xf32>")), HasSubstr("arrays of tensor<8xui2>"));
  EXPECT_THAT(refused(call(kConfig, "(i32) -> tensor<8xf32>")), HasSubstr("i32 is no tensor"));
  EXPECT_THAT(refused(call(kConfig, "(tensor<8xf32>)")), HasSubstr("the types of this call do not parse"));
  EXPECT_THAT(refused(call(kConfig, "(tensor<8xf32>) -> tensor<8xf32>",
                           ", output_operand_aliases = [#a<operand_index "
                           "= 7, output_tuple_indices = []>]")),
              HasSubstr("does not fit this call"));
  EXPECT_THAT(refused(call(std::string(500'000, '['))), HasSubstr("deeper than 64"));
}

TEST(StableHlo, CutAnywhereItIsRefusedWithASentence) {
  const std::string text = exported("two_generic.mlir");
  for (std::size_t n = 0; n < text.size(); n += 7) {
    EXPECT_THAT(refused(text.substr(0, n), "accumulate"), AnyOf(StartsWith("user: "), "no error")) << n;
  }
}

}  // namespace
}  // namespace millrace::front
