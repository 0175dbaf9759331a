// SPDX-License-Identifier: Apache-2.0
// Reading and writing: text and bytecode hold the same module, and what is written is read back as it was.
#include <algorithm>

#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

class Samples : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Io, Samples, testing::ValuesIn(kSamples), [](const auto& info) { return info.param; });

std::string named(Form form, Names names) {
  return std::string(form == Form::kText ? "text" : "bytecode") + (names == Names::kPlain ? ", plain" : ", stable");
}

TEST_P(Samples, TextAndBytecodeHoldTheSameModule) {
  const Module text = read_module(sample_file(GetParam() + ".mlir"), "text");
  const Module bytecode = read_module(sample_file(GetParam() + ".mlirbc"), "bytecode");
  EXPECT_TRUE(same(text, bytecode, false));
  ASSERT_NE(bytecode.kernel(), nullptr);
  EXPECT_FALSE(bytecode.kernel()->body.ops.empty());
}

TEST_P(Samples, WhatIsWrittenIsReadBackWithItsLocations) {
  const Module module = read_module(sample_file(GetParam() + ".mlirbc"), "sample");
  EXPECT_GT(module.locations.size(), 1u);
  for (const Form form : {Form::kText, Form::kBytecode}) {
    for (const Names names : {Names::kPlain, Names::kStable}) {
      SCOPED_TRACE(named(form, names));
      const std::string written = write_module(module, {.form = form, .names = names});
      const Module again = read_module(written, "again");
      EXPECT_TRUE(same(module, again, true));
      EXPECT_EQ(write_module(again, {.form = form, .names = names}), written);
    }
  }
}

TEST_P(Samples, WithoutLocationsTheRestIsTheSame) {
  const Module module = read_module(sample_file(GetParam() + ".mlirbc"), "sample");
  const Module again = read_module(write_module(module, {.locations = false}), "again");
  EXPECT_TRUE(same(module, again, false));
  EXPECT_EQ(again.locations.size(), 1u);
}

TEST(Io, StableNamesStandOnEveryOperationButTheModule) {
  const Module module = read_module(sample_file("add_2d.mlir"), "sample");
  const std::string text = write_module(module, {.form = Form::kText, .names = Names::kStable, .locations = false});
  EXPECT_NE(text.find("\"stable_mosaic.func.func\""), std::string::npos);
  EXPECT_NE(text.find("stable_mosaic.version = 9 : i64"), std::string::npos);
  EXPECT_EQ(text.find("\"tpu."), std::string::npos);
  EXPECT_EQ(text.find("\"arith."), std::string::npos);
  const std::string plain = write_module(module, {.form = Form::kText, .names = Names::kPlain, .locations = false});
  EXPECT_EQ(plain.find("stable_mosaic"), std::string::npos);
}

TEST(Io, BytecodeIsOfFormatVersionZero) {
  const std::string bytes = write_module(read_module(sample_file("add_2d.mlir"), "sample"));
  ASSERT_GT(bytes.size(), 5u);
  EXPECT_EQ(bytes.substr(0, 4), "ML\xefR");
  EXPECT_EQ(bytes[4], 1);  // a variable-length 0
}

TEST(Io, LocationsKeepScopeFileLineAndColumn) {
  const Module module = read_module(R"(module {
  func.func @main() attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    "tpu.trace_stop"() : () -> () loc("outer:"("ep_copy_in/dma_start"("axpy.py":7:3)))
    "tpu.trace_stop"() : () -> () loc(callsite("axpy.py":8:4 at "main.py":1:1))
    "tpu.trace_stop"() : () -> () loc(unknown)
    "tpu.trace_stop"() : () -> ()
    return
  }
})",
                                    "sample.mlir");
  const auto& ops = module.kernel()->body.ops;
  EXPECT_EQ(module.locations[ops[0].location], (Location{"ep_copy_in/dma_start", "axpy.py", 7, 3}));
  EXPECT_EQ(module.locations[ops[1].location], (Location{"", "axpy.py", 8, 4}));
  EXPECT_EQ(ops[2].location, 0u);
  EXPECT_EQ(module.locations[ops[3].location], (Location{"", "sample.mlir", 6, 5}));
}

