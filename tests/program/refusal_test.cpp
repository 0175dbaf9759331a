// SPDX-License-Identifier: Apache-2.0
// What the lowering refuses, and the sentence it gives: operations it has no instruction for, operands that do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowered.h"

namespace millrace::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Refusal, AMemoryHasItsExtents) {
  const auto with_scratch = [](const std::string& shape) {
    const std::string type = "memref<" + shape + "x128xf32, #tpu.memory_space<vmem>>";
    return module_of(
        kernel_text("%x: " + kNumbers + ", %o: " + kNumbers + ", %s: " + type, constant("%a", 1) + store("%a", 0), 1));
  };
  EXPECT_NO_THROW(program::lower(with_scratch("8"), kNumbersSpec, kNumbersSpec));
  EXPECT_THAT(error_of([&] { program::lower(with_scratch("?"), kNumbersSpec, kNumbersSpec); }),
              HasSubstr("scratch0 has an extent that its type leaves open"));
}

TEST(Refusal, AnUnknownOperationIsNamedWithItsPlaceAndWhatElseIsMissing) {
  const std::string body = constant("%a", 1) + constant("%zero", 0) + constant("%two", 2) +
                           "%f = arith.sitofp %a : i32 to f32\n%g = math.asin %f : f32 loc(\"mine.py\":12:3)\n"
                           "%h = arith.fptosi %g : f32 to i32\n" +
                           store("%h", 0) +
                           "scf.for %i = %zero to %two step %a : i32 {\n scf.for %j = %zero to %two step %a : i32 {\n"
                           "%u = math.acos %f : f32\n%v = math.asin %u : f32\n}\n}\n";
  EXPECT_THAT(error_of([&] { lowered(body); }),
              AllOf(StartsWith("unsupported: mine.py:12: operation math.asin is not supported"),
                    HasSubstr("(not supported in this module: math.acos, math.asin)")));
}

TEST(Refusal, APositionThatIsNoneIsNotRead) {
  const auto at = [](const std::string& position) {
    return "%v = arith.constant dense<[5, 6]> : vector<2xi32>\n"
           "%e = \"vector.extract\"(%v) {static_position = array<i64: " +
           position + ">} : (vector<2xi32>) -> i32\n" + store("%e", 0);
  };
  EXPECT_EQ(error_of([&] { lowered(at("1")); }), "no error");
  EXPECT_THAT(error_of([&] { lowered(at("-1")); }), HasSubstr("vector.extract at position -1"));
}

TEST(Refusal, ValuesThatNoMemoryHoldsAreRefusedBeforeTheyAreMade) {
  const auto first_of = [](const std::string& value, const std::string& type) {
    return value + "%e = \"vector.extract\"(%v) {static_position = array<i64: 0, 0>} : (" + type + ") -> i32\n" +
           store("%e", 0);
  };
  const auto iota = [&](const std::string& type) {
    return first_of("%v = \"tpu.iota\"() {dimensions = array<i32: 1>} : () -> " + type + "\n", type);
  };
  EXPECT_EQ(error_of([&] { lowered(iota("vector<8x128xi32>")); }), "no error");
  EXPECT_THAT(error_of([&] { lowered(iota("vector<65536x65536xi32>")); }),
              HasSubstr("values have up to 2^26 elements"));
  const std::string huge = "vector<2147483648x2147483648xi32>";  // 2^64 bytes are 0
  EXPECT_THAT(error_of([&] { lowered(first_of("%v = arith.constant dense<0> : " + huge + "\n", huge)); }),
              HasSubstr("values have up to 2^26 elements"));
}

TEST(Refusal, AnInstructionARepetitionHasItsEnd) {
  const auto repeat = [](const std::string& times) {
    const std::string type = "vector<" + times + "x2xi32>";
    return "%a = arith.constant dense<[[5, 6]]> : vector<1x2xi32>\n%v = \"tpu.repeat\"(%a) {dimension = 0 : i32, times "
           "= " +
           times + " : i32} : (vector<1x2xi32>) -> " + type +
           "\n%e = \"vector.extract\"(%v) {static_position = array<i64: 0, 0>} : (" + type + ") -> i32\n" +
           store("%e", 0);
  };
  EXPECT_EQ(error_of([&] { lowered(repeat("64")); }), "no error");
  EXPECT_THAT(error_of([&] { lowered(repeat("1000000")); }), HasSubstr("4096 times at most"));
}

