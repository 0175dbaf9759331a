// SPDX-License-Identifier: Apache-2.0
// Definedness through every kind of instruction: a kernel for each, with undefined data (%v, a tile whose rows 4 to 7
// nobody wrote, or %u, a scalar) and a twin in which they are defined, where nothing may be told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "program/lower.h"
#include "tile_kernels.h"
#include "uses.h"

namespace millrace::test {
namespace {

using program::Op;

const std::string kTile = "8x128xi32", kVector = "vector<8x128xi32>";
const std::string kSmem = "memref<4xi32, #tpu.memory_space<smem>>";
const std::string kDmaSem = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
const std::string kSem = "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";

// %w is a defined tile, %k a defined scalar that is not known before the run, %v and %u undefined unless `defined`.
std::string kernel_of(const std::string& body, bool defined) {
  std::string text =
      "%c0 = arith.constant 0 : index\n%c4 = arith.constant 4 : index\n%one = arith.constant 1 : i32\n"
      "%ten = arith.constant 10 : i32\n%w = vector.load %x[%c0, %c0] : REF, VEC\n"
      "%k = vector.extract %w[0, 1] : i32 from VEC\n"
      "%upper = vector.load %x[%c0, %c0] : REF, vector<4x128xi32>\n"
      "vector.store %upper, %t[%c0, %c0] : REF, vector<4x128xi32>\n";
  if (defined) text += "vector.store %upper, %t[%c4, %c0] : REF, vector<4x128xi32>\nmemref.store %k, %m[%c0] : SMEM\n";
  text += "%v = vector.load %t[%c0, %c0] : REF, VEC\n%u = memref.load %m[%c0] : SMEM\n" + body +
          "\nvector.store %r, %o[%c0, %c0] : REF, VEC";
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"REF", vmem_type(kTile)}, {"VEC", kVector}, {"SMEM", kSmem}})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  return kernel_text(
      fmt::format("%x: {0}, %o: {0}, %t: {0}, %m: {1}, %d: {2}, %s: {3}", vmem_type(kTile), kSmem, kDmaSem, kSem), text,
      4);
}

const char* const kRows = "out0[4:8, 0:128] <- scratch0";
const char* const kScalar = "out0[0:8, 0:128] <- scratch1";

struct Probe {
  Op op;
  std::string body;  // gives %r
  std::string told;
};

std::string spread(const std::string& scalar) { return scalar + "%r = vector.broadcast %q : i32 to VEC"; }
std::string on_scalar(const std::string& op) { return spread("%q = arith." + op + " %u, %k : i32\n"); }
std::string on_truth(const std::string& op, const std::string& other) {
  return spread("%c = arith.cmpi slt, %u, %ten : i32\n%e = arith.cmpi " + other + ", %k, %k : i32\n%f = arith." + op +
                " %c, %e : i1\n%q = arith.extui %f : i1 to i32\n");
}
const std::string kSame = "%r = arith.addi %v, %v : VEC";
const std::string kDma =
    "\"tpu.enqueue_dma\"(%t, %o, %d) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, "
    "strict_ordering = false} : (REF, REF, " +
    kDmaSem +
    ") -> ()\n\"tpu.wait_dma2\"(%d, %t, %o) {operandSegmentSizes "
    "= array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (" +
    kDmaSem +
    ", REF, REF) -> ()\n"
    "%p = vector.load %o[%c0, %c0] : REF, VEC\n%r = arith.addi %p, %w : VEC";
std::string amount(const std::string& op, const std::string& more) {
  return "\"tpu.sem_signal\"(%s, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" + kSem +
         ", i32) -> ()\n\"tpu." + op + "\"(%s, %u)" + more + " : (" + kSem + ", i32) -> ()\n" + kSame;
}
std::string rotated(const std::string& by) {
  return "%r = \"tpu.dynamic_rotate\"(%v, " + by + ") {dimension = 0 : si32} : (VEC, i32) -> VEC";
}
std::string indexed(const std::string& access) {
  return "%q = arith.remui %u, %ten : i32\n%i = arith.index_cast %q : i32 to index\n" + access;
}
const std::string kFloat =
    "%f = arith.sitofp %v : VEC to vector<8x128xf32>\n%g = arith.sitofp %w : VEC to vector<8x128xf32>\n";

