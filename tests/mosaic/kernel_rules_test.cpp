// SPDX-License-Identifier: Apache-2.0
// The kernel's signature against its attributes: a grid kernel that keeps every rule, and one change for each rule.
#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

// The kernel on line 2, its first operation on line 9, its transform on line 12.
const std::string kGrid = R"(module @sample {
  func.func @main(%i: i32, %j: i32, %p: memref<4xi32, #tpu.memory_space<smem>>,
      %x: memref<8x128xf32, #tpu.memory_space<vmem>>, %y: memref<24x256xf32, #tpu.memory_space<any>>,
      %s: memref<8x128xf32, #tpu.memory_space<vmem>>) attributes {
    dimension_semantics = [#tpu.dimension_semantics<parallel>, #tpu.dimension_semantics<arbitrary>],
    iteration_bounds = array<i64: 3, 2>, scalar_prefetch = 1 : i64, scratch_operands = 1 : i64,
    window_params = [{transform_indices = @transform_0, window_bounds = array<i64: 8, 128>,
        pipeline_mode = #tpu.pipeline_mode<synchronous>, window_kind = #tpu.element_window<[0, 0], [8, 0]>}, {}]} {
    %n = "tpu.iteration_bound"() {dim = 1 : i32} : () -> i32
    return
  }
  func.func @transform_0(%i: i32, %j: i32, %p: memref<4xi32, #tpu.memory_space<smem>>) -> (i32, i32) {
    return %i, %j : i32, i32
  }
}
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kGrid;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void expect_broken(const std::string& from, const std::string& to, const std::string& why, int line = 2) {
  SCOPED_TRACE(why);
  expect_refused(changed(from, to), why, line);
}

TEST(KernelRules, AGridKernelThatAgreesIsTaken) {
  const Module module = read_module(kGrid, "sample.mlir");
  ASSERT_NE(module.kernel(), nullptr);
  EXPECT_EQ(module.kernel()->name, "main");
  EXPECT_EQ(module.kernel()->body.arguments.size(), 6u);
  ASSERT_NE(module.find("transform_0"), nullptr);
  EXPECT_EQ(module.find("transform_0")->results.size(), 2u);
}

TEST(KernelRules, TheGridHasOneRank) {
  expect_broken("array<i64: 3, 2>", "array<i64: 3>", "2 entries for a grid of rank 1");
  expect_broken("array<i64: 3, 2>", "array<i64: 3, -2>", "-2");
  expect_broken("array<i64: 3, 2>", "array<i64: 3, 2147483648>", "0 to 2^31 - 1");
  expect_broken("@main(%i: i32, %j: i32", "@main(%i: i32, %j: index", "argument 1 is index");
  expect_broken("[#tpu.dimension_semantics<parallel>,", "[#tpu.pipeline_mode<synchronous>,", "something else than");
}

TEST(KernelRules, ADynamicBoundIsTheSmallestNumber) {
  EXPECT_NO_THROW(read_module(changed("array<i64: 3, 2>", "array<i64: 3, -9223372036854775808>"), "sample.mlir"));
}

TEST(KernelRules, TheCountsAddUpToTheArguments) {
  expect_broken("scalar_prefetch = 1 : i64, ", "", "scalar_prefetch is missing");
  expect_broken("scratch_operands = 1", "scratch_operands = 7", "scratch_operands is 7");
  expect_broken("scratch_operands = 1", "scratch_operands = 4", "do not fit 6 arguments");
  expect_broken("scratch_operands = 1", "scratch_operands = 0", "2 entries for 3 inputs and outputs");
  expect_broken("scalar_prefetch = 1", "scalar_prefetch = 2", "must be in smem");
  expect_broken("scalar_prefetch = 1", "scalar_prefetch = -1", "scalar_prefetch is -1");
}

TEST(KernelRules, AWindowDescribesItsArgument) {
  expect_broken("window_bounds = array<i64: 8, 128>", "window_bounds = array<i64: 16, 128>",
                "window_bounds are 16x128");
  expect_broken(", window_bounds = array<i64: 8, 128>", "", "no window_bounds");
  expect_broken("transform_indices = @transform_0, ", "", "no transform_indices");
  expect_broken("[0, 0], [8, 0]", "[0], [8, 0]", "2 paddings");
  expect_broken("[0, 0], [8, 0]", "[0, 0], [-8, 0]", "0 to 2^31 - 1");
  expect_broken("[0, 0], [8, 0]", "[0, 9223372036854775807], [8, 0]", "0 to 2^31 - 1");
  expect_broken("#tpu.pipeline_mode<synchronous>,", "#tpu.revisit_mode<any>,", "no #tpu.pipeline_mode");
}

TEST(KernelRules, ATransformGivesOneIndexADimension) {
  expect_broken("indices = @transform_0", "indices = @transform_1", "no function transform_1");
  const std::string two = "-> (i32, i32) {\n    return %i, %j : i32, i32";
  expect_broken(two, "-> i32 {\n    return %i : i32", "returns (i32) for a window of rank 2", 12);
  expect_broken(two, "-> (i32, i64) {\n    %w = arith.extsi %j : i32 to i64\n    return %i, %w : i32, i64",
                "write jnp.int32(0)", 12);
  expect_broken("@transform_0(%i: i32, %j: i32, %p: memref<4xi32, #tpu.memory_space<smem>>)",
                "@transform_0(%i: i32, %j: i32)", "must take the 2 grid indices", 12);
}

TEST(KernelRules, AnIterationBoundIsOneOfTheGrid) {
  expect_broken("dim = 1", "dim = 2", "dimension 2 of a grid of rank 2", 9);
  expect_broken("dim = 1", "dim = -1", "dimension -1 of a grid of rank 2", 9);
  expect_broken("    return %i, %j : i32, i32",
                "    %n = \"tpu.iteration_bound\"() {dim = 2 : i32} : () -> i32\n    return %i, %n : i32, i32",
                "dimension 2 of a grid of rank 2", 13);
}

TEST(KernelRules, WithoutAGridThereIsNoIterationBound) {
  expect_refused(R"(module {
  func.func @main() attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %n = "tpu.iteration_bound"() {dim = 0 : i32} : () -> i32
    return
  }
})",
                 "dimension 0 of a grid of rank 0", 3);
}

