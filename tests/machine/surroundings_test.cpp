// SPDX-License-Identifier: Apache-2.0
// What a kernel asks of its surroundings: assertions, the barrier, the device's number, random bits, debugging marks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "tile_kernels.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;

const std::string kTile = "8x128xi32";

Ran run_body(const std::string& body, std::int32_t first = 0) {
  Array x = scrambled({8, 128});
  x.as<std::int32_t>()[0] = first;
  return run(tile_module(kTile, kTile, body), {x}, {{i32, {8, 128}}});
}

// %first is the number at (0, 0) of the tile.
const std::string kFirst =
    "%first = vector.extract %v[0, 0] : i32 from vector<8x128xi32>\n"
    "%ten = arith.constant 10 : i32\n%small = arith.cmpi slt, %first, %ten : i32\n";
const std::string kSame = "%r = arith.addi %v, %v : vector<8x128xi32>\n";

TEST(Assert, OneThatHoldsChangesNothing) {
  EXPECT_TRUE(run_body(kFirst + "cf.assert %small, \"too large\"\n" + kSame, 3).outcome.ended());
}

TEST(Assert, OneThatFailsEndsTheRunWithItsMessageAndPlace) {
  const Ran ran = run_body(kFirst + "cf.assert %small, \"too large\" loc(\"mine.py\":9:1)\n" + kSame, 30);
  ASSERT_TRUE(ran.outcome.fault.has_value());
  EXPECT_EQ(ran.outcome.fault->id, "assertion.failed");
  EXPECT_THAT(ran.outcome.fault->message, HasSubstr("too large"));
  EXPECT_EQ(ran.lines_with("write"), 0u);
}

TEST(Assert, OneThatIsKnownToFailFailsOnlyWhereItIsReached) {
  const std::string body =
      kFirst + "scf.if %small {\n%no = arith.constant false\ncf.assert %no, \"never\"\n}\n" + kSame;
  EXPECT_TRUE(run_body(body, 30).outcome.ended());
  EXPECT_TRUE(run_body(body, 3).outcome.fault.has_value());
}

const std::string kBarrierType = "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";

std::string on_barrier(const std::string& name, const std::string& op, int amount) {
  const std::string s = name + "_s", n = name + "_n";
  return s + " = \"tpu.sem_barrier\"() : () -> " + kBarrierType + "\n" + n + " = arith.constant " +
         std::to_string(amount) + " : i32\n\"tpu." + op + "\"(" + s + ", " + n + ")" +
         (op == "sem_signal" ? " {operandSegmentSizes = array<i32: 1, 1, 0, 0>}" : "") + " : (" + kBarrierType +
         ", i32) -> ()\n";
}

TEST(Barrier, IsOneSemaphoreHoweverOftenItIsAskedFor) {
  EXPECT_TRUE(run_body(on_barrier("%a", "sem_signal", 2) + on_barrier("%b", "sem_wait", 2) + kSame).outcome.ended());
}

TEST(Barrier, AWaitThatNobodyMeetsIsADeadlockOnIt) {
  const Ran ran = run_body(on_barrier("%a", "sem_signal", 1) + on_barrier("%b", "sem_wait", 2) + kSame);
  ASSERT_EQ(ran.outcome.waiter_names.size(), 1u);
  EXPECT_EQ(ran.outcome.waiter_names[0], "barrier");
}

TEST(Device, TheOnlyOneIsNumberZero) {
  const Array out = run_body(
                        "%d = \"tpu.device_id\"() : () -> i32\n%s = vector.broadcast %d : i32 to vector<8x128xi32>\n"
                        "%r = arith.andi %s, %v : vector<8x128xi32>\n")
                        .out();
  EXPECT_EQ(out.flat(77), 0);
}

TEST(Debugging, MarksChangeNothing) {
  const std::string buffer = vmem_type(kTile);
  const Array plain = run_body(kFirst + kSame).out();
  const Array marked =
      run_body(kFirst +
               "\"tpu.log\"(%first) {formatted = true, tag = \"first $0\"} : (i32) -> ()\n"
               "\"tpu.log\"() {formatted = false, tag = \"here\"} : () -> ()\n"
               "\"tpu.trace_value\"(%first) {label = \"first\"} : (i32) -> ()\n\"tpu.delay\"(%ten) : (i32) -> ()\n"
               "\"tpu.log_buffer\"(%x) {shape = array<i64: 8, 128>, tag = \"x\"} : (" +
               buffer + ") -> ()\n" + kSame)
          .out();
  EXPECT_TRUE(same_bits(plain, marked));
}

std::string seed(const std::string& seeds, const std::string& types) {
  return "\"tpu.prng_set_seed_32\"(" + seeds + ") : (" + types + ") -> ()\n";
}
std::string draw(const std::string& name) { return name + " = \"tpu.prng_random_bits\"() : () -> vector<8x128xi32>\n"; }

TEST(Random, OneSeedGivesOneStream) {
  const std::string body = kFirst + seed("%ten", "i32") + draw("%r");
  const Array a = run_body(body).out(), b = run_body(body).out();
  EXPECT_TRUE(same_bits(a, b));
  std::set<std::int32_t> values(a.as<std::int32_t>().begin(), a.as<std::int32_t>().end());
  EXPECT_GT(values.size(), 1020u);
  int ones = 0;
  for (std::int32_t v : values) ones += std::popcount(static_cast<std::uint32_t>(v));
  EXPECT_NEAR(ones, 16 * static_cast<int>(values.size()), 400);  // 32,768 fair coins: four and a half deviations
}

TEST(Random, SeedsTheirOrderAndTheirNumberAllMatter) {
  std::set<double> firsts;
  const std::string eleven = "%eleven = arith.constant 11 : i32\n";
  for (const std::string& s : {seed("%ten", "i32"), seed("%eleven", "i32"), seed("%ten, %eleven", "i32, i32"),
                               seed("%eleven, %ten", "i32, i32")})
    firsts.insert(run_body(kFirst + eleven + s + draw("%r")).out().flat(0));
  EXPECT_EQ(firsts.size(), 4u);
}

TEST(Random, ASecondDrawGoesOnAndASeedBeginsAgain) {
  const std::string once = seed("%ten", "i32") + draw("%r");
  const std::string twice =
      seed("%ten", "i32") + draw("%a") + draw("%b") + "%r = arith.xori %a, %b : vector<8x128xi32>\n";
  const std::string again = seed("%ten", "i32") + draw("%a") + seed("%ten", "i32") + draw("%b") +
                            "%r = arith.xori %a, %b : vector<8x128xi32>\n";
  EXPECT_FALSE(same_bits(run_body(kFirst + once).out(), run_body(kFirst + twice).out()));
  EXPECT_NE(run_body(kFirst + twice).out().flat(0), 0);
  EXPECT_TRUE(same_bits(run_body(kFirst + again).out(), Array(i32, {8, 128})));
}

}  // namespace
}  // namespace millrace::test
