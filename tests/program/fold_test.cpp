// SPDX-License-Identifier: Apache-2.0
// What is known before the run is worked out by the lowering. It must be what the machine would have computed: every
// operation is run on constants and on the same numbers read from memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lowered.h"

namespace millrace::test {
namespace {

using program::Op;

constexpr std::int32_t kLeast = -2147483647 - 1, kMost = 2147483647;
const std::vector<std::pair<std::int32_t, std::int32_t>> kPairs = {
    {7, 3},      {-7, 3},          {7, -3},           {0, 5},      {kMost, 1},       {kLeast, 1}, {kMost, kMost},
    {12, 31},    {9, 8},           {-9, 8},           {-8, 8},     {9, -8},          {7, 8},      {kMost, 8},
    {kLeast, 8}, {kMost, 1 << 30}, {kLeast, 1 << 30}, {5, kLeast}, {kLeast, kLeast}, {0, 1}};

// o[k] = operation on the k-th pair as constants; o[32 + k] = the same on numbers from memory.
Array both_ways(const std::function<std::string(std::string, std::string, std::string)>& operation) {
  std::string body;
  Array x(i32, {64});
  for (std::size_t k = 0; k < kPairs.size(); ++k) {
    const auto [a, b] = kPairs[k];
    const int at = static_cast<int>(k);
    x.as<std::int32_t>()[k] = a, x.as<std::int32_t>()[32 + k] = b;
    body += constant(fmt::format("%a{}", k), a) + constant(fmt::format("%b{}", k), b) +
            operation(fmt::format("%k{}", k), fmt::format("%a{}", k), fmt::format("%b{}", k)) +
            store(fmt::format("%k{}", k), at);
    body += load(fmt::format("%p{}", k), at) + load(fmt::format("%q{}", k), at + 32) +
            operation(fmt::format("%r{}", k), fmt::format("%p{}", k), fmt::format("%q{}", k)) +
            store(fmt::format("%r{}", k), at + 32);
  }
  return ran(body, x);
}

void expect_equal_halves(const Array& out, const std::string& what) {
  for (std::size_t k = 0; k < kPairs.size(); ++k)
    EXPECT_EQ(out.as<std::int32_t>()[k], out.as<std::int32_t>()[32 + k])
        << what << " of " << kPairs[k].first << " and " << kPairs[k].second;
}

TEST(Fold, AnOperationOnConstantsIsWhatTheMachineComputes) {
  for (const char* op :
       {"addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "andi", "ori", "xori", "minsi", "maxsi"})
    expect_equal_halves(
        both_ways([&](auto r, auto a, auto b) { return fmt::format("{} = arith.{} {}, {} : i32\n", r, op, a, b); }),
        op);
}

TEST(Fold, AComparisonOfConstantsIsWhatTheMachineComputes) {
  for (const char* predicate : {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
    expect_equal_halves(both_ways([&](auto r, auto a, auto b) {
                          return fmt::format(
                              "{0}_i1 = arith.cmpi {3}, {1}, {2} : i32\n{0} = arith.extui {0}_i1 : i1 to i32\n", r, a,
                              b, predicate);
                        }),
                        predicate);
}

TEST(Fold, ConditionsAreCombinedAsTheMachineDoes) {
  for (const char* op : {"andi", "ori", "xori"})
    expect_equal_halves(
        both_ways([&](auto r, auto a, auto b) {
          return fmt::format(
              "{0}_z = arith.constant 3 : i32\n{0}_1 = arith.cmpi sgt, {1}, {0}_z : i32\n{0}_2 = arith.cmpi slt, {2}, "
              "{0}_z : i32\n{0}_3 = arith.{3} {0}_1, {0}_2 : i1\n{0} = arith.extui {0}_3 : i1 to i32\n",
              r, a, b, op);
        }),
        op);
}

TEST(Fold, AddingWrapsAt32Bits) {
  const Array out = ran(constant("%a", kMost) + constant("%b", 1) + "%c = arith.addi %a, %b : i32\n" + store("%c", 0));
  EXPECT_EQ(out.flat(0), kLeast);
}

TEST(Fold, WhatIsKnownLeavesNoInstructions) {
  const auto p = lowered(constant("%a", 6) + constant("%b", 7) +
                         "%c = arith.muli %a, %b : i32\n%d = arith.addi %c, %a : i32\n"
                         "%e = arith.cmpi slt, %a, %b : i32\n%f = arith.select %e, %d, %a : i32\n" +
                         store("%f", 0));
  for (Op op : {Op::kMul, Op::kAdd, Op::kCompare, Op::kSelectScalar, Op::kBinary}) EXPECT_EQ(count(p, op), 0u);
  EXPECT_EQ(ran(constant("%a", 6) + store("%a", 0)).flat(0), 6);
}

TEST(Fold, AKnownIndexCastIsStillTheNumber) {
  const Array out = ran(constant("%a", 5) + "%i = arith.index_cast %a : i32 to index\n" + load("%v", 9) +
                        "memref.store %v, %o[%i] : " + kNumbers + "\n");
  EXPECT_EQ(out.flat(5), 9);
}

TEST(Fold, AnIndexFromMemoryKeepsItsSign) {
  Array x(i32, {64});
  x.as<std::int32_t>()[0] = -3;
  const std::string body = load("%v", 0) + "%i = arith.index_cast %v : i32 to index\n" + constant("%ten", 10, "index") +
                           "%j = arith.addi %i, %ten : index\n%w = arith.index_cast %j : index to i32\n" +
                           store("%w", 1) + "memref.store %w, %o[%j] : " + kNumbers + "\n";
  const Array out = ran(body, x);
  EXPECT_EQ(out.flat(1), 7);
  EXPECT_EQ(out.flat(7), 7);
}

TEST(Fold, ABranchOnAKnownConditionTakesOneSideWithoutAJump) {
  const std::string body = load("%v", 1) + load("%w", 2) + constant("%a", 1) + constant("%b", 2) +
                           "%c = arith.cmpi sgt, %a, %b : i32\n%r = scf.if %c -> i32 {\n scf.yield %v : i32\n} else {\n"
                           "%s = arith.addi %w, %w : i32\n scf.yield %s : i32\n}\n" +
                           store("%r", 0);
  const std::string plain = load("%v", 1) + store("%v", 0);  // the grid has jumps of its own
  EXPECT_EQ(count(lowered(body), Op::kJumpIfFalse), count(lowered(plain), Op::kJumpIfFalse));
  EXPECT_EQ(count(lowered(body), Op::kLoad), 2u);  // liveness does not look into conditions
  EXPECT_EQ(ran(body).flat(0), 4);
}

TEST(Fold, ABranchWithoutAnElseMayBeKnownToDoNothing) {
  const std::string body = std::string("%f = arith.constant false\n") + constant("%v", 3) + "scf.if %f {\n" +
                           store("%v", 0) + "}\n" + store("%v", 1);
  const Array out = ran(body);
  EXPECT_NE(out.flat(0), 3);
  EXPECT_EQ(out.flat(1), 3);
}

}  // namespace
}  // namespace millrace::test
