// SPDX-License-Identifier: Apache-2.0
// Dialect attributes as text: what is read is written back, and the rest is refused.
#include "mosaic/attribute_text.h"

#include <gtest/gtest.h>

#include "millrace/error.h"

namespace millrace::mosaic {
namespace {

TEST(AttributeText, KeywordsAndListsAreReadInTheirOrder) {
  const DialectAttr window = parse_dialect_attribute("#tpu.element_window<[0, 0], [8, -1]>");
  EXPECT_EQ(window.dialect, "tpu");
  EXPECT_EQ(window.mnemonic, "element_window");
  EXPECT_TRUE(window.keywords.empty());
  EXPECT_EQ(window.lists, (std::vector<std::vector<std::int64_t>>{{0, 0}, {8, -1}}));
  const DialectAttr space = parse_dialect_attribute("#tpu.memory_space<vmem, tc>");
  EXPECT_EQ(space.keywords, (std::vector<std::string>{"vmem", "tc"}));
}

TEST(AttributeText, WhatIsReadIsWrittenBack) {
  for (const char* text : {"#vector.kind<add>", "#tpu.element_window<[0, 0], [8, 0]>", "#arith.fastmath<nnan, ninf>",
                           "#tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>", "#tpu.mark"}) {
    EXPECT_EQ(to_text(parse_dialect_attribute(text)), text);
  }
}

TEST(AttributeText, EverythingElseIsRefused) {
  for (const char* text : {"", "#tpu", "#tpu.tiled<(8,128)(2,1),[4,1]>", "#tpu.x<[1>", "#tpu.x<[1]", "#tpu.x<[1], y>",
                           "#tpu.x<> ", "#tpu.x<[99999999999999999999]>", "affine_map<(d0) -> (d0)>"}) {
    EXPECT_THROW(parse_dialect_attribute(text), Error) << text;
  }
}

}  // namespace
}  // namespace millrace::mosaic
