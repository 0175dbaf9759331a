// SPDX-License-Identifier: Apache-2.0
#include "rules/values.h"

#include <gtest/gtest.h>

#include "runs.h"

namespace millrace::rules {
namespace {

// What is known of the operand of the only memref.store's index in this body.
std::int64_t divisor_in(const std::string& body) {
  const mosaic::Module m = test::module_of(test::kernel_text(
      "%arg0: memref<1024xi32, #tpu.memory_space<smem>>",
      "%c0 = arith.constant 0 : index\n%n = memref.load %arg0[%c0] : memref<1024xi32, #tpu.memory_space<smem>>\n" +
          body +
          "\n%at = arith.index_cast %v : i32 to index\nmemref.store %n, %arg0[%at] : memref<1024xi32, "
          "#tpu.memory_space<smem>>"));
  const Values values(*m.kernel());
  for (const mosaic::Op& op : m.kernel()->body.ops)
    if (op.name == "memref.store") return values.divisor(op.operands[2]);
  return -1;
}

TEST(Values, FollowsArithmetic) {
  EXPECT_EQ(divisor_in("%v = arith.addi %n, %n : i32"), 1);
  EXPECT_EQ(divisor_in("%c = arith.constant 8 : i32\n%v = arith.muli %n, %c : i32"), 8);
  EXPECT_EQ(divisor_in("%c = arith.constant 8 : i32\n%m = arith.muli %n, %c : i32\n%d = arith.constant 12 : i32\n"
                       "%v = arith.addi %m, %d : i32"),
            4);
  EXPECT_EQ(divisor_in("%c = arith.constant 8 : i32\n%v = arith.subi %c, %c : i32"), 0);
}

TEST(Values, BelievesAPromise) {
  EXPECT_EQ(divisor_in("%v = \"tpu.assume_multiple\"(%n) {multiple = 128 : i32} : (i32) -> i32"), 128);
  EXPECT_EQ(divisor_in("%c = arith.constant 12 : i32\n%m = arith.muli %n, %c : i32\n"
                       "%v = \"tpu.assume_multiple\"(%m) {multiple = 8 : i32} : (i32) -> i32"),
            24);
}

TEST(Values, AbsurdFactorsDoNotOverflow) {
  std::string body = "%c = arith.constant 1073741824 : i32\n%v0 = arith.muli %n, %c : i32\n";
  for (int i = 0; i < 4; ++i)
    body +=
        "%v" + std::to_string(i + 1) + " = arith.muli %v" + std::to_string(i) + ", %v" + std::to_string(i) + " : i32\n";
  EXPECT_EQ(divisor_in(body + "%zero = arith.constant 0 : i32\n%v = arith.addi %v4, %zero : i32") % 1073741824, 0);
}

}  // namespace
}  // namespace millrace::rules
