// SPDX-License-Identifier: Apache-2.0
// Index maps on known numbers, held against what arithmetic on i32 and index gives.
#include "front/index_map.h"

#include <gtest/gtest.h>

#include <optional>

#include "mosaic/io.h"

namespace millrace::front {
namespace {

using Block = std::optional<std::vector<std::int64_t>>;

// What a map of two grid indices, %i and %j, gives at a point; nothing where it is not known.
Block at(const std::string& body, std::int64_t i, std::int64_t j) {
  const mosaic::Module module = mosaic::read_module(R"(module {
  func.func @main(%i: i32, %j: i32, %p: memref<4xi32, #tpu.memory_space<smem>>,
      %x: memref<8xf32, #tpu.memory_space<vmem>>) attributes {
      dimension_semantics = [#tpu.dimension_semantics<arbitrary>, #tpu.dimension_semantics<arbitrary>],
      iteration_bounds = array<i64: 3, 3>, scalar_prefetch = 1 : i64, scratch_operands = 0 : i64,
      window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8>}]} { return }
  func.func @transform_0(%i: i32, %j: i32, %p: memref<4xi32, #tpu.memory_space<smem>>) -> i32 {
)" + body + "\n  }\n}",
                                                    "map.mlir");
  IndexMap map(*module.find("transform_0"));
  std::vector<std::int64_t> block;
  if (!map.evaluate({i, j}, block)) return {};
  return block;
}

Block binary(const std::string& op, std::int64_t i, std::int64_t j) {
  return at("%r = arith." + op + " %i, %j : i32\nreturn %r : i32", i, j);
}

constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();

TEST(IndexMap, ComputesOnThirtyTwoBits) {
  EXPECT_EQ(binary("addi", 2147483647, 1), (Block{{kLeast}}));
  EXPECT_EQ(binary("subi", 3, 5), (Block{{-2}}));
  EXPECT_EQ(binary("muli", 65536, 65536), (Block{{0}}));
  EXPECT_EQ(binary("minsi", -3, 2), (Block{{-3}}));
  EXPECT_EQ(binary("maxsi", -3, 2), (Block{{2}}));
  EXPECT_EQ(binary("andi", 12, 10), (Block{{8}}));
  EXPECT_EQ(binary("ori", 12, 10), (Block{{14}}));
  EXPECT_EQ(binary("xori", 12, 10), (Block{{6}}));
}

TEST(IndexMap, DividesAsTheMachineDoes) {
  EXPECT_EQ(binary("divsi", -7, 2), (Block{{-3}}));
  EXPECT_EQ(binary("remsi", -7, 2), (Block{{-1}}));
  EXPECT_EQ(binary("divsi", kLeast, -1), (Block{{kLeast}}));
  EXPECT_EQ(binary("remsi", kLeast, -1), (Block{{0}}));
  EXPECT_EQ(binary("divui", -1, 2), (Block{{2147483647}}));
  EXPECT_EQ(binary("remui", -1, 10), (Block{{5}}));
  for (const char* op : {"divsi", "remsi", "divui", "remui"}) EXPECT_EQ(binary(op, 1, 0), Block{}) << op;
}

TEST(IndexMap, ComputesOnIndexWithSixtyFourBits) {
  const std::string body = R"(%a = arith.index_cast %i : i32 to index
%b = arith.muli %a, %a : index
%c = arith.constant 1073741824 : index
%d = arith.divsi %b, %c : index
%e = arith.index_cast %d : index to i32
return %e : i32)";
  EXPECT_EQ(at(body, 65536, 0), (Block{{4}}));
  const std::string least = R"(%a = arith.constant -9223372036854775808 : i64
%b = arith.constant -1 : i64
%c = arith.divsi %a, %b : i64
%d = arith.remsi %a, %b : i64
%e = arith.addi %c, %d : i64
%f = arith.trunci %e : i64 to i32
return %f : i32)";
  EXPECT_EQ(at(least, 0, 0), (Block{{0}}));
}

TEST(IndexMap, ComparesAndSelects) {
  const std::string body = R"(%a = arith.cmpi ult, %i, %j : i32
%b = arith.select %a, %i, %j : i32
%c = arith.extui %a : i1 to i32
%d = arith.extsi %a : i1 to i32
%e = arith.addi %c, %d : i32
%f = arith.addi %e, %b : i32
return %f : i32)";
  EXPECT_EQ(at(body, 3, 5), (Block{{3}}));
  EXPECT_EQ(at(body, -1, 5), (Block{{5}}));
}

TEST(IndexMap, KnowsNothingOfData) {
  EXPECT_EQ(at(R"(%c = arith.constant 0 : index
%v = memref.load %p[%c] : memref<4xi32, #tpu.memory_space<smem>>
return %v : i32)",
               0, 0),
            Block{});
  EXPECT_EQ(at("%f = arith.sitofp %i : i32 to f32\n%g = arith.fptosi %f : f32 to i32\nreturn %g : i32", 0, 0), Block{});
}

}  // namespace
}  // namespace millrace::front
