// SPDX-License-Identifier: Apache-2.0
// Serialised modules of other versions: each change of the form, as the older or newer version writes it.
#include <algorithm>

#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

const std::string kV = "memref<16x128xf32, #tpu.memory_space<vmem>>";
const std::string kDma = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";

// A serialised module whose body begins on line 5.
std::string stable(const std::string& version, const std::string& body) {
  const std::string arguments = kV + ", " + kDma + ", vector<16x128xf32>, vector<16x128xi32>, i32";
  return R"("builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%v: )" +
         kV + ", %dma: " + kDma + R"():
    %x = "stable_mosaic.arith.constant"() {value = dense<1.0> : vector<16x128xf32>} : () -> vector<16x128xf32>
    %n = "stable_mosaic.arith.constant"() {value = dense<1> : vector<16x128xi32>} : () -> vector<16x128xi32>
    %i = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    )" + body +
         R"(
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = ()" +
         kV + ", " + kDma +
         R"() -> (), scalar_prefetch = 0 : i64, scratch_operands = 2 : i64, sym_name = "main"} : () -> ()
}) {stable_mosaic.version = )" +
         version + R"( : i64} : () -> ()
)";
}

Op read_op(const std::string& version, const std::string& body, const std::string& name) {
  const Module module = read_module(stable(version, body), "sample.mlir");
  const auto& ops = module.kernel()->body.ops;
  const auto at = std::ranges::find(ops, name, &Op::name);
  if (at == ops.end()) throw std::runtime_error("no " + name);
  return *at;
}

