// SPDX-License-Identifier: Apache-2.0
// A scalar that has been worked out is not worked out again, where that is sure to have happened, with these operands.
#include <gtest/gtest.h>

#include "lowered.h"

namespace millrace::test {
namespace {

using program::Op;

const std::string kTwo =
    load("%a", 3) + load("%b", 5) + constant("%zero", 0) + constant("%one", 1) + constant("%three", 3);

TEST(Repeat, TheSameSumTwiceIsOneInstruction) {
  const std::string body = kTwo + "%s = arith.addi %a, %b : i32\n%t = arith.addi %b, %a : i32\n" +
                           "%d = arith.subi %a, %b : i32\n%e = arith.subi %b, %a : i32\n" + store("%s", 0) +
                           store("%t", 1) + store("%d", 2) + store("%e", 3);
  EXPECT_EQ(count(lowered(body), Op::kAdd), 1u);
  EXPECT_EQ(count(lowered(body), Op::kSub), 2u);
  const Array out = ran(body);
  EXPECT_EQ(out.flat(0), 8);
  EXPECT_EQ(out.flat(1), 8);
  EXPECT_EQ(out.flat(2), -2);
  EXPECT_EQ(out.flat(3), 2);
}

TEST(Repeat, ComparisonsDifferByTheirPredicate) {
  const std::string body = kTwo + "%p = arith.cmpi slt, %a, %b : i32\n%q = arith.cmpi sgt, %a, %b : i32\n" +
                           "%s = arith.extui %p : i1 to i32\n%t = arith.extui %q : i1 to i32\n" + store("%s", 0) +
                           store("%t", 1);
  const Array out = ran(body);
  EXPECT_EQ(out.flat(0), 1);
  EXPECT_EQ(out.flat(1), 0);
}

TEST(Repeat, WhatABranchWorkedOutIsUnknownBehindIt) {
  const std::string body = kTwo + "%p = arith.cmpi sgt, %a, %b : i32\nscf.if %p {\n%s = arith.muli %a, %b : i32\n" +
                           store("%s", 0) + "scf.yield\n}\n%t = arith.muli %a, %b : i32\n" + store("%t", 1);
  EXPECT_EQ(count(lowered(body), Op::kMul), 2u);
  EXPECT_EQ(ran(body).flat(1), 15);
}

TEST(Repeat, EachTurnOfALoopWorksOutItsOwn) {
  const std::string body =
      kTwo + "%r = scf.for %i = %zero to %three step %one iter_args(%n = %a) -> (i32) : i32 {\n" +
      "%s = arith.addi %n, %b : i32\n%t = arith.addi %b, %n : i32\n%u = arith.addi %s, %t : i32\n" +
      "scf.yield %u : i32\n}\n%s2 = arith.addi %r, %b : i32\n" + store("%s2", 0);
  std::int32_t n = 3;
  for (int turn = 0; turn < 3; ++turn) n = 2 * (n + 5);
  EXPECT_EQ(ran(body).flat(0), n + 5);
}

}  // namespace
}  // namespace millrace::test
