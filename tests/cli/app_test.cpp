// SPDX-License-Identifier: Apache-2.0
// The command line itself: what is refused, how help looks, and what goes to which stream.
#include "cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "cli/process.h"
#include "lab/environment.h"

namespace millrace::cli {
namespace {

using millrace::testing::Folder;
using millrace::testing::Outcome;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

Outcome command(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"millrace"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out, err;
  const int code = run_command_line(static_cast<int>(argv.size()), argv.data(), out, err);
  return {code, out.str(), err.str()};
}

void expect_refused(const std::vector<std::string>& words, const std::string& sentence) {
  const Outcome outcome = command(words);
  EXPECT_EQ(outcome.code, 2) << sentence;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(StartsWith("millrace: "), HasSubstr(sentence)));
}

TEST(CommandLine, AnUnknownCommandIsToldTheKnownOnes) {
  expect_refused(
      {"labb"},
      "there is no command `labb`; there are lab, tiles, run, check, explain, diff, case, inspect, convert, compile, "
      "bench, view, version");
  expect_refused({"labb"}, "`millrace --help`");
}

TEST(CommandLine, RefusesNoCommandAndUnknownOptions) {
  expect_refused({},
                 "name a command; there are lab, tiles, run, check, explain, diff, case, inspect, convert, "
                 "compile, bench, view, version");
  expect_refused({"--fast"}, "--fast");
  expect_refused({"lab", "--bufers", "3"}, "--bufers");
  expect_refused({"lab", "--bufers", "3"}, "`millrace lab --help`");
}

TEST(CommandLine, RefusesValuesThatAreNoNumbersOrMissing) {
  expect_refused({"lab", "--buffers", "two"}, "--buffers");
  expect_refused({"lab", "--buffers"}, "--buffers");
  expect_refused({"lab", "--buffers", "2", "--buffers", "3"}, "--buffers");
  expect_refused({"lab", "--x", ""}, "--x");
  expect_refused({"tiles", "--shape", "17x257", "--buffers", "2,x"}, "--buffers");
}

class Help : public ::testing::TestWithParam<std::string> {};

TEST_P(Help, ShowsAnExampleFirst) {
  const Outcome outcome = GetParam().empty() ? command({"--help"}) : command({GetParam(), "--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("Example:\n  millrace " + (GetParam().empty() ? "lab" : GetParam())));
  EXPECT_THAT(outcome.out, HasSubstr(GetParam().empty() ? "Usage: millrace" : "Usage: millrace " + GetParam()));
  EXPECT_THAT(outcome.err, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Commands, Help,
                         ::testing::Values("", "lab", "tiles", "run", "check", "explain", "diff", "case", "inspect",
                                           "convert", "version"));

TEST(Version, IsOneLine) {
  const Outcome outcome = command({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, MatchesRegex("millrace [0-9]+\\.[0-9]+\\.[0-9]+ \\(commit ([0-9a-f]{12}|unknown)\\)\n"));
}

TEST(Version, TellsBuildAndMachineAsJson) {
  const auto json = nlohmann::json::parse(command({"version", "--json"}).out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_THAT(json["version"].get<std::string>(), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(json["commit"].get<std::string>(), MatchesRegex("[0-9a-f]{40}|unknown"));
  EXPECT_THAT(json["compiler"].get<std::string>(), MatchesRegex("[A-Za-z]+ [0-9.]+"));
  EXPECT_THAT(json["llvm"].get<std::string>(), StartsWith("22.1"));
  EXPECT_EQ(json["host_cpu"], lab::host_cpu());
  EXPECT_EQ(json["targets"], nlohmann::json({"simulator"}));
}

TEST(Version, TellsPeopleTheSame) {
  const Outcome outcome = command({"version"});
  EXPECT_THAT(outcome.out, AllOf(StartsWith("millrace "), HasSubstr("LLVM: 22.1"), HasSubstr(lab::host_cpu()),
                                 HasSubstr("targets: simulator")));
}

TEST(Tiles, PrintsTheTableForEveryBlock) {
  const Outcome outcome = command({"tiles", "--shape", "17x257", "--block", "8x128", "--block", "16x256"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("8x128 +9 .*24576 +32768 +4/3"));
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("16x256 +4 .*98304 +131072 +4/3"));
  EXPECT_THAT(outcome.out, HasSubstr("left out of the model: semaphores"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Tiles, TakesSlotsAndTypeAndPrintsJson) {
  const Outcome outcome = command({"tiles", "--shape", "17x257", "--buffers", "1,2,4", "--dtype", "bf16", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["dtype"], "bf16");
  EXPECT_EQ(json["tiles"].size(), 1u);
  EXPECT_EQ(json["tiles"][0]["block"], nlohmann::json({8, 128}));
  EXPECT_EQ(json["tiles"][0]["modeled_bytes"][2]["bytes"], (2 * 4 + 2) * 8 * 128 * 2);
}

TEST(Tiles, RefusesWhatIsNoShapeBlockCountOrType) {
  expect_refused({"tiles"}, "--shape");
  expect_refused({"tiles", "--shape", "17"}, "--shape `17`");
  expect_refused({"tiles", "--shape", "17x257", "--block", "8x0"}, "--block `8x0`");
  expect_refused({"tiles", "--shape", "17x257", "--buffers", "0"}, "input slots must be at least 1, not 0");
  expect_refused({"tiles", "--shape", "17x257", "--dtype", "f33"}, "--dtype `f33`");
  expect_refused({"tiles", "--shape", "4000000000x4000000000", "--block", "1x1"}, "would exceed 2^62");
}

TEST(Tiles, DrawsThePictureIntoAFile) {
  const Folder folder;
  const std::string file = (folder / "tiles.svg").string();
  EXPECT_EQ(command({"tiles", "--shape", "17x257", "--svg", file}).code, 0);
  EXPECT_THAT(millrace::testing::read_text(file), AllOf(StartsWith("<svg "), HasSubstr(">24<")));
  expect_refused({"tiles", "--shape", "17x257", "--svg", (folder / "absent" / "tiles.svg").string()},
                 "cannot be written");
}

TEST(Process, ResultsGoToStdoutAndMessagesToStderr) {
  const Folder folder;
  const Outcome right = millrace::testing::millrace("tiles --shape 17x257", folder);
  EXPECT_EQ(right.code, 0);
  EXPECT_THAT(right.err, IsEmpty());
  const Outcome wrong = millrace::testing::millrace("tiles --shape 17", folder);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.out, IsEmpty());
  EXPECT_THAT(wrong.err, StartsWith("millrace: "));
}

TEST(CommandLine, AResultThatCannotBeWrittenIsNoSuccess) {
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  const char* argv[] = {"millrace", "tiles", "--shape", "17x257"};
  EXPECT_EQ(run_command_line(4, argv, out, err), 2);
  EXPECT_THAT(err.str(), HasSubstr("could not be written"));
}

}  // namespace
}  // namespace millrace::cli
