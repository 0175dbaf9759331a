// SPDX-License-Identifier: Apache-2.0
// Columns are read back by a reader of its own, written from the description in view/columns.h alone.
#include "view/columns.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "timelines.h"

namespace millrace::view {
namespace {

using Json = nlohmann::ordered_json;
using timing::kNone;

std::int64_t number(const Json& table, const std::string& name, std::size_t i) {
  const Json& told = table.at(name);
  return told.is_array() ? told.at(i).get<std::int64_t>() : told.get<std::int64_t>();
}

class Reader {
 public:
  explicit Reader(const Json& columns) : c_(columns) {}

  std::string text(const Json& table, const std::string& name, std::size_t i) const {
    const std::int64_t n = number(table, name, i);
    return n < 0 ? "" : c_.at("texts").at(static_cast<std::size_t>(n)).get<std::string>();
  }

  std::vector<std::vector<std::int64_t>> lists(const std::string& name, std::size_t count) const {
    std::vector<std::vector<std::int64_t>> all(count);
    std::int64_t last = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::int64_t k = number(c_["bars"], name + "_of", i); k > 0; --k)
        all[i].push_back(last += number(c_["bars"], name, at++));
    return all;
  }

 private:
  const Json& c_;
};

std::int64_t or_none(timing::Index i) { return i == kNone ? -1 : static_cast<std::int64_t>(i); }

// What differs between the columns and the bars of a timeline, or nothing.
std::string difference_of_bars(const timing::Timeline& t, const Json& columns) {
  const Json& table = columns.at("bars");
  const Reader reader(columns);
  if (columns.at("count") != t.bars.size()) return "count";
  const auto lives = reader.lists("lives", t.bars.size()), proves = reader.lists("proves", t.bars.size());
  std::size_t i = 0;
  for (std::size_t lane = 0; lane < t.lanes.size(); ++lane) {
    std::int64_t begin = 0;
    for (std::int64_t k = table.at("of_lane").at(lane); k > 0; --k, ++i) {
      const timing::Bar& b = t.bars.at(i);
      begin += number(table, "begin", i);
      if (b.lane != lane || b.begin != begin) return "lane or begin of " + std::to_string(i);
      if (b.end != begin + number(table, "lasts", i)) return "end of " + std::to_string(i);
      if (std::max(b.moves, b.begin) != begin + number(table, "moves", i)) return "moves of " + std::to_string(i);
      if (b.label != reader.text(table, "label", i)) return "label of " + std::to_string(i);
      if (block_text(t, b.block) != reader.text(table, "block", i)) return "block of " + std::to_string(i);
      if (step_text(t, b.step) != reader.text(table, "step", i)) return "step of " + std::to_string(i);
      if (t.places[b.at].where != reader.text(table, "at", i)) return "place of " + std::to_string(i);
      if (b.semaphore != reader.text(table, "semaphore", i)) return "semaphore of " + std::to_string(i);
      if (b.bytes != number(table, "bytes", i) || b.amount != number(table, "amount", i)) return "amounts";
      if (b.leaves_open != number(table, "open", i)) return "open of " + std::to_string(i);
      if ((b.never ? 1 : 0) + (b.critical ? 2 : 0) != number(table, "flags", i)) return "flags of " + std::to_string(i);
      if (std::vector<std::int64_t>(b.lives.begin(), b.lives.end()) != lives[i]) return "lives of " + std::to_string(i);
      if (std::vector<std::int64_t>(b.proves.begin(), b.proves.end()) != proves[i]) return "proofs";
    }
  }
  return i == t.bars.size() ? "" : "bars of lanes";
}

std::string difference_of_contents(const timing::Timeline& t, const Json& columns) {
  const Json& table = columns.at("contents");
  const Reader reader(columns);
  if (table.at("count") != t.tenancies.size()) return "count";
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < t.tenancies.size(); ++i) {
    const timing::Tenancy& l = t.tenancies[i];
    if (i > 0 && (t.tenancies[i - 1].row != l.row || t.tenancies[i - 1].slot != l.slot)) begin = 0;
    begin += number(table, "begin", i);
    const std::int64_t reusable = number(table, "reusable", i);
    if (l.begin != begin || l.filled != begin + number(table, "filled", i)) return "begin or filled";
    if (l.last_use != begin + number(table, "last_use", i)) return "last use";
    if (l.reusable != (reusable < 0 ? -1 : begin + reusable)) return "reusable";
    if (l.slot != number(table, "slot", i) || l.version != number(table, "version", i)) return "slot or version";
    if (block_text(t, l.block) != reader.text(table, "block", i)) return "block";
    if (or_none(l.opened_by) != number(table, "opened_by", i)) return "opened by";
    if (or_none(l.last_by) != number(table, "last_by", i)) return "last by";
  }
  return "";
}

