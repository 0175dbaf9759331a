// SPDX-License-Identifier: Apache-2.0
// check, explain and diff as one types them: streams, exit codes, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "array/sha256.h"
#include "cli/process.h"
#include "millrace/array.h"
#include "millrace/file.h"

namespace millrace::cli {
namespace {

using millrace::testing::Folder;
using millrace::testing::Outcome;
using millrace::testing::read_text;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kTests = MILLRACE_SOURCE_DIR "/tests/";
const std::string kTwo = kTests + "data/stablehlo/two.mlir --kernel scale --fill iota";

std::string case_module(const std::string& name) {
  return kTests + "cases/faults_small/" + name + "/kernel.mlirbc --fill iota";
}
const std::string kRace = case_module("one_wait_of_two_signals");

Outcome check(const std::string& words, const Folder& folder) {
  return millrace::testing::millrace("check " + words, folder);
}

TEST(CheckCommand, ACleanKernelEndsWithZeroAndSaysWhatThatCovers) {
  const Folder folder;
  const Outcome o = check(kTwo, folder);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, StartsWith("clean. Checked 1 "));
  EXPECT_THAT(o.err, IsEmpty());
}

TEST(CheckCommand, AFaultEndsWithOneAndIsToldOnStdout) {
  const Folder folder;
  const Outcome o = check(kRace, folder);
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, AllOf(StartsWith("error[race.read-write]: "), HasSubstr("--> shared_sem.py:"),
                           HasSubstr("in some schedules only; clause S4.2"), HasSubstr("\n1 error. ")));
  EXPECT_THAT(o.out, Not(HasSubstr("\033")));
  EXPECT_THAT(o.err, IsEmpty());
  const Outcome hang = check(case_module("dma_awaited_twice"), folder);
  EXPECT_EQ(hang.code, 1);
  EXPECT_THAT(hang.out, HasSubstr("error[deadlock]: "));
  EXPECT_EQ(check(case_module("both"), folder).code, 2);
  EXPECT_EQ(check(kRace + " --target tpu", folder).code, 3);
}

// `script` runs a command in a terminal of its own.
TEST(CheckCommand, ColoursOnlyATerminalAndNotAgainstNoColor) {
  const Folder folder;
  const auto in_terminal = [&](const std::string& settings) {
    const std::string command = "cd '" + folder.path().string() + "' && script -qec '" + settings +
                                " " MILLRACE_BINARY " check " + kRace + "' typescript >printed </dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
    return read_text(folder / "printed");
  };
  EXPECT_THAT(in_terminal("env -u NO_COLOR"), HasSubstr("\033[1;31merror[race.read-write]\033[0m"));
  EXPECT_THAT(in_terminal("NO_COLOR=1"), AllOf(HasSubstr("error[race.read-write]: "), Not(HasSubstr("\033"))));
}

TEST(CheckCommand, TellsJson) {
  const Folder folder;
  const Outcome o = check(kTwo + " --json", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["verdict"], "clean");
  EXPECT_EQ(json["schedules"]["classes"], 1);
  EXPECT_EQ(json["kernel"], "scale");
  EXPECT_GT(json["work"]["accesses"], 0);
  EXPECT_FALSE(json.contains("waits"));
  millrace::testing::millrace("run " + kTwo + " --output out.npy", folder);
  EXPECT_EQ(json["outputs"][0]["sha256"], sha256_of(read_npy(folder / "out.npy")));
  const Json run = Json::parse(millrace::testing::millrace("run " + kTwo + " --json", folder).out);
  EXPECT_EQ(run["outputs"][0]["sha256"], json["outputs"][0]["sha256"]);
  const Json faulty = Json::parse(check(kRace + " --json", folder).out);
  EXPECT_EQ(faulty["verdict"], "faulty");
  EXPECT_EQ(faulty["schedules"]["complete"], true);
  EXPECT_EQ(faulty["schedules"]["classes"], 2);  // explored, as one run cannot decide
  EXPECT_EQ(faulty["findings"][0]["second"]["access"], "core read");
}