const std::vector<Probe> kProbes = {
    {Op::kEnd, kSame, kRows},
    {Op::kJumpIfFalse, "%c = arith.cmpi slt, %u, %ten : i32\nscf.if %c {\n}\n%r = arith.addi %w, %w : VEC",
     "branch <- scratch1"},
    {Op::kJump,
     "%c = arith.cmpi slt, %u, %ten : i32\n%r = scf.if %c -> (VEC) {\nscf.yield %w : VEC\n} else {\nscf.yield %w : "
     "VEC\n}",
     "branch <- scratch1"},
    {Op::kLoopTest,
     "%z = arith.constant 0 : i32\n%q = scf.for %i = %z to %u step %one iter_args(%a = %k) -> (i32) : i32 {\n%b = "
     "arith.addi %a, %k : i32\nscf.yield %b : i32\n}\n" +
         std::string("%r = vector.broadcast %q : i32 to VEC"),
     "branch <- scratch1"},
    {Op::kLoopNext,
     "%z = arith.constant 0 : i32\n%q = scf.for %i = %z to %one step %u iter_args(%a = %k) -> (i32) : i32 {\n%b = "
     "arith.addi %a, %k : i32\nscf.yield %b : i32\n}\n" +
         std::string("%r = vector.broadcast %q : i32 to VEC"),
     "branch <- scratch1"},
    {Op::kCopy,
     "%c = arith.cmpi eq, %k, %k : i32\n%r = scf.if %c -> (VEC) {\nscf.yield %v : VEC\n} else {\nscf.yield %w : VEC\n}",
     kRows},
    {Op::kAdd, on_scalar("addi"), kScalar},
    {Op::kSub, on_scalar("subi"), kScalar},
    {Op::kMul, on_scalar("muli"), kScalar},
    {Op::kRemU, on_scalar("remui"), kScalar},
    {Op::kDivS, on_scalar("divsi"), kScalar},
    {Op::kRemS, on_scalar("remsi"), kScalar},
    {Op::kMinS, on_scalar("minsi"), kScalar},
    {Op::kMaxS, on_scalar("maxsi"), kScalar},
    {Op::kCompare, spread("%c = arith.cmpi slt, %u, %k : i32\n%q = arith.extui %c : i1 to i32\n"), kScalar},
    {Op::kExtend1, spread("%c = arith.cmpi slt, %u, %k : i32\n%q = arith.extui %c : i1 to i32\n"), kScalar},
    {Op::kAnd1, on_truth("andi", "eq"), kScalar},
    {Op::kAnd1, on_truth("andi", "ne"), ""},  // false decides
    {Op::kOr1, on_truth("ori", "ne"), kScalar},
    {Op::kOr1, on_truth("ori", "eq"), ""},
    {Op::kXor1, on_truth("xori", "eq"), kScalar},
    {Op::kSelectScalar, spread("%c = arith.cmpi slt, %u, %ten : i32\n%q = arith.select %c, %k, %one : i32\n"), kScalar},
    {Op::kSelectScalar, spread("%c = arith.cmpi eq, %k, %k : i32\n%q = arith.select %c, %k, %u : i32\n"), ""},
    {Op::kWiden,
     spread("%i = arith.index_cast %u : i32 to index\n%j = arith.addi %i, %i : index\n%q = arith.index_cast %j : index "
            "to i32\n"),
     kScalar},
    {Op::kUnary, "%r = math.absi %v : VEC", kRows},
    {Op::kBinary, "%r = arith.addi %v, %w : VEC", kRows},
    {Op::kBinaryScalar, "%two = arith.constant dense<2> : VEC\n%r = arith.divsi %v, %two : VEC", kRows},
    {Op::kBinaryScalar, "%b = vector.broadcast %u : i32 to VEC\n%r = arith.divsi %w, %b : VEC", kScalar},
    {Op::kSelect,
     "%z = arith.constant dense<0> : VEC\n%c = arith.cmpi slt, %v, %z : VEC\n%r = arith.select %c, %w, %z : "
     "vector<8x128xi1>, VEC",
     kRows},
    {Op::kSelect,
     "%n = \"tpu.iota\"() {dimensions = array<i32: 0>} : () -> VEC\n%six = arith.constant dense<6> : VEC\n%c = "
     "arith.cmpi slt, %n, %six : VEC\n%r = arith.select %c, %v, %w : vector<8x128xi1>, VEC",
     "out0[4:6, 0:128] <- scratch0"},
    {Op::kBroadcast,
     "%a = vector.extract_strided_slice %v {offsets = [7, 0], sizes = [1, 128], strides = [1, 1]} : VEC to "
     "vector<1x128xi32>\n%r = vector.broadcast %a : vector<1x128xi32> to VEC",
     "out0[0:8, 0:128] <- scratch0"},
    {Op::kTranspose,
     "%a = \"tpu.bitcast\"(%v) : (VEC) -> vector<16x128xi16>\n%r = \"tpu.bitcast\"(%a) : (vector<16x128xi16>) -> VEC",
     kRows},
    {Op::kSlice,
     "%a = vector.extract_strided_slice %v {offsets = [2, 0], sizes = [4, 128], strides = [1, 1]} : VEC to "
     "vector<4x128xi32>\n%r = \"tpu.concatenate\"(%a, %a) {dimension = 0 : i32} : (vector<4x128xi32>, "
     "vector<4x128xi32>) -> VEC",
     "out0[2:4, 0:128][6:8, 0:128] <- scratch0"},
    {Op::kConcatenate,
     "%a = vector.extract_strided_slice %v {offsets = [4, 0], sizes = [4, 128], strides = [1, 1]} : VEC to "
     "vector<4x128xi32>\n%b = vector.extract_strided_slice %w {offsets = [4, 0], sizes = [4, 128], strides = [1, 1]} : "
     "VEC to vector<4x128xi32>\n%r = \"tpu.concatenate\"(%a, %b) {dimension = 0 : i32} : (vector<4x128xi32>, "
     "vector<4x128xi32>) -> VEC",
     "out0[0:4, 0:128] <- scratch0"},
    {Op::kRotate, rotated("%one"), "out0[0, 0:128][5:8, 0:128] <- scratch0"},
    {Op::kRotate, "%r = \"tpu.dynamic_rotate\"(%w, %u) {dimension = 0 : si32} : (VEC, i32) -> VEC", kScalar},
    {Op::kGather,
     "%n = \"tpu.iota\"() {dimensions = array<i32: 0>} : () -> VEC\n%seven = arith.constant dense<7> : VEC\n%j = "
     "arith.subi %seven, %n : VEC\n%r = \"tpu.dynamic_gather\"(%v, %j) {dimensions = array<i32: 0>} : (VEC, VEC) -> "
     "VEC",
     "out0[0:4, 0:128] <- scratch0"},
    {Op::kGather, "%r = \"tpu.dynamic_gather\"(%w, %v) {dimensions = array<i32: 0>} : (VEC, VEC) -> VEC", kRows},
    {Op::kReduce,
     "%z = arith.constant dense<0> : vector<8xi32>\n%a = vector.multi_reduction <add>, %v, %z [1] : VEC to "
     "vector<8xi32>\n%b = vector.shape_cast %a : vector<8xi32> to vector<8x1xi32>\n%r = vector.broadcast %b : "
     "vector<8x1xi32> to VEC",
     kRows},
    {Op::kReduceIndex,
     kFloat + "%a = \"tpu.reduce_index\"(%f) {axis = 0 : i32, kind = #tpu.reduction_kind<arg_max>} : "
              "(vector<8x128xf32>) -> vector<128xi32>\n%b = vector.shape_cast %a : vector<128xi32> to "
              "vector<1x128xi32>\n%r = vector.broadcast %b : vector<1x128xi32> to VEC",
     "out0[0:8, 0:128] <- scratch0"},
    {Op::kMatmul,
     kFloat + "%z = arith.constant dense<0.0> : vector<8x8xf32>\n%p = \"tpu.matmul\"(%f, %g, %z) {transpose_lhs = "
              "false, transpose_rhs = true} : (vector<8x128xf32>, vector<8x128xf32>, vector<8x8xf32>) -> "
              "vector<8x8xf32>\n%y = arith.fptosi %p : vector<8x8xf32> to vector<8x8xi32>\n%r = \"tpu.repeat\"(%y) "
              "{dimension = 1 : i32, times = 16 : i32} : (vector<8x8xi32>) -> VEC",
     kRows},
    {Op::kNibbles,
     "%n = \"tpu.bitcast\"(%v) : (VEC) -> vector<64x128xi4>\n%r = \"tpu.bitcast\"(%n) : (vector<64x128xi4>) -> VEC",
     kRows},
    {Op::kSeed, "\"tpu.prng_set_seed_32\"(%u, %k) : (i32, i32) -> ()\n%r = \"tpu.prng_random_bits\"() : () -> VEC",
     kScalar},
    {Op::kRandomBits,
     "\"tpu.prng_set_seed_32\"(%k, %u) : (i32, i32) -> ()\n%r = \"tpu.prng_random_bits\"() : () -> VEC", kScalar},
    {Op::kLoad,
     indexed(
         "%a = vector.load %x[%i, %c0] : REF, vector<1x128xi32>\n%r = vector.broadcast %a : vector<1x128xi32> to VEC"),
     "address <- scratch1"},
    {Op::kStore, indexed("memref.store %k, %m[%i] : SMEM\n%r = arith.addi %w, %w : VEC"), "address <- scratch1"},
    {Op::kAllocate,
     "%r = \"tpu.region\"() ({\n%a = memref.alloca() : REF\nvector.store %v, %a[%c0, %c0] : REF, VEC\n%b = vector.load "
     "%a[%c0, %c0] : REF, VEC\n\"tpu.yield\"(%b) : (VEC) -> ()\n}) : () -> VEC",
     kRows},
    {Op::kFree,
     "\"tpu.region\"() ({\n%a = memref.alloca() : REF\nvector.store %v, %a[%c0, %c0] : REF, VEC\n\"tpu.yield\"() : () "
     "-> ()\n}) : () -> ()\n" +
         kSame,
     kRows},
    {Op::kDmaStart, kDma, kRows},
    {Op::kDmaWait, kDma, kRows},
    {Op::kSignal, amount("sem_signal", " {operandSegmentSizes = array<i32: 1, 1, 0, 0>}"), "amount <- scratch1"},
    {Op::kWait, amount("sem_wait", ""), "amount <- scratch1"},
    {Op::kReadSemaphore, spread("%y = \"tpu.sem_read\"(%s) : (" + kSem + ") -> i32\n%q = arith.addi %y, %u : i32\n"),
     kScalar},
    {Op::kScopeBegin,
     "\"tpu.trace_start\"() {level = 10 : i32, message = \"here\"} : () -> ()\n\"tpu.trace_stop\"() : () -> ()\n" +
         kSame,
     kRows},
    {Op::kScopeEnd,
     "\"tpu.trace_start\"() {level = 10 : i32, message = \"here\"} : () -> ()\n\"tpu.trace_stop\"() : () -> ()\n" +
         kSame,
     kRows},
    {Op::kAssume,
     spread("%b = arith.muli %u, %ten : i32\n%q = \"tpu.assume_multiple\"(%b) {multiple = 2 : i32} : (i32) -> i32\n"),
     kScalar},
    {Op::kAssert, "%c = arith.cmpi slt, %u, %ten : i32\ncf.assert %c, \"small\"\n%r = arith.addi %w, %w : VEC",
     "branch <- scratch1"},
    {Op::kStepBegin, kSame, kRows},
    {Op::kStepEnd, kSame, kRows},
    {Op::kGridNext, kSame, kRows},
    {Op::kWindowFetch, kSame, kRows},
    {Op::kWindowAwait, kSame, kRows},
    {Op::kWindowSend, kSame, kRows},
    {Op::kWindowAwaitSent, kSame, kRows},
    {Op::kWindowAdvance, kSame, kRows},
};