void expect_unsupported(const std::string& version, const std::string& body, const std::string& why) {
  try {
    read_module(stable(version, body), "sample.mlir");
    FAIL() << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported) << error.what();
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

using List = std::vector<std::int64_t>;

std::string dma(const std::string& attributes) {
  return "\"stable_mosaic.tpu.enqueue_dma\"(%v, %v, %dma) {" + attributes + "} : (" + kV + ", " + kV + ", " + kDma +
         ") -> ()";
}

TEST(Upgrade, AnOldCopyGetsSegmentsPriorityAndOrdering) {
  const Op op = read_op("1", dma(""), "tpu.enqueue_dma");
  EXPECT_EQ(*as_integers(op.find("operandSegmentSizes")), (List{1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(*as_integer(op.find("priority")), 0);
  EXPECT_EQ(*as_integer(op.find("strict_ordering")), 0);
}

TEST(Upgrade, AnOldRemoteCopyIsOneToADevice) {
  const Op op = read_op("1",
                        "\"stable_mosaic.tpu.enqueue_dma\"(%v, %dma, %v, %dma, %i) : (" + kV + ", " + kDma + ", " + kV +
                            ", " + kDma + ", i32) -> ()",
                        "tpu.enqueue_dma");
  EXPECT_EQ(*as_integers(op.find("operandSegmentSizes")), (List{1, 1, 1, 1, 1, 0}));
}

TEST(Upgrade, AnOldSignalGetsSegments) {
  const Op op =
      read_op("1", "\"stable_mosaic.tpu.sem_signal\"(%dma, %i) : (" + kDma + ", i32) -> ()", "tpu.sem_signal");
  EXPECT_EQ(*as_integers(op.find("operandSegmentSizes")), (List{1, 1, 0, 0}));
}

TEST(Upgrade, AnOldWaitGetsSegments) {
  const Op op =
      read_op("6", "\"stable_mosaic.tpu.wait_dma2\"(%dma, %v, %v) : (" + kDma + ", " + kV + ", " + kV + ") -> ()",
              "tpu.wait_dma2");
  EXPECT_EQ(*as_integers(op.find("operandSegmentSizes")), (List{1, 1, 1, 0, 0}));
}

TEST(Upgrade, OldReductionDimensionsBecomeAnArray) {
  const Op op =
      read_op("2",
              "%z = \"stable_mosaic.arith.constant\"() {value = dense<0.0> : vector<16xf32>} : () -> vector<16xf32>\n"
              "%s = \"stable_mosaic.vector.multi_reduction\"(%x, %z) {kind = #vector.kind<add>, reduction_dims = "
              "[1]} : (vector<16x128xf32>, vector<16xf32>) -> vector<16xf32>",
              "vector.multi_reduction");
  EXPECT_EQ(*as_integers(op.find("reduction_dims")), List{1});
}

TEST(Upgrade, ADimensionBecomesDimensions) {
  const Op iota =
      read_op("5", "%s = \"stable_mosaic.tpu.iota\"() {dimension = 1 : i32} : () -> vector<16x128xi32>", "tpu.iota");
  EXPECT_EQ(*as_integers(iota.find("dimensions")), List{1});
  EXPECT_EQ(iota.find("dimension"), nullptr);
  const Op gather =
      read_op("4",
              "%s = \"stable_mosaic.tpu.dynamic_gather\"(%x, %n) {dimension = 0 : i32} : (vector<16x128xf32>, "
              "vector<16x128xi32>) -> vector<16x128xf32>",
              "tpu.dynamic_gather");
  EXPECT_EQ(*as_integers(gather.find("dimensions")), List{0});
}

TEST(Upgrade, ASubcoreOfNewerVersionsGoesWhereThereIsNone) {
  const Op op =
      read_op("14",
              dma("operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, priority = 1 : i32, strict_ordering = "
                  "false"),
              "tpu.enqueue_dma");
  EXPECT_EQ(*as_integers(op.find("operandSegmentSizes")), (List{1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(*as_integer(op.find("priority")), 1);
  expect_unsupported(
      "14",
      "\"stable_mosaic.tpu.enqueue_dma\"(%v, %dma, %v, %dma, %i) {operandSegmentSizes = array<i32: 1, 1, 1, 1, "
      "0, 0, 1>} : (" +
          kV + ", " + kDma + ", " + kV + ", " + kDma + ", i32) -> ()",
      "subcore");
}

TEST(Upgrade, AHintIsDroppedWhereItIsFalse) {
  const auto matmul = [](const std::string& hint) {
    return "%y = \"stable_mosaic.arith.constant\"() {value = dense<0.0> : vector<16x16xf32>} : () -> "
           "vector<16x16xf32>\n"
           "%s = \"stable_mosaic.tpu.matmul\"(%x, %x, %y) {dimension_numbers = #tpu.dot_dimension_numbers<[1], [1], "
           "[0], [0], "
           "[0, 0, 1, 0], [], []>, transpose_lhs_hint = " +
           hint +
           "} : (vector<16x128xf32>, vector<16x128xf32>, "
           "vector<16x16xf32>) -> vector<16x16xf32>";
  };
  EXPECT_EQ(read_op("13", matmul("false"), "tpu.matmul").find("transpose_lhs_hint"), nullptr);
  expect_unsupported("13", matmul("true"), "transpose_lhs_hint");
}

TEST(Upgrade, VersionsOutsideOneToFifteenAreNamed) {
  expect_unsupported("16", "", "serde version 16");
  expect_unsupported("0", "", "serde version 0");
}

TEST(Upgrade, ASerialisedModuleHasAVersionAndThePrefixThroughout) {
  std::string text = stable("9", "");
  const std::string version = " {stable_mosaic.version = 9 : i64}";
  text.erase(text.find(version), version.size());
  EXPECT_THROW(read_module(text, "sample.mlir"), Error);
  expect_refused(stable("9", "%k = \"arith.constant\"() {value = 1 : i32} : () -> i32"), "carry the prefix", 7);
}

// A splat of true is one byte: 0xff up to version 9, and 0x01 in some modules of version 10.
TEST(Upgrade, ASplatOfTrueIsOneInBothOfItsEncodings) {
  const std::string body =
      "%m = \"stable_mosaic.arith.constant\"() {value = dense<true> : vector<8x128xi1>} : () -> vector<8x128xi1>";
  const Module module = read_module(stable("9", body), "sample.mlir");
  const std::string bytes = write_module(module);
  const std::string marked = std::string("\x03\xff", 2);  // length 1, all ones
  const std::size_t at = bytes.find(marked);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(bytes.find(marked, at + 1), std::string::npos);
  std::string other = bytes;
  other[at + 1] = '\x01';
  const Module again = read_module(other, "sample.mlirbc");
  EXPECT_TRUE(same(module, again));
}

}  // namespace
}  // namespace millrace::mosaic
