// SPDX-License-Identifier: Apache-2.0
// The rules against the table of what the TPU compiler takes and refuses (tests/support/chip_kernels.h).
#include <gtest/gtest.h>

#include "chip_kernels.h"
#include "judged.h"

namespace millrace::rules {
namespace {

TEST(Table, RulesTakeAndRefuseAsTheCompilerDoes) {
  std::size_t rows = 0;
  for (const test::ChipKernel& k : test::all_chip_kernels()) {
    for (const std::string& chip : k.takes) {
      ++rows;
      for (const Finding& f : judged(k.kernel, k.inputs, chip))
        ADD_FAILURE() << k.name << " on " << chip << ": " << f.id << ": " << f.message;
    }
    for (const std::string& chip : k.refuses) {
      ++rows;
      const std::vector<Finding> found = judged(k.kernel, k.inputs, chip);
      EXPECT_FALSE(found.empty()) << k.name << " on " << chip;
      for (const Finding& f : found) EXPECT_EQ(f.id, k.rule) << k.name << " on " << chip;
      for (const Finding& f : found)
        EXPECT_TRUE(k.memory.empty() || f.memory == k.memory) << k.name << ": " << f.memory;
    }
  }
  EXPECT_GT(rows, 138u);
}

}  // namespace
}  // namespace millrace::rules