TEST(CheckCommand, EveryRunSaysTheSame) {
  const Folder folder;
  const std::string once = check(kRace + " --why-wait", folder).out;
  EXPECT_EQ(check(kRace + " --why-wait", folder).out, once);
  for (const char* schedule : {"eager", "lazy", "random:5"})
    EXPECT_EQ(check(kRace + " --schedule " + schedule, folder).out, check(kRace, folder).out) << schedule;
}

TEST(CheckCommand, WritesSchedulesThatShowARaceInBothOrders) {
  const Folder folder;
  const Json json = Json::parse(check(kRace + " --save-schedules found --json", folder).out);
  ASSERT_EQ(json["findings"][0]["replay"].size(), 2u);
  std::set<std::string> outputs;
  for (const Json& replay : json["findings"][0]["replay"]) {
    const std::string schedule = " --schedule replay:" + replay["file"].get<std::string>();
    EXPECT_THAT(check(kRace, folder).out, HasSubstr("error[race.read-write]"));
    const Json again = Json::parse(check(kRace + schedule + " --json", folder).out);
    EXPECT_EQ(again["findings"][0]["first"], json["findings"][0]["first"]);
    outputs.insert(again["outputs"][0]["sha256"]);
  }
  EXPECT_EQ(outputs.size(), 2u);  // what was read early is not what was read late
  const Json inline_json = Json::parse(check(kRace + " --explore --json", folder).out);
  EXPECT_THAT(inline_json["findings"][0]["replay"][1]["schedule"].get<std::string>(),
              StartsWith("millrace schedule 1\n"));
  EXPECT_FALSE(Json::parse(check(kRace + " --json", folder).out)["findings"][0].contains("replay"));
}

// Waits for ever only where the copy lands before the early load.
// Which findings there are, and whether each schedule that comes with one shows it.
TEST(CheckCommand, EverySchedulePrintedShowsItsFinding) {
  const Folder folder;
  std::size_t followed = 0, late = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kTests + "cases/faults_small")) {
    if (!entry.is_directory()) continue;
    const std::string kernel = case_module(entry.path().filename().string());
    const Json json = Json::parse(check(kernel + " --save-schedules found --json", folder).out);
    for (const Json& finding : json["findings"])
      for (const Json& replay : finding.value("replay", Json::array())) {
        const Outcome o = check(kernel + " --schedule replay:" + replay["file"].get<std::string>() + " --json", folder);
        ASSERT_LE(o.code, 1) << kernel << ": " << o.err;
        const Json found = Json::parse(o.out)["findings"];
        EXPECT_TRUE(std::ranges::any_of(found,
                                        [&](const Json& f) {
                                          return f["id"] == finding["id"] &&
                                                 f.value("first", Json()) == finding.value("first", Json()) &&
                                                 f.value("second", Json()) == finding.value("second", Json());
                                        }))
            << kernel << ": " << replay["shows"];
        ++followed, late += finding["id"] == "leftover.dma" || finding["id"] == "scope.use-after" ? 1 : 0;
      }
  }
  EXPECT_GT(followed, 20u);
  EXPECT_GT(late, 0u);
}

// X and F are arrays in HBM and SMEM, D and S semaphores.
const char* const kFlag = R"(module {
func.func @main(%x: X, %o: X, %f: F, %arrived: D, %never: S)
    attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 3 : i64} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = arith.constant 3 : index
  memref.store %zero, %f[%at] : F
  "tpu.enqueue_dma"(%x, %f, %arrived) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>} : (X, F, D) -> ()
  %early = memref.load %f[%at] : F
  "tpu.wait_dma2"(%arrived, %x, %f) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (D, X, F) -> ()
  "tpu.enqueue_dma"(%x, %o, %arrived) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>} : (X, X, D) -> ()
  "tpu.wait_dma2"(%arrived, %x, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (D, X, X) -> ()
  %hit = arith.cmpi ne, %early, %zero : i32
  scf.if %hit {
    "tpu.sem_wait"(%never, %one) : (S, i32) -> ()
  }
  return
}
}
)";