TEST(Refusal, AnOperationInALoopIsFoundToo) {
  const std::string body =
      constant("%one", 1) + constant("%zero", 0) +
      "scf.for %i = %zero to %one step %one : i32 {\n%f = arith.sitofp %i : i32 to f32\n%g = math.asin %f : f32 "
      "loc(\"mine.py\":7:3)\n%h = arith.fptosi %g : f32 to i32\n" +
      store("%h", 0) + "}\n";
  EXPECT_THAT(error_of([&] { lowered(body); }), StartsWith("unsupported: mine.py:7: operation math.asin"));
}

TEST(Refusal, AnUnknownOperationWhoseResultNobodyNeedsIsNoMatter) {
  EXPECT_EQ(error_of([&] {
              lowered("%f = arith.constant 0.5 : f32\n%r = math.asin %f : f32\n" + constant("%a", 1) + store("%a", 0));
            }),
            "no error");
}

TEST(Refusal, ALoopOverIndexValuesBeyondAnI32IsNamed) {
  EXPECT_THAT(error_of([&] {
                lowered(constant("%one", 1, "index") + constant("%far", 1LL << 40, "index") + constant("%v", 1) +
                        "scf.for %i = %one to %far step %one {\n" + store("%v", 0) + "}\n");
              }),
              AllOf(StartsWith("unsupported: "), HasSubstr("over index values")));
}

std::string lowering_error(const std::vector<program::OperandSpec>& in, const std::vector<program::OperandSpec>& out) {
  const auto module = module_of(kernel_text(
      "%x: memref<16x128xf32, #tpu.memory_space<any>>, %o: memref<8x128xf32, #tpu.memory_space<vmem>>", ""));
  return error_of([&] { program::lower(module, in, out); });
}

TEST(Refusal, OperandsThatFitAreTaken) { EXPECT_EQ(lowering_error({{f32, {16, 128}}}, {{f32, {8, 128}}}), "no error"); }

TEST(Refusal, ANumberOfOperandsThatIsNotTheKernels) {
  EXPECT_THAT(lowering_error({}, {{f32, {8, 128}}}),
              HasSubstr("the kernel has 2 operands; 0 inputs and 1 outputs were given"));
  EXPECT_THAT(lowering_error({{f32, {16, 128}}, {f32, {16, 128}}}, {{f32, {8, 128}}}), StartsWith("user: "));
}

TEST(Refusal, AnOperandOfAnotherTypeOrShapeIsNamed) {
  EXPECT_THAT(lowering_error({{bf16, {16, 128}}}, {{f32, {8, 128}}}),
              AllOf(StartsWith("user: "), HasSubstr("in0 is bf16, but the kernel takes memref<16x128xf32")));
  EXPECT_THAT(lowering_error({{f32, {8, 128}}}, {{f32, {8, 128}}}),
              AllOf(StartsWith("user: "), HasSubstr("in0 has shape (8, 128), but the kernel takes memref<16x128xf32")));
  EXPECT_THAT(
      lowering_error({{f32, {16, 128}}}, {{f32, {16, 128}}}),
      AllOf(StartsWith("user: "), HasSubstr("out0 has shape (16, 128), but the kernel takes memref<8x128xf32")));
  EXPECT_THAT(lowering_error({{f32, {16, 128}}}, {{f32, {8, 16, 8}}}), HasSubstr("blocks of rank 2"));
}

TEST(Refusal, AMachineHasDevicesAndCoresAndInputsThatExist) {
  const auto module = module_of(kernel_text("%x: memref<8x128xf32, #tpu.memory_space<any>>", ""));
  const auto refused = [&](const program::Environment& environment) {
    return error_of([&] { program::lower(module, {{f32, {8, 128}}}, {}, environment); });
  };
  EXPECT_EQ(refused({.devices = 0}), "user: 0 devices with 1 cores each; take 1 or more of both");
  EXPECT_EQ(refused({.cores = -1}), "user: 1 devices with -1 cores each; take 1 or more of both");
  EXPECT_EQ(refused({.unwritten = {1}}), "user: in1 is said to be unwritten, but the kernel has 1 inputs");
}

}  // namespace
}  // namespace millrace::test
