// SPDX-License-Identifier: Apache-2.0
// What decides where control goes: values that are only stored do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowered.h"
#include "program/steering.h"

namespace millrace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> steered_by(const std::string& body) { return program::steering_of(lowered(body)).memories; }

TEST(Steering, ANumberThatIsOnlyStoredDecidesNothing) {
  EXPECT_THAT(steered_by(load("%a", 1) + "%b = arith.addi %a, %a : i32\n" + store("%b", 2)), IsEmpty());
}

TEST(Steering, ABranchDependsOnWhatItsConditionWasReadFrom) {
  const std::string branch = load("%a", 1) + constant("%zero", 0) + "%c = arith.cmpi eq, %a, %zero : i32\n" +
                             "scf.if %c {\n" + store("%zero", 3) + "}\n";
  EXPECT_THAT(steered_by(branch), ElementsAre("in0"));
}

TEST(Steering, SoDoAnAddressAndTheBoundOfALoop) {
  EXPECT_THAT(steered_by(load("%a", 1) + "%i = arith.index_cast %a : i32 to index\n" +
                         "memref.store %a, %o[%i] : " + kNumbers + "\n"),
              ElementsAre("in0"));
  const std::string loop = load("%n", 1) + constant("%zero", 0) + constant("%one", 1) +
                           "scf.for %i = %zero to %n step %one : i32 {\n" + store("%one", 3) + "}\n";
  EXPECT_THAT(steered_by(loop), ElementsAre("in0"));
}

// The number goes round in a loop before it is asked for.
TEST(Steering, FollowsCarriedValues) {
  const std::string body = load("%a", 1) + constant("%zero", 0) + constant("%one", 1) + constant("%four", 4) +
                           "%r:2 = scf.for %i = %zero to %four step %one iter_args(%p = %zero, %q = %a) -> (i32, i32) "
                           ": i32 {\n scf.yield %q, %p : i32, i32\n}\n"
                           "%c = arith.cmpi eq, %r#0, %zero : i32\nscf.if %c {\n" +
                           store("%four", 3) + "}\n";
  EXPECT_THAT(steered_by(body), ElementsAre("in0"));
}

TEST(Steering, OutputsSteerTooWhereTheyAreReadBack) {
  const std::string body = load("%a", 1) + store("%a", 2) + constant("%zero", 0) +
                           "%back = memref.load %o[%a_to2] : " + kNumbers +
                           "\n%c = arith.cmpi eq, %back, %zero : i32\nscf.if %c {\n" + store("%zero", 3) + "}\n";
  EXPECT_THAT(steered_by(body), ElementsAre("out0"));
}

TEST(Steering, ASemaphoreThatIsReadIsNamed) {
  const std::string arguments = "%o: " + kNumbers + ", %s: memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";
  const std::string body =
      "%n = \"tpu.sem_read\"(%s) : (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>) -> i32\n" +
      store("%n", 0);
  const auto program = program::lower(module_of(kernel_text(arguments, body, 1)), {}, kNumbersSpec);
  EXPECT_TRUE(program::steering_of(program).semaphores);
  EXPECT_FALSE(program::steering_of(lowered(constant("%zero", 0) + store("%zero", 1))).semaphores);
}

}  // namespace
}  // namespace millrace::test
