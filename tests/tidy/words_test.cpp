// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Words, PlacesOfOneMachineAreFoundInEveryKindOfText) {
  const std::string place =
      "/wo"
      "rk/main";
  EXPECT_THAT(check_paths({{"README.md", "see\n" + place + "\n"}}), ElementsAre(HasSubstr("README.md:2: `/wo"
                                                                                          "rk/`")));
  EXPECT_THAT(check_paths({{"src/a.cpp",
                            "// ../sha"
                            "red/lesson\n"}}),
              ElementsAre(HasSubstr("src/a.cpp:1:")));
  EXPECT_THAT(check_paths({{"README.md", "a framework/main and a workshop\n"}}), IsEmpty());
}

TEST(Words, UsingNamespaceIsForSourcesNotForHeaders) {
  const std::string text = "// head\nusing namespace std;\n";
  EXPECT_THAT(check_using_namespace({{"src/a.h", text}}), ElementsAre(HasSubstr("src/a.h:2:")));
  EXPECT_THAT(check_using_namespace({{"src/a.cpp", text}, {"tests/a.h", text}}), IsEmpty());
  EXPECT_THAT(check_using_namespace({{"src/a.h", "// using namespace std;\nusing std::max;\n"}}), IsEmpty());
}

}  // namespace
}  // namespace millrace::tidy
