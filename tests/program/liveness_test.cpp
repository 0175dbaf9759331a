// SPDX-License-Identifier: Apache-2.0
// A load whose value reaches no side effect is no access; one that does, by whatever way, is.
#include "program/liveness.h"

#include <gtest/gtest.h>

#include "lowered.h"

namespace millrace::test {
namespace {

using program::Op;

std::size_t loads(const std::string& body) { return count(lowered(body), Op::kLoad); }

const std::string kLoop = constant("%zero", 0) + constant("%one", 1) + constant("%four", 4);

TEST(Liveness, ALoadThatNobodyUsesLeavesNoInstruction) {
  EXPECT_EQ(loads(load("%v", 1) + constant("%w", 2) + store("%w", 0)), 0u);
  EXPECT_EQ(loads(load("%v", 1) + store("%v", 0)), 1u);
}

TEST(Liveness, NorDoesOneThatOnlyFeedsArithmeticNobodyUses) {
  EXPECT_EQ(loads(load("%v", 1) + "%s = arith.addi %v, %v : i32\n" + constant("%w", 2) + store("%w", 0)), 0u);
}

TEST(Liveness, AnAddressIsAUse) {
  EXPECT_EQ(loads(load("%v", 1) + "%i = arith.index_cast %v : i32 to index\n" + constant("%w", 2) +
                  "memref.store %w, %o[%i] : " + kNumbers + "\n"),
            1u);
}

TEST(Liveness, ABranchIsAUseOfItsCondition) {
  EXPECT_EQ(loads(load("%v", 1) + constant("%w", 2) + "%c = arith.cmpi slt, %v, %w : i32\nscf.if %c {\n" +
                  store("%w", 0) + "}\n"),
            1u);
}

TEST(Liveness, AValueYieldedByABranchIsNeededWithItsResult) {
  const std::string branch =
      load("%v", 1) + load("%u", 2) + load("%t", 3) + constant("%w", 2) +
      "%c = arith.cmpi slt, %t, %w : i32\n%r = scf.if %c -> i32 {\n scf.yield %v : i32\n} else {\n"
      " scf.yield %u : i32\n}\n";
  EXPECT_EQ(loads(branch + store("%r", 0)), 3u);
  EXPECT_EQ(loads(branch + store("%w", 0)), 1u);  // the condition alone
}

TEST(Liveness, ACarriedValueIsNeededThroughTheResultOrTheNextTurn) {
  auto loop = [](const std::string& in, const std::string& after) {
    return load("%v", 1) + load("%u", 2) + kLoop +
           "%r:2 = scf.for %i = %zero to %four step %one iter_args(%a = %v, %b = %u) -> (i32, i32) : i32 {\n" + in +
           "%n = arith.addi %b, %i : i32\n scf.yield %n, %b : i32, i32\n}\n" + after;
  };
  EXPECT_EQ(loads(loop("", store("%four", 0))), 0u);
  EXPECT_EQ(loads(loop("", "%first = arith.addi %r#0, %zero : i32\n" + store("%first", 0))), 2u);  // a is fed by b
  EXPECT_EQ(loads(loop("", "%second = arith.addi %r#1, %zero : i32\n" + store("%second", 0))), 1u);
  EXPECT_EQ(loads(loop(store("%b", 0), "")), 1u);
}

TEST(Liveness, AWhileNeedsWhatItsConditionNeeds) {
  const std::string body = load("%v", 1) + load("%u", 2) + kLoop +
                           "%r:2 = scf.while (%a = %v, %b = %u) : (i32, i32) -> (i32, i32) {\n"
                           "%c = arith.cmpi slt, %a, %four : i32\n scf.condition(%c) %a, %b : i32, i32\n} do {\n"
                           "^bb0(%a: i32, %b: i32):\n%n = arith.addi %a, %one : i32\n scf.yield %n, %b : i32, i32\n}\n";
  EXPECT_EQ(loads(body + store("%one", 0)), 1u);
  EXPECT_EQ(loads(body + "%last = arith.addi %r#1, %zero : i32\n" + store("%last", 0)), 2u);
}

TEST(Liveness, OperationsWithRegionsOrSideEffectsHaveAnEffect) {
  mosaic::Op op;
  for (const char* name :
       {"tpu.enqueue_dma", "tpu.wait_dma2", "tpu.sem_signal", "tpu.sem_wait", "memref.store", "tpu.vector_store"}) {
    op.name = name;
    EXPECT_TRUE(program::has_effect(op)) << name;
  }
  op.name = "vector.load";
  EXPECT_FALSE(program::has_effect(op));
  op.name = "scf.for";
  op.regions.resize(1);
  EXPECT_TRUE(program::has_effect(op));
}

}  // namespace
}  // namespace millrace::test