std::string told(const Probe& probe, bool defined, bool* there = nullptr) {
  const mosaic::Module module = module_of(kernel_of(probe.body, defined));
  const Array x = counted(i32, {8, 128}, 1);
  if (there) {
    const program::Program p = program::lower(module, specs_of({x}), {{i32, {8, 128}}});
    *there = std::any_of(p.code.begin(), p.code.end(), [&](const auto& i) { return i.op == probe.op; });
  }
  Uses uses;
  run(module, {x}, {{i32, {8, 128}}}, {.observers = {&uses}, .definedness = true});
  return uses.all();
}

TEST(Definedness, GoesThroughEachKindOfInstructionAndItsTwinIsClean) {
  for (const Probe& probe : kProbes) {
    SCOPED_TRACE(fmt::format("instruction {}: {}", static_cast<int>(probe.op), probe.body));
    bool there = false;
    EXPECT_EQ(told(probe, false, &there), probe.told);
    EXPECT_TRUE(there);
    EXPECT_EQ(told(probe, true), "");
  }
}

TEST(Definedness, NoKindOfInstructionIsForgotten) {
  std::set<Op> probed = {Op::kNarrow};  // nothing is lowered to it
  for (const Probe& probe : kProbes) probed.insert(probe.op);
  for (int op = 0; op < static_cast<int>(Op::kCount); ++op) EXPECT_TRUE(probed.contains(static_cast<Op>(op))) << op;
}

