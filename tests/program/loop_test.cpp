// SPDX-License-Identifier: Apache-2.0
// Loops and branches: carried values move all at once, results are those of the last turn, nothing runs zero times.
#include <gtest/gtest.h>

#include "lowered.h"

namespace millrace::test {
namespace {

const std::string kNumbersInUse =
    constant("%zero", 0) + constant("%one", 1) + constant("%two", 2) + constant("%three", 3) + constant("%four", 4);

std::string result(const std::string& of, int at) {
  const std::string name = "%result" + std::to_string(at);
  return name + " = arith.addi " + of + ", %zero : i32\n" + store(name, at);
}

TEST(Loop, SwappedCarriedValuesMoveAtOnce) {
  const std::string body =
      kNumbersInUse + load("%v", 10) + load("%u", 20) +
      "%r:2 = scf.for %i = %zero to %three step %one iter_args(%a = %v, %b = %u) -> (i32, i32) : i32 {\n"
      "scf.yield %b, %a : i32, i32\n}\n" +
      result("%r#0", 0) + result("%r#1", 1);
  const Array out = ran(body);
  EXPECT_EQ(out.flat(0), 20);
  EXPECT_EQ(out.flat(1), 10);
}

TEST(Loop, CarriedValuesThatTurnInACircleKeepTheirOrder) {
  const std::string body =
      kNumbersInUse + load("%v", 1) + load("%u", 2) + load("%t", 3) +
      "%r:3 = scf.for %i = %zero to %four step %one iter_args(%a = %v, %b = %u, %c = %t) -> (i32, i32, i32) : i32 {\n"
      "scf.yield %b, %c, %a : i32, i32, i32\n}\n" +
      result("%r#0", 0) + result("%r#1", 1) + result("%r#2", 2);
  const Array out = ran(body);  // four turns of three: one step on
  EXPECT_EQ(out.flat(0), 2);
  EXPECT_EQ(out.flat(1), 3);
  EXPECT_EQ(out.flat(2), 1);
}

TEST(Loop, ASwapOfWholeVectorsMovesAtOnce) {
  const Kernel swap =
      kernel("swap", {vmem(f32, {8, 128}), vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref y, Ref out) {
        auto [a, b] = for_range(0, 5, carry(x.load(), y.load()), [](Index, Value v, Value u) { return carry(u, v); });
        out.store(a - 2.0f * b);
      });
  const Array out = run(swap, {counted(f32, {8, 128}), counted(f32, {8, 128}, 1000)}).out();
  EXPECT_EQ(out.flat(7), 1007 - 2 * 7);
}

TEST(Loop, TheCounterIsTheValueOfThisTurnWhereItIsCarried) {
  const std::string body = kNumbersInUse +
                           "%r = scf.for %i = %one to %four step %two iter_args(%a = %zero) -> (i32) : i32 {\n"
                           "scf.yield %i : i32\n}\n" +
                           result("%r", 0);
  EXPECT_EQ(ran(body).flat(0), 3);
}

TEST(Loop, NoTurnsGiveTheInitialValues) {
  const std::string body = kNumbersInUse + load("%v", 9) + load("%bound", 0) +
                           "%r = scf.for %i = %three to %bound step %one iter_args(%a = %v) -> (i32) : i32 {\n" +
                           store("%i", 5) + "%n = arith.addi %a, %one : i32\n scf.yield %n : i32\n}\n" +
                           result("%r", 0);
  const Array out = ran(body);
  EXPECT_EQ(out.flat(0), 9);
  EXPECT_NE(out.flat(5), 3);
}

TEST(Loop, NestedLoopsCountEachInsideTheOther) {
  const std::string body = kNumbersInUse +
                           "%r = scf.for %i = %zero to %three step %one iter_args(%a = %zero) -> (i32) : i32 {\n"
                           "%s = scf.for %j = %zero to %i step %one iter_args(%b = %a) -> (i32) : i32 {\n"
                           "%m = arith.muli %i, %j : i32\n%n = arith.addi %b, %m : i32\n%k = arith.addi %n, %one : "
                           "i32\nscf.yield %k : i32\n}\n"
                           "scf.yield %s : i32\n}\n" +
                           result("%r", 0);
  EXPECT_EQ(ran(body).flat(0), (1 + 0) + (1 + 0) + (1 + 2));
}

TEST(Loop, AnIfGivesTheSideThatWasTaken) {
  auto choose = [](int at) {
    return kNumbersInUse + load("%v", at) +
           "%c = arith.cmpi slt, %v, %two : i32\n%r:2 = scf.if %c -> (i32, i32) {\n"
           "%s = arith.addi %v, %four : i32\nscf.yield %s, %v : i32, i32\n} else {\nscf.yield %v, %three : i32, "
           "i32\n}\n" +
           result("%r#0", 0) + result("%r#1", 1);
  };
  EXPECT_EQ(ran(choose(1)).flat(0), 5);
  EXPECT_EQ(ran(choose(1)).flat(1), 1);
  EXPECT_EQ(ran(choose(7)).flat(0), 7);
  EXPECT_EQ(ran(choose(7)).flat(1), 3);
}

TEST(Loop, AWhileGivesWhatItsConditionHandsOver) {
  auto loop = [](int from) {
    return kNumbersInUse + load("%v", from) +
           "%r:2 = scf.while (%a = %v, %n = %zero) : (i32, i32) -> (i32, i32) {\n"
           "%c = arith.cmpi slt, %a, %four : i32\n%d = arith.muli %a, %two : i32\nscf.condition(%c) %d, %n : i32, "
           "i32\n} do {\n"
           "^bb0(%d: i32, %n: i32):\n%m = arith.addi %n, %one : i32\nscf.yield %d, %m : i32, i32\n}\n" +
           result("%r#0", 0) + result("%r#1", 1);
  };
  EXPECT_EQ(ran(loop(1)).flat(0), 8);  // 1, 2, 4: twice 4
  EXPECT_EQ(ran(loop(1)).flat(1), 2);
  EXPECT_EQ(ran(loop(9)).flat(0), 18);  // no turn at all
  EXPECT_EQ(ran(loop(9)).flat(1), 0);
}

TEST(Loop, AWhileMaySwapItsValues) {
  const std::string body =
      kNumbersInUse + load("%v", 1) + load("%u", 30) +
      "%r:3 = scf.while (%a = %v, %b = %u, %n = %zero) : (i32, i32, i32) -> (i32, i32, i32) {\n"
      "%c = arith.cmpi slt, %n, %three : i32\nscf.condition(%c) %b, %a, %n : i32, i32, i32\n} do {\n"
      "^bb0(%a: i32, %b: i32, %n: i32):\n%m = arith.addi %n, %one : i32\nscf.yield %a, %b, %m : i32, i32, i32\n}\n" +
      result("%r#0", 0) + result("%r#1", 1);
  const Array out = ran(body);  // swapped at each of four tests
  EXPECT_EQ(out.flat(0), 1);
  EXPECT_EQ(out.flat(1), 30);
}

TEST(Loop, ALoopInABranchInALoopKeepsItsValuesApart) {
  const std::string body =
      kNumbersInUse +
      "%r:2 = scf.for %i = %zero to %four step %one iter_args(%a = %one, %b = %zero) -> (i32, i32) : i32 {\n"
      "%odd = arith.remui %i, %two : i32\n%c = arith.cmpi eq, %odd, %one : i32\n%s = scf.if %c -> i32 {\n"
      "%t = scf.for %j = %zero to %two step %one iter_args(%d = %a) -> (i32) : i32 {\n%e = arith.addi %d, %d : "
      "i32\nscf.yield %e : i32\n}\n"
      "scf.yield %t : i32\n} else {\nscf.yield %a : i32\n}\nscf.yield %s, %a : i32, i32\n}\n" +
      result("%r#0", 0) + result("%r#1", 1);
  const Array out = ran(body);  // a: 1, 1, 4, 4, 16; b: the a before
  EXPECT_EQ(out.flat(0), 16);
  EXPECT_EQ(out.flat(1), 4);
}

TEST(Loop, ASplatMadeInOneBranchIsSpreadWhereTheOtherUsesIt) {
  const Kernel k =
      kernel("splat", {smem(i32, {1}), vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref n, Ref x, Ref out) {
        Value filled = zeros_like(out) + cast(n.load(0), f32);
        when(
            Index(n.load(0)) > 0, [&] { out.store(filled); }, [&] { out.store(filled - x.load()); });
      });
  const Array x = counted(f32, {8, 128});
  EXPECT_EQ(run(k, {counted(i32, {1}, 5), x}).out().flat(9), 5);
  EXPECT_EQ(run(k, {counted(i32, {1}, -5), x}).out().flat(9), -5 - 9);
}

TEST(Loop, OverIndexValuesCountsAsOverNumbers) {
  const std::string body = load("%n", 5) + "%upper = arith.index_cast %n : i32 to index\n" +
                           constant("%two", 2, "index") + constant("%three", 3, "index") +
                           "scf.for %i = %two to %upper step %three {\n%w = arith.index_cast %i : index to i32\n"
                           "%j = arith.addi %i, %three : index\nmemref.store %w, %o[%j] : " +
                           kNumbers + "\n}\n";
  Array x = counted(i32, {64});
  x.as<std::int32_t>()[5] = 10;
  const Array out = ran(body, x);
  for (int i : {2, 5, 8}) EXPECT_EQ(out.flat(i + 3), i);
  EXPECT_NE(out.flat(14), 11);
}

}  // namespace
}  // namespace millrace::test
