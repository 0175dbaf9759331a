// SPDX-License-Identifier: Apache-2.0
// run, case, inspect and convert as one types them: streams, exit codes, files. What they do is tested in tests/front.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "millrace/array.h"

namespace millrace::cli {
namespace {

using millrace::testing::Folder;
using millrace::testing::Outcome;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

const std::string kTests = MILLRACE_SOURCE_DIR "/tests/";
const std::string kTwo = kTests + "data/stablehlo/two.mlir";

TEST(RunCommand, WritesItsOutputAndSaysSo) {
  const Folder folder;
  const Outcome o = millrace::testing::millrace("run " + kTwo + " --kernel scale --fill iota --output out.npy", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("out0: f32 (24, 128), in out.npy\n"));
  EXPECT_THAT(o.err, IsEmpty());
  EXPECT_EQ(read_npy(folder / "out.npy").at({1, 1}), 258);
}

TEST(RunCommand, TellsJson) {
  const Folder folder;
  const Outcome o =
      millrace::testing::millrace("run " + kTwo + " --kernel 1 --fill normal:7 --schedule random:3 --json", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["schedule"], "random:3");
  EXPECT_EQ(json["target"], "simulator");
  EXPECT_EQ(json["outputs"][0]["shape"], Json({24, 128}));
  EXPECT_TRUE(json["outputs"][0]["file"].is_null());
  EXPECT_GT(json["work"]["dmas"], 0);
}

TEST(RunCommand, ExitsByTheKindOfError) {
  const Folder folder;
  const auto code = [&](const std::string& words) {
    const Outcome o = millrace::testing::millrace("run " + words, folder);
    EXPECT_THAT(o.out, IsEmpty()) << words;
    EXPECT_THAT(o.err, HasSubstr("millrace: ")) << words;
    return o.code;
  };
  EXPECT_EQ(code("none.mlir"), 2);
  EXPECT_EQ(code(kTwo), 2);
  EXPECT_EQ(code(kTwo + " --kernel scale"), 2);
  EXPECT_EQ(code(kTwo + " --kernel scale --fill iota --alias 1"), 2);
  EXPECT_EQ(code(kTwo + " --kernel scale --fill iota --output-shape 24x"), 2);
  EXPECT_EQ(code(kTwo + " --kernel scale --fill iota --dtype f99"), 2);
  EXPECT_EQ(code(kTwo + " --kernel scale --fill iota --max-bytes 100"), 2);
  EXPECT_EQ(code(kTwo + " --kernel scale --fill iota --target tpu"), 3);
  EXPECT_EQ(code(kTwo + " --kernel scale --fill iota --cores 65"), 2);
}

TEST(RunCommand, EndsWithOneWhereTheKernelDoesNotAndWritesNothing) {
  const Folder folder;
  const Outcome o = millrace::testing::millrace(
      "run " + kTests + "cases/faults_small/dma_awaited_twice/kernel.mlirbc --fill zeros --output out.npy", folder);
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, IsEmpty());
  EXPECT_THAT(o.err, HasSubstr("millrace: deadlock: "));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.npy"));
}

TEST(CaseCommand, CountsAndExitsByIt) {
  const Folder folder;
  const std::string good = kTests + "cases/kernels_small/alias_in_place";
  const Outcome passed = millrace::testing::millrace("case " + good, folder);
  EXPECT_EQ(passed.code, 0);
  EXPECT_EQ(passed.out, "passed alias_in_place\n1 passed, 0 failed\n");
  std::filesystem::copy(good, folder / "bad");
  std::filesystem::remove(folder / "bad/out0.npy");
  const Outcome failed = millrace::testing::millrace("case bad " + good + " --jobs 2", folder);
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.out, HasSubstr("FAILED alias_in_place: bad/out0.npy does not exist\n"));
  EXPECT_THAT(failed.out, EndsWith("\n1 passed, 1 failed\n"));
  const Json json = Json::parse(millrace::testing::millrace("case bad --json", folder).out);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["cases"][0]["passed"], false);
  EXPECT_EQ(millrace::testing::millrace("case nowhere", folder).code, 2);
  EXPECT_EQ(millrace::testing::millrace("case bad --schedule fast", folder).code, 2);
}

// case.json says what the options of a bare module would.
TEST(RunCommand, TakesACaseFolderWithItsArraysAliasesAndDevices) {
  const Folder folder;
  const Outcome two = millrace::testing::millrace("run " + kTests + "cases/two_cores/two_cores_store_own_rows", folder);
  EXPECT_EQ(two.code, 0) << two.err;
  const std::string alias = kTests + "cases/kernels_small/alias_in_place";
  EXPECT_EQ(millrace::testing::millrace("run " + alias + " --output out.npy", folder).code, 0);
  EXPECT_TRUE(same_bits(read_npy(folder / "out.npy"), read_npy(alias + "/out0.npy")));
  const Outcome o = millrace::testing::millrace("run " + alias + " --fill iota", folder);
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(o.err, HasSubstr("is a case folder, whose case.json says what --fill would: leave it out"));
  EXPECT_EQ(millrace::testing::millrace("run " + alias + " --cores 2", folder).code, 2);
  EXPECT_EQ(millrace::testing::millrace("run " + alias + "/.. --output out.npy", folder).code, 2);
  EXPECT_THAT(millrace::testing::millrace("inspect " + alias, folder).out, HasSubstr("kernel"));
}

TEST(InspectCommand, ShowsAModuleAsTextAndJson) {
  const Folder folder;
  const std::string words = "inspect " + kTwo + " --kernel accumulate";
  EXPECT_THAT(millrace::testing::millrace(words, folder).out, HasSubstr("kernel accumulate\nform: bytecode, stable"));
  EXPECT_EQ(Json::parse(millrace::testing::millrace(words + " --json", folder).out)["operands"].size(), 3u);
  EXPECT_EQ(millrace::testing::millrace("inspect " + kTwo, folder).code, 2);
}

TEST(ConvertCommand, WritesAModuleThatRuns) {
  const Folder folder;
  EXPECT_EQ(millrace::testing::millrace("convert " + kTwo + " k.mlir --kernel scale --names plain", folder).code, 0);
  const Outcome o = millrace::testing::millrace("run k.mlir --fill iota", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("out0: f32 (24, 128)\n"));
  EXPECT_EQ(millrace::testing::millrace("convert k.mlir b --serde-version 2", folder).code, 3);
  EXPECT_EQ(millrace::testing::millrace("convert k.mlir b --form xml", folder).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
}

// As bytes say it: MLIR's bytecode begins with "ML" and an odd third one.
bool is_bytecode(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  char head[2] = {};
  in.read(head, 2);
  return head[0] == 'M' && head[1] == 'L';
}

TEST(ConvertCommand, TheFormIsThatOfTheNameUnlessSaid) {
  const Folder folder;
  const std::string words = "convert " + kTwo + " --kernel scale ";
  EXPECT_EQ(millrace::testing::millrace(words + "k.mlir", folder).code, 0);
  EXPECT_EQ(millrace::testing::millrace(words + "k.mlirbc", folder).code, 0);
  EXPECT_EQ(millrace::testing::millrace(words + "said.mlir --form bytecode", folder).code, 0);
  EXPECT_FALSE(is_bytecode(folder / "k.mlir"));
  EXPECT_TRUE(is_bytecode(folder / "k.mlirbc"));
  EXPECT_TRUE(is_bytecode(folder / "said.mlir"));
}

}  // namespace
}  // namespace millrace::cli