TEST(Definedness, IsKeptOnlyWhereItIsAskedFor) {
  Uses uses;
  const Ran ran =
      run(module_of(kernel_of(kSame, false)), {counted(i32, {8, 128})}, {{i32, {8, 128}}}, {.observers = {&uses}});
  EXPECT_EQ(uses.all(), "");
  EXPECT_EQ(ran.lines_with("undefined"), 0u);
}

// The first round's index is undefined but within, the second's defined and not.
TEST(Definedness, ADefinedIndexThatLeavesItsMemoryIsOneAfterAnUndefinedOneDidNot) {
  const std::string body =
      "%z = arith.constant 0 : i32\n%two = arith.constant 2 : i32\n%far = arith.constant 100 : i32\n"
      "%near = arith.remui %u, %two : i32\n"
      "scf.for %n = %z to %two step %one : i32 {\n%c = arith.cmpi eq, %n, %z : i32\n"
      "%p = arith.select %c, %near, %far : i32\n%i = arith.index_cast %p : i32 to index\n"
      "memref.store %k, %m[%i] : SMEM\n}\n" +
      kSame;
  const Ran ran =
      run(module_of(kernel_of(body, false)), {counted(i32, {8, 128})}, {{i32, {8, 128}}}, {.definedness = true});
  ASSERT_TRUE(ran.outcome.fault.has_value());
  EXPECT_EQ(ran.outcome.fault->id, "bounds.access");
}

TEST(Definedness, AnUndefinedIndexThatLeavesItsMemoryIsNoFaultOfBounds) {
  const std::string body =
      "%i = arith.index_cast %u : i32 to index\n%a = vector.load %x[%i, %c0] : REF, vector<1x128xi32>\n"
      "%r = vector.broadcast %a : vector<1x128xi32> to VEC";
  const Ran ran =
      run(module_of(kernel_of(body, false)), {counted(i32, {8, 128})}, {{i32, {8, 128}}}, {.definedness = true});
  ASSERT_TRUE(ran.outcome.fault.has_value());
  EXPECT_EQ(ran.outcome.fault->id, "uninitialized.read");
}

}  // namespace
}  // namespace millrace::test
