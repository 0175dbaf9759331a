// SPDX-License-Identifier: Apache-2.0
// What a file's author chose may neither end a message nor steer a terminal.
#include "array/visible.h"

#include <gtest/gtest.h>

#include "millrace/error.h"

namespace millrace {
namespace {

TEST(Visible, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(visible(std::string_view("a\0b\x1b[31m\x7f\tc\nd", 13)), "a\\x00b\\x1b[31m\\x7f\\x09c\nd");
  EXPECT_EQ(visible("größe ✓"), "größe ✓");
  EXPECT_EQ(visible(""), "");
}

TEST(Visible, AnErrorIsWhole) {
  const Error error(ErrorCode::kUser, "no such thing", {std::string("\0k.py", 5), 3, 1});
  EXPECT_STREQ(error.what(), "\\x00k.py:3: no such thing");
}

}  // namespace
}  // namespace millrace