std::string flag_text() {
  const std::map<std::string, std::string> types = {
      {"X", "memref<8xi32, #tpu.memory_space<any>>"},
      {"F", "memref<8xi32, #tpu.memory_space<smem>>"},
      {"D", "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>"},
      {"S", "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>"}};
  std::string text;
  for (const char* at = kFlag; *at; ++at) {
    const bool word = std::isalnum(at[-(at > kFlag)]) != 0 && at > kFlag;
    const auto type = types.find(std::string(1, *at));
    text += !word && type != types.end() && !std::isalnum(at[1]) ? type->second : std::string(1, *at);
  }
  return text;
}

TEST(CheckCommand, FindsADeadlockThatOnlyOneOrderOfARaceHas) {
  const Folder folder;
  write_whole_file(folder / "flag.mlir", flag_text());
  const std::string flag = "flag.mlir --fill iota";
  const Json json = Json::parse(check(flag + " --save-schedules found --json", folder).out);
  EXPECT_EQ(json["schedules"]["complete"], true);
  EXPECT_EQ(json["schedules"]["classes"], 2);
  ASSERT_EQ(json["findings"].size(), 2u) << json.dump(1);
  const Json& deadlock = json["findings"][1];
  EXPECT_EQ(deadlock["id"], "deadlock");
  EXPECT_EQ(deadlock["schedules"], "some");
  ASSERT_EQ(deadlock["replay"].size(), 1u);
  const Outcome shown = check(flag + " --schedule replay:" + deadlock["replay"][0]["file"].get<std::string>(), folder);
  EXPECT_THAT(shown.out, HasSubstr("error[deadlock]: core 0 waits for ever on scratch2"));
  EXPECT_EQ(check(flag + " --save-schedules flag.mlir", folder).code, 2);  // no folder
}

TEST(CheckCommand, WritesSarif) {
  const Folder folder;
  EXPECT_EQ(check(kRace + " --sarif found.sarif --source-root kernels", folder).code, 1);
  const Json sarif = Json::parse(read_text(folder / "found.sarif"));
  const Json& at = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(at["artifactLocation"]["uri"], "kernels/shared_sem.py");
  EXPECT_EQ(check(kTwo + " --sarif nowhere/found.sarif", folder).code, 2);
}

TEST(CheckCommand, PrintsGitHubAnnotationsBesideTheTextAndApartFromJson) {
  const Folder folder;
  const Outcome text = check(kRace + " --github", folder);
  EXPECT_THAT(text.out, AllOf(StartsWith("error["), HasSubstr("\n::error file=shared_sem.py,line=")));
  const Outcome json = check(kRace + " --github --json", folder);
  EXPECT_NO_THROW(Json::parse(json.out));
  EXPECT_THAT(json.err, StartsWith("::error file=shared_sem.py,line="));
}

TEST(CheckCommand, WhatABaselineKnowsDoesNotFail) {
  const Folder folder;
  const Outcome first = check(kRace + " --write-baseline known.json", folder);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("error[race.read-write]: "));
  const Outcome known = check(kRace + " --baseline known.json --json", folder);
  EXPECT_EQ(known.code, 0);
  EXPECT_EQ(Json::parse(known.out)["verdict"], "faulty");
  EXPECT_EQ(Json::parse(known.out)["findings"][0]["baseline"], "unchanged");
  EXPECT_THAT(check(kRace + " --baseline known.json", folder).out, HasSubstr("] (known): "));
  // Another kernel's findings are its own.
  EXPECT_EQ(check(case_module("dma_awaited_twice") + " --baseline known.json", folder).code, 1);
  EXPECT_EQ(check(kRace + " --baseline none.json", folder).code, 2);
  std::ofstream(folder / "bad.json") << "{}";
  const Outcome bad = check(kRace + " --baseline bad.json", folder);
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.json is no baseline"));
}

