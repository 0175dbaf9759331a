// SPDX-License-Identifier: Apache-2.0
#include "front/mlir_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/base64.h"

namespace millrace::front {
namespace {

using ::testing::ElementsAre;

TEST(Base64, DecodesTheVectorsOfItsStandard) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zg=="), "f");
  EXPECT_EQ(decode_base64("Zm8="), "fo");
  EXPECT_EQ(decode_base64("Zm9v"), "foo");
  EXPECT_EQ(decode_base64("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decode_base64("+/+/"), "\xfb\xff\xbf");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"Z", "Zm9", "Zm9v Zm8", "Zm9*", "=Zm9", "Z===", "Zm=v", "===="}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
}

TEST(MlirText, UndoesTheEscapesOfAString) {
  EXPECT_EQ(Cursor(R"("a\22b\\c\"d\n\t\C3\A4")").string(), "a\"b\\c\"d\n\t\xc3\xa4");
  EXPECT_FALSE(Cursor(R"("open)").string());
  EXPECT_FALSE(Cursor(R"("\2")").string());
  EXPECT_FALSE(Cursor(R"("\)").string());
  EXPECT_FALSE(Cursor("bare").string());
}

TEST(MlirText, SeesNoBracketsInStringsAndComments) {
  EXPECT_EQ(Cursor("{a = \"}\", b = [1, (2)] // }\n} rest").bracketed('{'), "a = \"}\", b = [1, (2)] // }\n");
  EXPECT_FALSE(Cursor("{a = [}").bracketed('{'));
  EXPECT_FALSE(Cursor("{a").bracketed('{'));
  EXPECT_FALSE(Cursor("(a]").bracketed('('));
}

TEST(MlirText, ReadsADictionaryByName) {
  const auto all = attributes_of(R"(a = 1 : i32, "b c" = dense<[1, 0]> : tensor<2xindex>, unit, d.e = () -> (i32))");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->at("a"), "1 : i32");
  EXPECT_EQ(all->at("b c"), "dense<[1, 0]> : tensor<2xindex>");
  EXPECT_EQ(all->at("unit"), "");
  EXPECT_EQ(all->at("d.e"), "() -> (i32)");
  EXPECT_FALSE(attributes_of("a = 1, , b"));
  EXPECT_FALSE(attributes_of("= 1"));
}

TEST(MlirText, SplitsAListAtItsOwnCommas) {
  EXPECT_THAT(*list_of("tensor<2xf32>, tuple<a, b>"), ElementsAre("tensor<2xf32>", "tuple<a, b>"));
  EXPECT_TRUE(list_of("  ")->empty());
  EXPECT_FALSE(list_of("a,"));
  EXPECT_FALSE(list_of("a, (b"));
}

TEST(MlirText, FollowsNestingOfAnyDepthWithoutTheStack) {
  const std::string deep(1'000'000, '[');
  EXPECT_FALSE(Cursor(deep).bracketed('['));
  EXPECT_TRUE(Cursor(deep + std::string(1'000'000, ']')).bracketed('['));
}

}  // namespace
}  // namespace millrace::front
