// SPDX-License-Identifier: Apache-2.0
// What a report holds, against what the commands print of the same kernel.
#include "front/report_kernel.h"

#include <gtest/gtest.h>

#include "array/sha256.h"
#include "files.h"
#include "front/case_load.h"
#include "front/report_receipt.h"
#include "front/source_lines.h"
#include "millrace/error.h"
#include "report/json.h"

namespace millrace::front {
namespace {

using Json = nlohmann::ordered_json;

ReportRequest request_of(const std::filesystem::path& module) {
  ReportRequest request;
  request.view.kernel.module = module;
  complete_from_case(request.view.kernel);
  return request;
}

view::Report report_of(const std::string& name) { return report_kernel(request_of(test::data("cases/" + name))); }

TEST(ReportKernel, FindingsAreThoseOfTheCheckAndEachHasItsFaultInTheTimeline) {
  for (const char* name : {"faults_small/slot_rewritten_under_store", "faults_small/load_awaited_in_step"}) {
    const view::Report report = report_of(name);
    const ReportRequest request = request_of(test::data(std::string("cases/") + name));
    const report::Checked checked = check_kernel({request.view.kernel, false, true, true});
    ASSERT_EQ(report.check["findings"].size(), checked.findings.size());
    ASSERT_EQ(report.timeline.faults.size(), checked.findings.size());
    for (std::size_t i = 0; i < checked.findings.size(); ++i) {
      Json finding = report.check["findings"][i];
      EXPECT_EQ(report.timeline.faults[i].id, checked.findings[i].id);
      EXPECT_FALSE(finding["spots"].empty());
      finding.erase("spots");
      EXPECT_EQ(finding, report::to_json(checked.findings[i]));
    }
    EXPECT_EQ(report.check["schedules"], report::to_json(checked)["schedules"]);
  }
}

TEST(ReportKernel, ARaceHasBothPlacesAndTwoMoments) {
  const view::Report report = report_of("faults_small/slot_rewritten_under_store");
  EXPECT_EQ(report.check["verdict"], "faulty");
  const Json& finding = report.check["findings"][0];
  EXPECT_EQ(finding["id"], "race.read-write");
  ASSERT_EQ(finding["spots"].size(), 2u);
  EXPECT_EQ(finding["spots"][0]["file"], "out_slot_write.py");
  EXPECT_EQ(finding["spots"][0]["line"], 13);
  EXPECT_EQ(finding["spots"][1]["line"], 11);
  EXPECT_EQ(report.timeline.faults[0].moments.size(), 2u);
}

TEST(ReportKernel, TheSameKernelGivesTheSamePageEveryTime) {
  EXPECT_EQ(view::to_html(report_of("faults_small/slot_rewritten_under_store")),
            view::to_html(report_of("faults_small/slot_rewritten_under_store")));
}

TEST(ReportKernel, ItsReceiptSaysWhatWasSimulatedAndThatNoDeviceTookPart) {
  ReportRequest request = request_of(test::data("cases/faults_small/slot_rewritten_under_store"));
  request.view.millrace_version = "1.2.3";
  const Json receipt = report_kernel(request).receipts.at(0);
  EXPECT_EQ(receipt["execution"], "modeled");
  EXPECT_TRUE(receipt["device"].is_null() && receipt["measurement"].is_null() && receipt["correctness"].is_null());
  EXPECT_EQ(receipt["simulated_chip"], "v5e");
  EXPECT_EQ(receipt["versions"], Json({{"millrace", "1.2.3"}}));
  EXPECT_EQ(receipt["implementation_sha256"].get<std::string>().size(), 64u);
  const Json& input = receipt["configuration"]["inputs"].at(0);
  EXPECT_EQ(input["name"], "in0");
  EXPECT_EQ(input["sha256"], sha256_of(load_kernel(request.view.kernel).inputs.at(0)));
  EXPECT_EQ(receipt.dump().find("measured"), std::string::npos);
}

TEST(ReportKernel, AReceiptFromAFileIsOneOfACompilerOrADevice) {
  const test::Folder folder;
  const auto is_taken = [&](const Json& json) {
    std::ofstream(folder / "r.json") << json;
    try {
      read_receipt(folder / "r.json");
      return true;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kUser);
      return false;
    }
  };
  const Json compiled = {{"schema", 1},
                         {"execution", "compiled"},
                         {"implementation_sha256", "0"},
                         {"boundary", "b"},
                         {"chips", Json::array()}};
  Json measured = compiled;
  measured["execution"] = "measured", measured["device"] = "cpu", measured["correctness"] = Json::object();
  EXPECT_FALSE(is_taken(measured));
  measured["measurement"] = Json::object();
  EXPECT_TRUE(is_taken(compiled));
  EXPECT_TRUE(is_taken(measured));
  for (const char* key : {"schema", "execution", "implementation_sha256", "boundary", "device"}) {
    Json twin = measured;
    twin.erase(key);
    EXPECT_FALSE(is_taken(twin)) << key;
  }
  EXPECT_FALSE(is_taken(Json::array()));
}

TEST(ReportKernel, TheModulesTextStandsInIt) {
  EXPECT_NE(report_of("faults_small/load_awaited_in_step").text.find("tpu.wait_dma2"), std::string::npos);
}

Finding finding_at(const std::string& at) {
  Finding f;
  f.at = at;
  return f;
}

TEST(SourceLines, AreThoseAroundEachPlaceOfAFileBesideTheModule) {
  const test::Folder folder;
  std::ofstream(folder / "k.py") << "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
  const SourceLines lines = source_lines({finding_at("k.py:2"), finding_at("k.py:9")}, folder / "kernel.mlirbc");
  ASSERT_TRUE(lines.contains("k.py"));
  std::string shown;
  for (const auto& [number, text] : lines.at("k.py")) shown += std::to_string(number) + text + " ";
  EXPECT_EQ(shown, "1one 2two 3three 4four 5five 6six 7seven 8eight 9nine ");
  EXPECT_EQ(source_lines({finding_at("k.py:2")}, folder / "kernel.mlirbc").at("k.py").size(), 5u);
}

// A module may name any file; a report of it may go to anybody.
TEST(SourceLines, OfFilesThatAreNotCalledLikeSourcesAreNotRead) {
  const test::Folder folder;
  for (const char* name : {"secret", "secret.key", "k.py"}) std::ofstream(folder / name) << "a\nb\nc\n";
  EXPECT_TRUE(source_lines({finding_at("secret:1"), finding_at((folder / "secret.key").string() + ":2")},
                           folder / "kernel.mlirbc")
                  .empty());
  EXPECT_EQ(source_lines({finding_at("k.py:1")}, folder / "kernel.mlirbc").size(), 1u);
}

TEST(SourceLines, WhatIsNoTextOrBehindTheEndIsLeftOut) {
  const test::Folder folder;
  std::ofstream(folder / "k.py", std::ios::binary) << std::string("a\0b\n", 4);
  std::ofstream(folder / "short.py") << "a\n";
  EXPECT_TRUE(
      source_lines({finding_at("k.py:1"), finding_at("short.py:40"), finding_at("gone.py:1")}, folder / "kernel.mlirbc")
          .empty());
}

}  // namespace
}  // namespace millrace::front
