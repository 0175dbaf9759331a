// SPDX-License-Identifier: Apache-2.0
// Each rule of the memory operations, with a kernel that keeps it and one that breaks it.
#include "mosaic/sample.h"

namespace millrace::mosaic {
namespace {

const std::string kV = "memref<16x128xf32, #tpu.memory_space<vmem>>";
const std::string kH = "memref<32x128xf32, #tpu.memory_space<any>>";
const std::string kPart = "memref<16x128xf32, #tpu.memory_space<any>>";
const std::string kDma = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
const std::string kCount = "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";
const std::string kMany = "memref<4x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";

std::string store(const std::string& operands, const std::string& rest, const std::string& types) {
  return "\"tpu.vector_store\"(" + operands +
         ") {add = false, strides = array<i32>, operandSegmentSizes = array<i32: " + rest + ">} : (" + types +
         ") -> ()";
}

std::string slice(const std::string& operands, const std::string& sizes, const std::string& types,
                  const std::string& result) {
  return "%s = \"tpu.memref_slice\"(" + operands + ") {operandSegmentSizes = array<i32: " + sizes + ">} : (" + types +
         ") -> " + result;
}

std::string view(const std::string& op, const std::string& operand, const std::string& from, const std::string& to) {
  return "%s = \"tpu." + op + "\"(" + operand + ") : (" + from + ") -> " + to;
}

std::string dma(const std::string& operands, const std::string& segments, const std::string& types,
                const std::string& priority = "0") {
  return "\"tpu.enqueue_dma\"(" + operands + ") {operandSegmentSizes = array<i32: " + segments +
         ">, priority = " + priority + " : i32, strict_ordering = false} : (" + types + ") -> ()";
}

const std::string kSlice = slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", kPart) + "\n";

TEST(MemoryVerifier, AStoreTakesOneIndexADimensionAndElementsOfItsMemory) {
  const std::string good = store("%x, %v, %c, %c", "1, 1, 2, 0", "vector<16x128xf32>, " + kV + ", index, index");
  check_twin(
      {"indices", good, store("%x, %v, %c", "1, 1, 1, 0", "vector<16x128xf32>, " + kV + ", index"), "2 indices"});
  check_twin({"elements", good, store("%n, %v, %c, %c", "1, 1, 2, 0", "vector<16x128xi32>, " + kV + ", index, index"),
              "the elements differ"});
  check_twin({"size", good, store("%y, %v, %c, %c", "1, 1, 2, 0", "vector<128x32xf32>, " + kV + ", index, index"),
              "does not fit"});
  check_twin({"segments", good, store("%x, %v, %c, %c", "1, 1, 1, 0", "vector<16x128xf32>, " + kV + ", index, index"),
              "operandSegmentSizes"});
}

TEST(MemoryVerifier, AMaskHasTheShapeOfItsTile) {
  const std::string tile = "vector<16x128xf32>, " + kV + ", index, index, ";
  const std::string half = "%k = arith.constant dense<true> : vector<8x128xi1>\n";
  check_twin({"mask", store("%x, %v, %c, %c, %m", "1, 1, 2, 1", tile + "vector<16x128xi1>"),
              half + store("%x, %v, %c, %c, %k", "1, 1, 2, 1", tile + "vector<8x128xi1>"), "has a mask"});
}

TEST(MemoryVerifier, AStridedAccessStaysInsideFixedDimensions) {
  const auto load = [](const std::string& strides, const std::string& result) {
    return "%s = \"tpu.strided_load\"(%v, %c, %c) {strides = array<i32: " + strides + ">} : (" + kV +
           ", index, index) -> " + result;
  };
  const std::string good = load("2, 1", "vector<8x128xf32>");
  check_twin({"end", good, load("3, 1", "vector<8x128xf32>"), "past the end of dimension 0"});
  check_twin({"rank", good, load("2", "vector<8x128xf32>"), "of the rank of"});
  check_twin({"no step back", load("0, 1", "vector<8x128xf32>"), load("-1, 1", "vector<8x128xf32>"), "at least 0"});
  const auto store = [](const std::string& strides) {
    return "\"tpu.strided_store\"(%x, %v, %c, %c) {strides = array<i32: " + strides + ">} : (vector<16x128xf32>, " +
           kV + ", index, index) -> ()";
  };
  check_twin({"a store repeats no place", store("1, 1"), store("0, 1"), "at least 1"});
}

TEST(MemoryVerifier, ASliceKeepsRankElementsAndMemory) {
  const std::string good = slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", kPart);
  check_twin({"offsets", good, slice("%h, %i", "1, 1, 0", kH + ", i32", kPart), "2 offsets"});
  check_twin({"size", good,
              slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", "memref<33x128xf32, #tpu.memory_space<any>>"),
              "out of the smaller"});
  check_twin({"space", good, slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", kV), "another memory space"});
  check_twin({"elements", good,
              slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", "memref<16x128xi32, #tpu.memory_space<any>>"),
              "changes the elements"});
  check_twin({"rank", good,
              slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", "memref<128xf32, #tpu.memory_space<any>>"),
              "keeps the rank"});
  const std::string dynamic = "memref<?x128xf32, #tpu.memory_space<any>>";
  check_twin({"dynamic sizes", slice("%h, %i, %i, %i", "1, 2, 1", kH + ", i32, i32, i32", dynamic),
              slice("%h, %i, %i", "1, 2, 0", kH + ", i32, i32", dynamic), "one size for each `?`"});
}

TEST(MemoryVerifier, ASqueezeDropsOnlyDimensionsOfOne) {
  const std::string unit = "memref<1x16x1x128xf32, #tpu.memory_space<vmem>>";
  const std::string good = view("memref_squeeze", "%unit", unit, kV);
  check_twin({"others stay", good, view("memref_squeeze", "%unit", unit, "memref<128xf32, #tpu.memory_space<vmem>>"),
              "size 1 only"});
  check_twin({"none is added", good,
              view("memref_squeeze", "%unit", unit, "memref<1x1x16x1x128xf32, #tpu.memory_space<vmem>>"),
              "drops dimensions"});
}

TEST(MemoryVerifier, ReshapesAndBitcastsKeepTheBytes) {
  check_twin({"reshape", view("memref_reshape", "%h", kH, "memref<4x8x128xf32, #tpu.memory_space<any>>"),
              view("memref_reshape", "%h", kH, "memref<4x8x64xf32, #tpu.memory_space<any>>"), "number of elements"});
  check_twin({"bitcast", view("memref_bitcast", "%h", kH, "memref<64x128xbf16, #tpu.memory_space<any>>"),
              view("memref_bitcast", "%h", kH, "memref<32x256xbf16, #tpu.memory_space<any>>"),
              "second last dimension"});
  check_twin({"semaphores", view("memref_bitcast", "%many", kMany, kMany),
              view("memref_bitcast", "%many", kMany, "memref<4xi32, #tpu.memory_space<semaphore_mem>>"), "semaphores"});
}

TEST(MemoryVerifier, ACopyHasEqualEnds) {
  const std::string good = kSlice + dma("%s, %v, %dma", "1, 0, 1, 1, 0, 0", kPart + ", " + kV + ", " + kDma);
  check_twin({"shape", good, dma("%h, %v, %dma", "1, 0, 1, 1, 0, 0", kH + ", " + kV + ", " + kDma), "equal shapes"});
  check_twin({"elements", good,
              dma("%v, %b, %dma", "1, 0, 1, 1, 0, 0", kV + ", memref<16x128xbf16, #tpu.memory_space<vmem>>, " + kDma),
              "elements of one type"});
  check_twin({"one semaphore", good,
              kSlice + dma("%s, %v, %many", "1, 0, 1, 1, 0, 0", kPart + ", " + kV + ", " + kMany), "not an array"});
  check_twin({"priority", good, kSlice + dma("%s, %v, %dma", "1, 0, 1, 1, 0, 0", kPart + ", " + kV + ", " + kDma, "2"),
              "priority 2"});
  check_twin({"no semaphores", good, dma("%dma, %dma, %dma", "1, 0, 1, 1, 0, 0", kDma + ", " + kDma + ", " + kDma),
              "does not copy semaphores"});
}

TEST(MemoryVerifier, OnlyARemoteCopyHasASourceSemaphore) {
  const std::string remote = kSlice + dma("%s, %dma, %v, %dma, %i", "1, 1, 1, 1, 1, 0",
                                          kPart + ", " + kDma + ", " + kV + ", " + kDma + ", i32");
  check_twin({"needs it", remote,
              kSlice + dma("%s, %v, %dma, %i", "1, 0, 1, 1, 1, 0", kPart + ", " + kV + ", " + kDma + ", i32"),
              "needs a source semaphore"});
  check_twin({"must not", remote,
              kSlice + dma("%s, %dma, %v, %dma", "1, 1, 1, 1, 0, 0", kPart + ", " + kDma + ", " + kV + ", " + kDma),
              "takes no source semaphore"});
}

TEST(MemoryVerifier, WaitsAndSignalsTakeOneSemaphore) {
  const auto wait = [](const std::string& sem, const std::string& type) {
    return "\"tpu.wait_dma2\"(" + sem + ", %v, %v) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (" + type +
           ", " + kV + ", " + kV + ") -> ()";
  };
  check_twin({"wait_dma2", wait("%dma", kDma), wait("%many", kMany), "one semaphore"});
  const auto old_wait = [](const std::string& sem, const std::string& type) {
    return "\"tpu.wait_dma\"(" + sem + ", %v) : (" + type + ", " + kV + ") -> ()";
  };
  check_twin({"wait_dma", old_wait("%dma", kDma), old_wait("%many", kMany), "one semaphore"});
  const auto plain = [](const std::string& op, const std::string& sem, const std::string& type) {
    return "\"tpu." + op + "\"(" + sem + ", %i) : (" + type + ", i32) -> ()";
  };
  check_twin({"sem_wait", plain("sem_wait", "%count", kCount), plain("sem_wait", "%many", kMany), "one semaphore"});
  check_twin({"no data", plain("sem_wait", "%count", kCount), plain("sem_wait", "%v", kV), "must be memref of"});
  const auto signal = [](const std::string& sem, const std::string& type) {
    return "\"tpu.sem_signal\"(" + sem + ", %i) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" + type +
           ", i32) -> ()";
  };
  check_twin({"sem_signal", signal("%count", kCount), signal("%many", kMany), "one semaphore"});
  const auto read = [](const std::string& sem, const std::string& type) {
    return "%s = \"tpu.sem_read\"(" + sem + ") : (" + type + ") -> i32";
  };
  check_twin({"sem_read", read("%count", kCount), read("%many", kMany), "one semaphore"});
}

TEST(MemoryVerifier, SemaphoresAreMadeInTheirMemory) {
  const auto make = [](const std::string& op, const std::string& type) {
    return "%s = \"tpu." + op + "\"() : () -> " + type;
  };
  check_twin({"space", make("sem_alloc", kMany), make("sem_alloc", "memref<4x!tpu.semaphore, #tpu.memory_space<smem>>"),
              "semaphore_mem"});
  check_twin({"number", make("sem_alloc", kMany),
              make("sem_alloc", "memref<?x!tpu.semaphore, #tpu.memory_space<semaphore_mem>>"), "fixed number"});
  check_twin({"barrier", make("sem_barrier", kCount), make("sem_barrier", kDma), "regular semaphore"});
}

TEST(MemoryVerifier, ARegionEndsInAYieldOfItsResults) {
  const std::string good = "%s = \"tpu.region\"() ({ \"tpu.yield\"(%i) : (i32) -> () }) : () -> i32";
  check_twin(
      {"types", good, "%s = \"tpu.region\"() ({ \"tpu.yield\"(%c) : (index) -> () }) : () -> i32", "other types"});
  check_twin({"number", good, "%s = \"tpu.region\"() ({ \"tpu.yield\"() : () -> () }) : () -> i32", "other types"});
  check_twin({"end", good, "\"tpu.region\"() ({ \"tpu.trace_stop\"() : () -> () }) : () -> ()", "tpu.yield"});
  check_twin({"inside", good, "\"tpu.yield\"() : () -> ()", "tpu.region"});
}

}  // namespace
}  // namespace millrace::mosaic
