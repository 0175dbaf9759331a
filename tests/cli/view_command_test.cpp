// SPDX-License-Identifier: Apache-2.0
// view as one types it: what is printed, what is written, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process.h"

namespace millrace::cli {
namespace {

using millrace::testing::Folder;
using millrace::testing::Outcome;
using millrace::testing::read_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kCases = MILLRACE_SOURCE_DIR "/tests/cases/";
const std::string kRace = kCases + "faults_small/slot_rewritten_under_store";

Outcome view(const std::string& words, const Folder& folder) {
  return millrace::testing::millrace("view " + words, folder);
}

TEST(ViewCommand, PrintsLanesOfAModuleAndOfACase) {
  const Folder folder;
  const Outcome module = view(kRace + "/kernel.mlirbc --fill iota", folder), both = view(kRace, folder);
  EXPECT_EQ(module.code, 0) << module.err;
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_THAT(both.out, StartsWith("slot_rewritten_under_store: modeled for v5e"));
  for (const Outcome& o : {module, both}) {
    EXPECT_THAT(o.out, HasSubstr("\ncompute "));
    EXPECT_THAT(o.out, HasSubstr("error race.read-write"));
    EXPECT_THAT(o.err, IsEmpty());
  }
}

TEST(ViewCommand, WritesFilesInsteadOfPrinting) {
  const Folder folder;
  const Outcome o = view(kRace + " --svg a.svg --html a.html --perfetto a.pftrace", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, IsEmpty());
  EXPECT_THAT(read_text(folder / "a.svg"), StartsWith("<svg "));
  EXPECT_THAT(read_text(folder / "a.html"), StartsWith("<!doctype html>"));
  EXPECT_THAT(read_text(folder / "a.pftrace"), StartsWith("\x0a"));
}

TEST(ViewCommand, TakesOtherFiguresThanTheChips) {
  const Folder folder;
  const auto end = [&](const std::string& words) {
    const Outcome o = view(kRace + " --json " + words, folder);
    EXPECT_EQ(o.code, 0) << o.err;
    return Json::parse(o.out)["end"].get<double>();
  };
  EXPECT_GT(end("--dma-latency 5"), end(""));
  EXPECT_GT(end("--bandwidth 1"), end("--chip v6e"));
  EXPECT_LT(end("--dma-latency 0"), end(""));
}

TEST(ViewCommand, RefusesWithASentence) {
  const Folder folder;
  const auto refused = [&](const std::string& words, int code, const char* why) {
    const Outcome o = view(words, folder);
    EXPECT_EQ(o.code, code) << words;
    EXPECT_THAT(o.err, HasSubstr(why)) << words;
    EXPECT_THAT(o.out, IsEmpty()) << words;
  };
  refused(kRace + " --fill iota", 2, "is a case folder, whose case.json says what --fill would");
  refused(kRace + " --bandwidth 0", 2, "bandwidth 0: take a number from 1e-9");
  refused(kRace + " --chip v3", 3, "v3");
  refused(kRace + " --svg no/such/a.svg", 2, "no/such is no folder");
  refused(kRace + " --max-bars 5", 2, "--max-bars");
  refused(kRace + " --explore", 2, "--explore goes with --html");
  refused(kRace + " --receipt r.json", 2, "--receipt goes with --html");
  refused(kRace + " --html no/such/a.html", 2, "no/such is no folder");
  refused(kCases, 2, "case.json");
}

}  // namespace
}  // namespace millrace::cli