TEST(KernelRules, AnIndexMapChangesNothing) {
  const std::string signal =
      R"(    %s = "tpu.sem_barrier"() : () -> memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>
    return %i, %j : i32, i32)";
  expect_broken("    return %i, %j : i32, i32", signal, "transform_0 is an index map", 13);
  const std::string store = R"(    %c = arith.constant 0 : index
    scf.if %t { memref.store %i, %p[%c] : memref<4xi32, #tpu.memory_space<smem>> }
    return %i, %j : i32, i32)";
  expect_broken("    return %i, %j : i32, i32", "    %t = arith.constant true\n" + store, "it holds memref.store", 15);
}

TEST(KernelRules, AModuleHasAKernel) {
  const std::string other = R"(module { func.func @helper() { return } })";
  try {
    read_module(other, "sample.mlir");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_NE(std::string(error.what()).find("no kernel"), std::string::npos) << error.what();
  }
}

TEST(KernelRules, SemaphoresAndTheyAloneAreInSemaphoreMem) {
  const auto kernel = [](const std::string& type) {
    return "module {\n  func.func @main(%a: " + type +
           ") attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} { return "
           "}\n}";
  };
  EXPECT_NO_THROW(read_module(kernel("memref<2x!tpu.semaphore, #tpu.memory_space<semaphore_mem>>"), "sample.mlir"));
  EXPECT_NO_THROW(read_module(kernel("memref<8xi32, #tpu.memory_space<vmem>>"), "sample.mlir"));
  for (const char* type :
       {"memref<8xi32, #tpu.memory_space<semaphore_mem>>", "memref<2x!tpu.semaphore, #tpu.memory_space<vmem>>",
        "memref<!tpu.dma_semaphore, #tpu.memory_space<any>>"})
    expect_refused(kernel(type), "they alone", 2);
}

TEST(KernelRules, OneFunctionIsMarked) {
  const auto function = [](const std::string& name) {
    return "  func.func @" + name +
           "() attributes {tpu.core_type = #tpu.core_type<tc>, dimension_semantics = [], scalar_prefetch = 0 : i64,\n"
           "      scratch_operands = 0 : i64} { return }\n";
  };
  EXPECT_NO_THROW(read_module("module {\n" + function("one") + "}", "sample.mlir"));
  try {
    read_module("module {\n" + function("one") + function("two") + "}", "sample.mlir");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_NE(std::string(error.what()).find("2 functions are marked"), std::string::npos) << error.what();
  }
}

TEST(KernelRules, TheCoreTypeMarksTheKernelWhateverItsName) {
  const Module module = read_module(R"(module {
  func.func @softmax() attributes {tpu.core_type = #tpu.core_type<tc>, dimension_semantics = [],
      scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} { return }
})",
                                    "sample.mlir");
  ASSERT_NE(module.kernel(), nullptr);
  EXPECT_EQ(module.kernel()->name, "softmax");
}

}  // namespace
}  // namespace millrace::mosaic
