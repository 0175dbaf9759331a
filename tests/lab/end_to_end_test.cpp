// SPDX-License-Identifier: Apache-2.0
// `millrace lab` as a user runs it: exit codes, what is on stdout and stderr, and the files it leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "lab/fixture.h"
#include "lab/oracle.h"
#include "millrace/array.h"

namespace millrace::lab {
namespace {

namespace fs = std::filesystem;
using millrace::testing::Folder;
using millrace::testing::Outcome;
using millrace::testing::read_text;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class LabProgram : public ::testing::Test {
 protected:
  Outcome lab(const std::string& arguments) { return millrace::testing::millrace("lab " + arguments, folder_); }

  void refused(const std::string& arguments, int code, const std::string& sentence) {
    const Outcome outcome = lab(arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("millrace: "), HasSubstr(sentence))) << arguments;
  }

  void save(const std::string& name, const Array& array) { write_npy(folder_ / name, array); }

  Folder folder_;
};

TEST_F(LabProgram, RunsTheLessonAndClosesWithPass) {
  const Outcome outcome = lab("");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, EndsWith("\nPASS: lab\n"));
  EXPECT_THAT(outcome.out, HasSubstr("endpoints: -1.75 2.25"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(LabProgram, PrintsTheSameInEveryProcess) { EXPECT_EQ(lab("--json").out, lab("--json").out); }

TEST_F(LabProgram, PrintsEveryFigureAsJson) {
  const Outcome outcome = lab("--json");
  ASSERT_EQ(outcome.code, 0);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["verdict"], "PASS");
  EXPECT_EQ(json["endpoints"], nlohmann::json({-1.75, 2.25}));
  EXPECT_EQ(json["tile_table"]["tiles"][2]["modeled_bytes"][1]["bytes"], 131072);
  EXPECT_EQ(json["failures"].size(), 0u);
}

TEST_F(LabProgram, RunsTheMatricesOfFiles) {
  const Pair pair = random_pair(30, 200, f32, 8);
  save("x.npy", pair.x);
  save("y.npy", pair.y);
  for (const std::string options : {"", "--buffers 3 --block 16x256", "--synchronous", "--program blocked",
                                    "--program blocked --block 7x11", "--dtype f32"}) {
    const Outcome outcome = lab("--x x.npy --y y.npy --out kept " + options);
    EXPECT_EQ(outcome.code, 0) << options << outcome.err;
    EXPECT_THAT(outcome.out, EndsWith("\nPASS: lab\n")) << options;
    const Array output = read_npy(folder_ / "kept/outputs/asked.run.npy");
    EXPECT_TRUE(same_bits(output, oracle(pair.x, pair.y))) << options;
  }
}

TEST_F(LabProgram, TakesBf16FilesUnderTheirName) {
  const Pair pair = random_pair(9, 129, bf16, 8);
  save("x.npy", pair.x);
  save("y.npy", pair.y);
  EXPECT_EQ(lab("--x x.npy --y y.npy --dtype bf16").code, 0);
  refused("--x x.npy --y y.npy", 2, "needs `--dtype bf16`");
  refused("--x x.npy --y y.npy --dtype f32", 2, "x.npy");
}

TEST_F(LabProgram, KeepsTheEvidenceAndNoTemporaryFile) {
  ASSERT_EQ(lab("--out kept").code, 0);
  for (const char* name : {"transcript.txt", "environment.json", "figures.json", "predictions.md", "figures.svg"}) {
    EXPECT_TRUE(fs::exists(folder_ / "kept" / name)) << name;
  }
  EXPECT_THAT(read_text(folder_ / "kept/transcript.txt"), EndsWith("\nPASS: lab\n"));
  const auto environment = nlohmann::json::parse(read_text(folder_ / "kept/environment.json"));
  EXPECT_EQ(environment["actual_backend"]["kind"], "cpu");
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("tmp")));
  }
}

TEST_F(LabProgram, WithoutATpuRunsNothingAndWritesNothing) {
  refused("--mode tpu --out kept", 3, "no TPU here");
  EXPECT_FALSE(fs::exists(folder_ / "kept"));
}

TEST_F(LabProgram, RefusesEachBreachOfTheContract) {
  save("f.npy", Array(f32, {4, 4}));
  save("wide.npy", Array(f32, {4, 5}));
  save("cube.npy", Array(f32, {4, 4, 1}));
  save("none.npy", Array(f32, {0, 4}));
  save("ints.npy", Array(i32, {4, 4}));
  refused("--x cube.npy --y f.npy", 2, "x has shape (4, 4, 1)");
  refused("--x none.npy --y none.npy", 2, "x is empty");
  refused("--x f.npy --y wide.npy", 2, "x has shape (4, 4) and y (4, 5)");
  refused("--x ints.npy --y ints.npy", 2, "x is i32");
  refused("--x f.npy --y f.npy --dtype bf16", 2, "f.npy");
  refused("--x f.npy --y missing.npy", 2, "missing.npy");
  refused("--x f.npy", 2, "--x needs --y too");
  refused("--y f.npy", 2, "--y needs --x too");
  refused("--block 3x5", 2, "block 3x5 cannot be pipelined");
  refused("--block 8", 2, "block `8`");
  refused("--buffers 1", 2, "1 input slots");
  refused("--buffers 4", 2, "4 input slots");
  refused("--mode gpu", 2, "mode `gpu`");
  refused("--dtype f16", 2, "dtype `f16`");
  refused("--program fused", 2, "program `fused`");
}

TEST_F(LabProgram, SaysWhereTheEvidenceCannotBeKeptBeforeItRuns) {
  save("taken", Array(f32, {1, 1}));
  refused("--out taken", 2, "it is not a folder");
}

}  // namespace
}  // namespace millrace::lab
