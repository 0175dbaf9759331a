// SPDX-License-Identifier: Apache-2.0
// The checkers let loose on the project itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "arrows.h"
#include "sizes.h"
#include "words.h"

namespace millrace::tidy {
namespace {

class House : public testing::Test {
 protected:
  const Tree tree_ = read_tree(MILLRACE_SOURCE_DIR);
};

void expect_none(const Complaints& complaints) {
  std::string text;
  for (const std::string& c : complaints) text += "\n  " + c;
  EXPECT_TRUE(complaints.empty()) << complaints.size() << " complaints:" << text;
}

TEST_F(House, IsReallyRead) {
  const auto holds = [&](std::string_view path) {
    return std::any_of(tree_.begin(), tree_.end(), [&](const File& file) { return file.path == path; });
  };
  EXPECT_TRUE(holds("include/millrace/error.h"));
  EXPECT_TRUE(holds("src/array/error.cpp"));
  EXPECT_TRUE(holds("tests/tidy/house_test.cpp"));
  EXPECT_TRUE(holds("Makefile"));
  EXPECT_TRUE(holds(".ci/run"));
}

TEST_F(House, EveryArrowPointsDown) { expect_none(check_arrows(tree_)); }
TEST_F(House, NoLineIsTooLong) { expect_none(check_lines(tree_)); }
TEST_F(House, NoFunctionIsTooLong) { expect_none(check_functions(tree_)); }
TEST_F(House, NoFileIsTooLong) { expect_none(check_files(tree_)); }
TEST_F(House, EveryFileOpensWithItsLicense) { expect_none(check_heads(tree_)); }
TEST_F(House, NoHeaderOpensANamespaceForOthers) { expect_none(check_using_namespace(tree_)); }
TEST_F(House, NoTextNamesAPlaceOnSomebodysMachine) { expect_none(check_paths(tree_)); }

}  // namespace
}  // namespace millrace::tidy
