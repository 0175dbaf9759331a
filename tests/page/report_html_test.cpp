// SPDX-License-Identifier: Apache-2.0
#include "view/report_html.h"

#include <gtest/gtest.h>

#include <regex>

#include "timelines.h"
#include "timing/coarse.h"
#include "view/sentences.h"

namespace millrace::view {
namespace {

using Json = nlohmann::ordered_json;

Report report_of(timing::Timeline t) {
  Report r;
  r.timeline = std::move(t);
  r.check = {{"verdict", "clean"}, {"findings", Json::array()}};
  r.text = "module {}";
  return r;
}

const std::string kOpen = "<script id=\"data\" type=\"application/json\">", kClose = "</script>";

std::string data_text(const std::string& page) {
  const std::size_t open = page.find(kOpen);
  if (open == page.npos) return "";
  const std::size_t begin = open + kOpen.size();
  return page.substr(begin, page.find(kClose, begin) - begin);
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// Whatever could make a browser ask for something, in the page without its data.
std::string first_request_of(const std::string& page) {
  static const std::regex kAsks(
      R"(\b(src|href|action|poster|data|srcset)\s*=\s*["']?\s*(?!#)[a-z/.][^\s>]*|@import|url\s*\(|\b(https?|wss?):|)"
      R"(\bfetch\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\s*\(|new\s+(Image|Worker)\b)",
      std::regex::icase);
  std::string bare = page;
  const std::string data = data_text(page);
  if (const std::size_t at = bare.find(data); !data.empty() && at != bare.npos) bare.erase(at, data.size());
  std::smatch match;
  return std::regex_search(bare, match, kAsks) ? match.str() : "";
}

TEST(ReportHtml, HoldsItsDataAsJson) {
  const Report report = report_of(test::made_up(20, 3));
  const std::string page = to_html(report);
  EXPECT_EQ(Json::parse(data_text(page)), report_data(report));
}

TEST(ReportHtml, SaysInPictureAndDataThatTimesAreModeled) {
  const Json data = report_data(report_of(test::made_up(5, 3)));
  EXPECT_EQ(data["execution"], "modeled");
  EXPECT_EQ(data["timeline"]["execution"], "modeled");
  EXPECT_NE(data["basis"].get<std::string>().find("modeled for v5e"), std::string::npos);
  EXPECT_NE(data["basis"].get<std::string>().find("not measured"), std::string::npos);
  EXPECT_FALSE(data["left_out"].empty());
}

TEST(ReportHtml, HoldsTheCompilersAnswerWhereThereIsOne) {
  Report report = report_of(test::made_up(5, 3));
  EXPECT_TRUE(report_data(report)["compiled"].is_null());
  report.compiled = {{"execution", "compiled"}};
  EXPECT_EQ(report_data(report)["compiled"]["execution"], "compiled");
}

TEST(ReportHtml, AsksNobodyForAnything) { EXPECT_EQ(first_request_of(to_html(report_of(test::made_up(5, 3)))), ""); }

TEST(ReportHtml, ARequestWouldBeSeen) {
  const std::string page = to_html(report_of(test::made_up(5, 3)));
  for (const char* twin : {"<link rel=stylesheet href=https://a.example/b.css>", "<img src=\"//a.example/b.png\">",
                           "<script src=x.js></script>", "<style>@import 'x.css';</style>",
                           "<style>a{background:url(x.png)}</style>", "<script>fetch('x')</script>"})
    EXPECT_NE(first_request_of(page + twin), "") << twin;
}

TEST(ReportHtml, NamesAndTextsOfAModuleStayTexts) {
  const std::string hostile = "</script><script>alert(1)</script><!--{{script}}{{data}}&";
  timing::Timeline t = test::made_up(5, 3);
  const std::string plain = to_html(report_of(t));
  t.title = hostile, t.bars[0].label = hostile;
  Report report = report_of(t);
  report.text = hostile;
  const std::string page = to_html(report);
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
  EXPECT_EQ(Json::parse(data_text(page))["text"], hostile);
  EXPECT_EQ(Json::parse(data_text(page))["title"], hostile);
}

TEST(ReportHtml, BytesThatAreNoTextDoNotEndIt) {
  Report report = report_of(test::made_up(5, 3));
  report.text =
      "a\xff\xfe"
      "b";
  EXPECT_NO_THROW(Json::parse(data_text(to_html(report))));
}

TEST(ReportHtml, AMillionBarsFitIntoTwentyMegabytesAndNoneIsForgotten) {
  timing::Timeline t = timing::coarse(test::made_up(350'000, 4), 100'000);
  ASSERT_TRUE(t.coarse.is);
  EXPECT_EQ(t.coarse.bars, 1'050'000u);
  std::uint64_t stand_for = 0;
  for (const timing::Bar& b : t.bars) stand_for += b.count;
  EXPECT_EQ(stand_for, 1'050'000u);
  EXPECT_LE(t.bars.size(), 100'000u);
  const Report report = report_of(std::move(t));
  EXPECT_LT(to_html(report).size(), 20'000'000u);
  const Json summary = report_data(report)["summary"];
  std::string said;
  for (const Json& line : summary) said += line.get<std::string>();
  EXPECT_NE(said.find("1,050,000 bars are drawn as"), std::string::npos) << said;
}

}  // namespace
}  // namespace millrace::view