TEST(Io, DefaultsAreFilledIn) {
  const Module module = read_module(
      kernel_text("\"tpu.enqueue_dma\"(%v, %v, %dma) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>} : "
                  "(memref<16x128xf32, "
                  "#tpu.memory_space<vmem>>, memref<16x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, "
                  "#tpu.memory_space<semaphore_mem>>) -> ()"),
      "sample.mlir");
  const auto& ops = module.kernel()->body.ops;
  const auto dma = std::ranges::find(ops, "tpu.enqueue_dma", &Op::name);
  ASSERT_NE(dma, ops.end());
  ASSERT_NE(as_integer(dma->find("priority")), nullptr);
  EXPECT_EQ(*as_integer(dma->find("priority")), 0);
  ASSERT_NE(as_integer(dma->find("strict_ordering")), nullptr);
  EXPECT_EQ(*as_integers(dma->find("operandSegmentSizes")), (std::vector<std::int64_t>{1, 0, 1, 1, 0, 0}));
}

TEST(Io, WhatDoesNotParseIsRefusedAtItsLineAndColumn) {
  expect_refused("module {\n  func.func @main( {\n}", "expected", 2);
  expect_refused("module {\n  func.func @main() {\n    tpu.nothing\n    return\n  }\n}", "tpu.nothing", 3);
}

TEST(Io, OtherDialectsAreRefusedByName) {
  expect_refused(kernel_text("\"gpu.barrier\"() : () -> ()"), "'gpu.barrier': not an operation", kBodyLine,
                 ErrorCode::kUnsupported);
}

TEST(Io, TypesThatTheTreeLacksAreUnsupported) {
  const std::string head = "module {\n  func.func @main(%x: ";
  const std::string tail =
      ") attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {\n return } }";
  const auto refused = [&](const std::string& type, ErrorCode code, const std::string& why) {
    SCOPED_TRACE(type);
    expect_refused(head + type + tail, why, 2, code);
  };
  refused("tensor<8xf32>", ErrorCode::kUnsupported, "tensor<8xf32>");
  refused("memref<8x128xf32>", ErrorCode::kUser, "no #tpu.memory_space");
  refused("memref<8x128xf32, strided<[256, 1]>, #tpu.memory_space<vmem>>", ErrorCode::kUnsupported, "strided");
  refused("memref<8x128xf32, #tpu.memory_space<vmem, sc_scalar_subcore>>", ErrorCode::kUnsupported,
          "sc_scalar_subcore");
  refused("vector<[4]xf32>", ErrorCode::kUnsupported, "vector<[4]xf32>");
  refused("i17", ErrorCode::kUnsupported, "i17");
  refused("memref<4294967296x4294967296x8xf32, #tpu.memory_space<any>>", ErrorCode::kUser, "2^62");
}

TEST(Io, BlocksAndBranchesAreUnsupported) {
  expect_refused(kernel_text("    cf.br ^bb1\n  ^bb1:"), "several blocks", 2, ErrorCode::kUnsupported);
}

TEST(Io, ValuesAreUsedAfterTheirDefinition) {
  expect_refused(kernel_text("%a = arith.addi %b2, %i : i32\n%b2 = arith.addi %i, %i : i32"), "before it is defined",
                 kBodyLine);
}

TEST(Io, OtherSerdeVersionsAreNotWritten) {
  const Module module = read_module(sample_file("add_2d.mlir"), "sample");
  try {
    write_module(module, {.serde_version = 13});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("13"), std::string::npos);
  }
}

TEST(Io, ABrokenTreeIsNotWritten) {
  const Module good = read_module(sample_file("add_2d.mlir"), "sample");
  EXPECT_NO_THROW(verify_module(good));
  const auto refused = [&](const auto& change, ErrorCode code, const std::string& why) {
    SCOPED_TRACE(why);
    Module module = good;
    change(module.functions.front());
    try {
      write_module(module);
      FAIL() << "was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused([](Function& f) { f.body.ops.back().operands.push_back(99999); }, ErrorCode::kInternal,
          "before it is defined");
  refused([](Function& f) { f.body.ops.front().results = {f.body.arguments.front()}; }, ErrorCode::kInternal, "twice");
  refused([](Function& f) { f.body.ops.front().name = "tpu.nothing"; }, ErrorCode::kUnsupported, "tpu.nothing");
  refused([](Function& f) { f.body.ops.pop_back(); }, ErrorCode::kUser, "terminator");
  refused([](Function& f) { std::erase_if(f.attributes, [](auto& a) { return a.first == "scalar_prefetch"; }); },
          ErrorCode::kUser, "scalar_prefetch");
}

}  // namespace
}  // namespace millrace::mosaic