TEST(Columns, TellEveryBarAndEveryContent) {
  for (const timing::Index bars : {1u, 2u, 7u, 200u}) {
    const timing::Timeline t = test::made_up(bars, bars);
    const Json columns = to_columns(t);
    EXPECT_EQ(difference_of_bars(t, columns), "");
    EXPECT_EQ(difference_of_contents(t, columns), "");
  }
}

// The reader above would see if they did not.
TEST(Columns, OfAnotherTimelineAreOthers) {
  const timing::Timeline t = test::made_up(20, 1);
  const Json columns = to_columns(t);
  timing::Timeline other = t;
  other.bars[30].end += 1;
  EXPECT_EQ(difference_of_bars(other, columns), "end of 30");
  other = t, other.bars[50].proves = {3};
  EXPECT_EQ(difference_of_bars(other, columns), "proofs");
  other = t, other.bars[0].label = "A1";
  EXPECT_EQ(difference_of_bars(other, columns), "label of 0");
  other = t, other.tenancies[4].reusable = -1;
  EXPECT_EQ(difference_of_contents(other, columns), "reusable");
}

TEST(Columns, OfEqualNumbersAreOneNumber) {
  const Json columns = to_columns(test::made_up(20, 1));
  EXPECT_EQ(columns["bars"]["has"], 0);
  EXPECT_EQ(columns["bars"]["joined"], 1);
  EXPECT_TRUE(columns["bars"]["bytes"].is_array());
}

TEST(Columns, TellArrowsAndMemoriesOverTime) {
  const timing::Timeline t = test::made_up(9, 2);
  const Json columns = to_columns(t);
  ASSERT_EQ(columns["arrows"]["count"], t.arrows.size());
  for (std::size_t i = 0; i < t.arrows.size(); ++i) {
    EXPECT_EQ(number(columns["arrows"], "copy", i), t.arrows[i].copy);
    EXPECT_EQ(number(columns["arrows"], "wait", i), t.arrows[i].wait);
  }
  std::int64_t at = 0;
  for (std::size_t i = 0; i < t.counters[0].points.size(); ++i) {
    at += columns["counters"][0]["at"][i].get<std::int64_t>();
    EXPECT_EQ(at, t.counters[0].points[i].at);
    EXPECT_EQ(columns["counters"][0]["value"][i], t.counters[0].points[i].value);
  }
}

// Two contents at one time in one slot, which only a fault brings about: each has a line, so that both are seen.
TEST(Columns, ContentsOfOneSlotThatOverlapHaveLinesOfTheirOwn) {
  timing::Timeline t = test::made_up(8, 3);
  EXPECT_EQ(to_columns(t)["contents"]["line"], 0);
  t.tenancies[0].last_use = t.tenancies[1].begin + 1;
  const Json contents = to_columns(t)["contents"];
  EXPECT_EQ(number(contents, "line", 0), 0);
  EXPECT_EQ(number(contents, "line", 1), 1);
  EXPECT_EQ(number(contents, "line", 2), 0);
}

TEST(Columns, OfNothingAreEmpty) {
  const Json columns = to_columns(timing::Timeline{});
  EXPECT_EQ(columns["count"], 0);
  EXPECT_EQ(columns["contents"]["count"], 0);
  EXPECT_EQ(columns["arrows"]["count"], 0);
}

}  // namespace
}  // namespace millrace::view