TEST(CheckCommand, SaysOfEachWaitWhatItProved) {
  const Folder folder;
  const Outcome o = check(kRace + " --why-wait", folder);
  EXPECT_THAT(o.out, AllOf(HasSubstr("\nwait at shared_sem.py:"), HasSubstr("   proves  nothing in 1 of 1 waits"),
                           HasSubstr("   leaves  DMAs started at shared_sem.py:")));
  EXPECT_EQ(Json::parse(check(kRace + " --why-wait --json", folder).out)["waits"].size(), 2u);
}

TEST(ExplainCommand, ExplainsAnIdOrListsThem) {
  const Folder folder;
  const Outcome one = millrace::testing::millrace("explain deadlock", folder);
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, StartsWith("deadlock (error): "));
  EXPECT_THAT(millrace::testing::millrace("explain", folder).out, HasSubstr("\nleftover.dma "));
  const Outcome none = millrace::testing::millrace("explain deadlocks", folder);
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, StartsWith("millrace: no finding has the id `deadlocks`"));
}

TEST(DiffCommand, NamesTheFirstElementThatDiffersAndItsWriters) {
  const Folder folder;
  const std::string early = "diff " + case_module("slot_rewritten_under_store") + " --schedule eager --schedule lazy";
  const Outcome o = millrace::testing::millrace(early, folder);
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_THAT(o.out, AllOf(StartsWith("out0(0, 0): 1024 of 2048 elements differ; the first of them:\n  eager: 0, "),
                           HasSubstr("\n  lazy: 2048, written at dma_start at out_slot_write.py:11, the 1st time, "
                                     "from scratch0\n")));
  const Json json = Json::parse(millrace::testing::millrace(early + " --json", folder).out);
  EXPECT_EQ(json["differ"], true);
  EXPECT_EQ(json["element"], Json({0, 0}));
  EXPECT_EQ(json["schedules"][1]["schedule"], "lazy");
  EXPECT_EQ(json["schedules"][1]["writer"]["from"], "scratch0");
}

TEST(DiffCommand, NamesTheSlotOfAWindowThatWasSentBack) {
  const Folder folder;
  const Outcome o = millrace::testing::millrace(
      "diff " + case_module("other_slot_read_in_flight") + " --schedule eager --schedule lazy", folder);
  EXPECT_THAT(o.out, HasSubstr("sent back by the grid's own pipeline, the 1st time, from slot 0\n"));
}

TEST(DiffCommand, OfACorrectKernelThereIsNone) {
  const Folder folder;
  const Outcome o = millrace::testing::millrace("diff " + kTwo + " --schedule eager --schedule random:3", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, "eager and random:3 agree, bit for bit\n");
}

TEST(DiffCommand, TakesTheSignalsThatAreAskedFor) {
  const Folder folder;
  const std::string words =
      "diff " + case_module("large_wait_needs_large_load") + " --schedule canonical --schedule random:1";
  EXPECT_EQ(millrace::testing::millrace(words, folder).code, 1);
  EXPECT_EQ(millrace::testing::millrace(words + " --dma-signal whole", folder).code, 0);
}

TEST(DiffCommand, AKernelThatDoesNotEndHasNothingToCompare) {
  const Folder folder;
  const Outcome o = millrace::testing::millrace(
      "diff " + case_module("dma_awaited_twice") + " --schedule eager --schedule lazy", folder);
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, AllOf(StartsWith("neither ends:\n  eager: deadlock: "), HasSubstr("\n  lazy: deadlock: ")));
}

TEST(DiffCommand, TakesTwoSchedules) {
  const Folder folder;
  for (const char* words : {"", " --schedule eager", " --schedule eager --schedule lazy --schedule canonical",
                            " --schedule eager --schedule fast"})
    EXPECT_EQ(millrace::testing::millrace("diff " + kTwo + words, folder).code, 2) << words;
}

}  // namespace
}  // namespace millrace::cli
