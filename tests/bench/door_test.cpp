// SPDX-License-Identifier: Apache-2.0
// Doors are shell scripts here.
#include "bench/door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/error.h"

namespace millrace::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Has the rows a and b, and answers `measure` with `row`.
std::string door(const std::string& row) {
  return "echo hello a door; while read what name; do case $what in rows) echo a b;; measure) echo '" + row +
         "';; esac; done";
}

std::string row(const std::string& candidate, const std::string& baseline) {
  return R"({"candidate": "ours", "baseline": "theirs", "unit": "call", "work": 2, "warm_ups": 1, "aim": 0.001, )"
         R"("candidate_ms": )" +
         candidate + R"(, "baseline_ms": )" + baseline + "}";
}

TEST(Door, ItsRowsAreTakenInPairs) {
  std::vector<std::string> heard;
  const auto rows = of_door(door(row("[1, 2, 4]", "[10, 10, 80]")), [&](const auto& what) { heard.push_back(what); });
  EXPECT_THAT(heard, ElementsAre("a door: a", "a door: b"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].name, "door/b");
  EXPECT_EQ(rows[0].pairs, 3);
  EXPECT_EQ(rows[0].candidate_work, 2);
  EXPECT_EQ(rows[0].candidate_ms.median, 2);
  EXPECT_EQ(rows[0].ratio.min, 0.05);  // 4 by 80
  EXPECT_EQ(rows[0].ratio.median, 0.1);
  EXPECT_EQ(rows[0].ratio.max, 0.2);
}

TEST(Door, WhatItSaysInsteadIsTold) {
  const auto said = [](const std::string& command) -> std::string {
    try {
      of_door(command, [](const auto&) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUser);
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(said(door("{}")), HasSubstr("the door says `{}` of row a: "));
  EXPECT_THAT(said(door("fast")), HasSubstr("the door says `fast` of row a: "));
  EXPECT_THAT(said(door(row("[1, 2]", "[1]"))), HasSubstr("not measured in pairs"));
  EXPECT_THAT(said(door(row("[]", "[]"))), HasSubstr("there are no times"));
  EXPECT_THAT(said(door(row("[-1]", "[1]"))), HasSubstr("-1 ms is no time"));
  EXPECT_THAT(said(door("error JAX is not installed")), HasSubstr("JAX is not installed"));
  EXPECT_THAT(said("exit 1"), HasSubstr("ended without an answer"));
}

}  // namespace
}  // namespace millrace::bench
