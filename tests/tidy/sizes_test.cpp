// SPDX-License-Identifier: Apache-2.0
#include "sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "blank.h"

namespace millrace::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string repeated(const std::string& line, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += line;
  return text;
}

std::vector<std::string> heads(std::string_view text) {
  std::vector<std::string> out;
  for (const Function& f : functions_in(text)) out.push_back(f.head.substr(0, f.head.find('(')));
  return out;
}

TEST(Blank, CommentsAndLiteralsLoseTheirTextAndKeepTheirPlace) {
  EXPECT_EQ(blank_out("a; // {\nb;"), "a;     \nb;");
  EXPECT_EQ(blank_out("a /* {\n} */ b"), "a     \n     b");
  EXPECT_EQ(blank_out("f(\"{\\\"\", '{')"), "f(     ,    )");
  EXPECT_EQ(blank_out("x = R\"q({)\")q\";"), "x =           ;");
  EXPECT_EQ(blank_out("n = 1'000'000; {"), "n = 1'000'000; {");
  EXPECT_EQ(blank_out("#define A \\\n {\nb"), "           \n  \nb");
}

TEST(Functions, AreFoundInNamespacesAndClasses) {
  EXPECT_THAT(heads("namespace a {\nclass B final : public C {\n public:\n  int d() const { return 1; }\n};\n"
                    "template <class T>\nvoid e(T t) {\n  if (t) { g(); }\n}\n}\n"),
              ElementsAre(HasSubstr("int d"), HasSubstr("void e")));
}

TEST(Functions, InitialisersAreNone) {
  EXPECT_THAT(heads("const int a[] = {1, 2};\nenum class B { c, d };\nstruct E { int f{0}; };\nE g = {f(1)};\n"),
              IsEmpty());
}

TEST(Functions, BracesOfMemberInitialisersDoNotEndAConstructor) {
  const auto found = functions_in("A::A(int b)\n    : b_{b}, c_{1} {\n  d();\n}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first_line, 1u);
  EXPECT_EQ(found[0].last_line, 4u);
}

TEST(Functions, DefaultArgumentsWithBracesAreNoBodies) {
  const auto found =
      functions_in("void f(std::optional<int> a = {},\n       B b = {}) {\n  g({});\n}\nvoid h(C c = {});\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].last_line, 4u);
}

TEST(Functions, SeventyLinesPassAndSeventyOneDoNot) {
  const auto file = [](std::size_t n) {
    return Tree{{"src/a.cpp", "void f() {\n" + repeated("  g();\n", n - 2) + "}\n"}};
  };
  EXPECT_THAT(check_functions(file(70)), IsEmpty());
  EXPECT_THAT(check_functions(file(71)), ElementsAre("src/a.cpp:1: void f has 71 lines; at most 70"));
}

TEST(Functions, ATestIsAFunctionToo) {
  EXPECT_THAT(check_functions({{"tests/a.cpp", "TEST(A, B) {\n" + repeated("  g();\n", 80) + "}\n"}}),
              ElementsAre(HasSubstr("82 lines")));
}

TEST(Lines, AreMeasuredInCharacters) {
  EXPECT_EQ(columns("µs \u2192"), 4u);
  EXPECT_THAT(check_lines({{"src/a.cpp", repeated("µ", 120) + "\n"}}), IsEmpty());
  EXPECT_THAT(check_lines({{"src/a.cpp", "\n" + repeated("x", 121) + "\n"}}),
              ElementsAre("src/a.cpp:2: 121 columns; at most 120"));
}

TEST(Files, FiveHundredLinesPassAndOneMoreDoesNot) {
  EXPECT_THAT(check_files({{"src/a.h", repeated("\n", 500)}}), IsEmpty());
  EXPECT_THAT(check_files({{"src/a.h", repeated("\n", 501)}}), ElementsAre(HasSubstr("501 lines; at most 500")));
}

TEST(Heads, TheLicenseComesFirstOrAfterTheInterpreter) {
  const std::string name = "SPDX-License-Identifier: Apache-2.0\n";
  EXPECT_THAT(check_heads({{"src/a.h", "// " + name}, {"a.sh", "#!/bin/sh\n# " + name}, {"Makefile", "# " + name}}),
              IsEmpty());
  EXPECT_THAT(check_heads({{"src/a.h", "#pragma once\n// " + name}}),
              ElementsAre(HasSubstr("src/a.h:1: must open with")));
  EXPECT_THAT(check_heads({{"src/CMakeLists.txt", ""}}), ElementsAre(HasSubstr("src/CMakeLists.txt:1")));
}

}  // namespace
}  // namespace millrace::tidy
