// SPDX-License-Identifier: Apache-2.0
// The texts that go to the compiler and the messages that come back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/stablehlo.h"
#include "millrace/error.h"
#include "target/tpu/compile_options.h"
#include "target/tpu/diagnosis.h"
#include "target/tpu/stablehlo_call.h"

namespace millrace::target {
namespace {

using mosaic::Element;
using testing::HasSubstr;

TEST(Call, IsOneCustomCallAsStableHlo) {
  const KernelCall call{"axpy", "body", {{Element::kF32, {24, 384}}, {Element::kI32, {}}}, {{Element::kBF16, {24}}}};
  EXPECT_EQ(stablehlo_of(call),
            "module @axpy attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
            "  func.func public @main(%arg0: tensor<24x384xf32>, %arg1: tensor<i32>) -> tensor<24xbf16> {\n"
            "    %0 = stablehlo.custom_call @tpu_custom_call(%arg0, %arg1) {backend_config = "
            "\"{\\22custom_call_config\\22:{\\22body\\22:\\22Ym9keQ==\\22,\\22serialization_format\\22:1,"
            "\\22needs_layout_passes\\22:true}}\", kernel_name = \"axpy\", operand_layouts = [dense<[1, 0]> : "
            "tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[0]> : tensor<1xindex>]} : "
            "(tensor<24x384xf32>, tensor<i32>) -> tensor<24xbf16> loc(\"axpy\")\n"
            "    return %0 : tensor<24xbf16>\n  }\n}\n");
}

// What is written is found again by the scanner that reads JAX's own texts.
TEST(Call, IsReadBackWithItsAliasesAndSettings) {
  const KernelCall call{"two",
                        std::string("a\0b\xff", 4),
                        {{Element::kF32, {8, 128}}, {Element::kF32, {8, 128}}},
                        {{Element::kF32, {8, 128}}, {Element::kI8, {32, 128}}},
                        {{1, 0}},
                        R"({"scoped_memory_configs": [{"memory_space": 1, "offset": 0, "size": 9000000}]})"};
  const front::CustomCall read = front::find_custom_call(stablehlo_of(call), "", "text");
  EXPECT_EQ(read.kernel_name, "two");
  EXPECT_EQ(read.body, call.body);
  ASSERT_EQ(read.results.size(), 2u);
  EXPECT_EQ(read.results[1].shape, (Shape{32, 128}));
  ASSERT_EQ(read.aliases.size(), 1u);
  EXPECT_EQ(read.aliases[0].input, 1u);
  EXPECT_EQ(read.aliases[0].output, 0u);
  EXPECT_EQ(front::vmem_limit_of(read), 9000000);
}

TEST(Call, SettingsThatAreNoObjectAreRefused) {
  KernelCall call{"k", "", {}, {{Element::kF32, {8}}}, {}, "[1]"};
  EXPECT_THROW(stablehlo_of(call), Error);
}

TEST(Call, ANameIsMadeOfLettersThatTheCompilerKeeps) {
  EXPECT_EQ(call_name("axpy_2"), "axpy_2");
  EXPECT_EQ(call_name("a.b/c"), "a_b_c");
  EXPECT_EQ(call_name(""), "kernel_");
  EXPECT_EQ(call_name("3d"), "kernel_3d");
  EXPECT_EQ(call_name(std::string(200, 'a')).size(), 60u);
}

TEST(Base64, FollowsTheStandard) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode_base64("\xff\xfe"), "//4=");
}

// CompileOptionsProto: 3 = build options {1: -1, 4: 1, 5: 1, 9: {1: 1, 2: 1, 3: {1: [0]}}}.
TEST(Options, AreOneReplicaOnTheFirstDevice) {
  const std::string expected(
      "\x1a\x1a\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x20\x01\x28\x01\x4a\x09\x08\x01\x10\x01\x1a\x03\x0a\x01"
      "\x00",
      28);
  EXPECT_EQ(compile_options(), expected);
}

TEST(Options, FlagsAreAMapOfTextsAndNumbers) {
  const std::string with = compile_options({{"ab", "c"}, {"d", "", true, 300}});
  const std::string flags = with.substr(compile_options().size());
  EXPECT_EQ(flags, std::string("\x3a\x09\x0a\x02"
                               "ab\x12\x03\x0a\x01"
                               "c\x3a\x08\x0a\x01"
                               "d\x12\x03\x18\xac\x02",
                               21));
}

TEST(Diagnosis, TakesTheFirstLineAndTheInnermostPlace) {
  const Diagnosis d = diagnosis_of(
      "Mosaic failed to compile TPU kernel: Slice shape along dimension 1 must be aligned to tiling (128)\n\n"
      "at location: loc(callsite(\"load\"(\"outer.py\":3:1) at \"inner name\"(\"a b.py\":40:7)))\n\n"
      "The MLIR operation involved:\n  %1 = \"tpu.memref_slice\"(%0)\n");
  EXPECT_EQ(d.reason, "Slice shape along dimension 1 must be aligned to tiling (128)");
  EXPECT_EQ(d.error, "");
  EXPECT_EQ(d.place.file, "a b.py");
  EXPECT_EQ(d.place.line, 40);
  EXPECT_EQ(d.place.column, 7);
  EXPECT_EQ(d.operation, "%1 = \"tpu.memref_slice\"(%0)");
}

// A parser's own places are in the bytes that it was handed, which nobody wrote.
TEST(Diagnosis, WithoutAPlaceThereIsNone) {
  EXPECT_TRUE(diagnosis_of("Failed to parse the Mosaic module: -:12:5: error: expected '='").place.file.empty());
  EXPECT_TRUE(diagnosis_of("E1001: out of memory: 5:3 at most\n").place.file.empty());
  EXPECT_EQ(diagnosis_of("E1001: out of memory").error, "E1001");
  EXPECT_TRUE(diagnosis_of("at location: loc(unknown)").place.file.empty());
  EXPECT_EQ(diagnosis_of("").reason, "");
}

}  // namespace
}  // namespace millrace::target
