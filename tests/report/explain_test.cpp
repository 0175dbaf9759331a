// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/catalogue.h"
#include "millrace/error.h"

namespace millrace::report {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Explain, SaysOfEveryIdWhatItMeansAndHowItIsMended) {
  for (const checkers::Rule& r : checkers::rules()) {
    const std::string text = explain(r.id);
    EXPECT_THAT(text, StartsWith(std::string(r.id) + " ("));
    EXPECT_THAT(text, HasSubstr("\nUsual mend: "));
    EXPECT_THAT(text, HasSubstr("\nClause " + std::string(r.clause) + " of docs/semantics.md.\n"));
    EXPECT_THAT(explain_all(), HasSubstr(std::string(r.id) + " "));
  }
}

TEST(Explain, OfAFamilysMemberGivesTheFamilysText) {
  EXPECT_THAT(explain("target.vmem"), StartsWith("target.vmem (warning): a rule of the chip\n"));
}

TEST(Explain, RefusesAWordThatIsNoId) {
  try {
    explain("race");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_STREQ(error.what(), "no finding has the id `race`; `millrace explain` lists them");
  }
}

TEST(Explain, ShowsAnExampleUpToTheNext) {
  EXPECT_THAT(example_of("race.read-write"), StartsWith("inline Kernel race_read_write("));
  EXPECT_EQ(example_of("race.read-write").find("race_write_write"), std::string::npos);
  EXPECT_EQ(example_of("target.semaphore").find("struct Example"), std::string::npos);
  EXPECT_EQ(example_of("race"), "");
}

}  // namespace
}  // namespace millrace::report
