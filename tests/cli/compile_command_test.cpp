// SPDX-License-Identifier: Apache-2.0
// `millrace compile`, and runs on a TPU that is not there, as one types them. A plugin of the tests' own stands in for
// the TPU compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace millrace {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

const std::string kAxpy = MILLRACE_SOURCE_DIR "/tests/target/axpy.mlir";
const std::string kCase = MILLRACE_SOURCE_DIR "/tests/data/kernels/f32_sync";

// `where`: options and arguments; the environment names no library but this.
Outcome compile(const std::string& behaviour, const std::string& where, const Folder& folder) {
  ::setenv("MILLRACE_FAKE", behaviour.c_str(), 1);
  ::setenv("MILLRACE_FAKE_DUMPS", MILLRACE_SOURCE_DIR "/tests/target/dumps", 1);
  return testing::millrace("compile --libtpu " MILLRACE_FAKE_PLUGIN " " + where, folder);
}

TEST(Compile, AnAcceptedKernelEndsWithZeroAndItsFigures) {
  const Folder folder;
  const Outcome o = compile("is good", kAxpy + " --chip v5e", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, HasSubstr("axpy of " + kAxpy +
                               ", compiled by libtpu (version unknown); nothing was run\n"
                               "v5e (TPU v5 lite): accepted, 44544 bytes of code\n"
                               "  14 bundles, 5 of them empty; a step of its main loop takes 11, 9 passes\n"
                               "  slots used: VALU 2 (3.6 %), VLOAD 2 (4.8 %), VSTORE 1 (7.1 %), SALU 6 (21.4 %)\n"
                               "  VMEM: 24576 bytes (8192 scoped, 8192 scoped, 8192 scoped); modeled 24576, limit "
                               "16777216\n"
                               "  rules of this chip: nothing broken\n"));
  EXPECT_THAT(o.out, HasSubstr("Bundles are no time"));
}

TEST(Compile, ARefusalEndsWithOneAndNamesThePlace) {
  const Folder folder;
  const Outcome o = compile("refuses", kAxpy, folder);
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, HasSubstr("v5e (TPU v5 lite): refused: E2003: cannot statically prove"));
  EXPECT_THAT(o.out, HasSubstr("  --> compute.py:396:31\n"));
  EXPECT_THAT(o.out, HasSubstr("nothing broken -- the compiler differs"));
}

TEST(Compile, ACompilerThatDiesOrHangsEndsWithOne) {
  const Folder folder;
  const Outcome dead = compile("aborts", kAxpy, folder);
  EXPECT_EQ(dead.code, 1);
  EXPECT_THAT(dead.out, HasSubstr("died: the compiler ended with SIGABRT"));
  const Outcome hung = compile("hangs", kAxpy + " --timeout 1", folder);
  EXPECT_EQ(hung.code, 1);
  EXPECT_THAT(hung.out, HasSubstr("timed out: no answer in 1 s"));
}

TEST(Compile, ForAllChipsIsATable) {
  const Folder folder;
  const Outcome o = compile("is good", kAxpy + " --all-chips", folder);
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* chip : {"\nv2 ", "\nv3 ", "\nv4 ", "\nv5e ", "\nv5p ", "\nv6e ", "\ntpu7x "})
    EXPECT_THAT(o.out, HasSubstr(chip));
  EXPECT_THAT(o.out, HasSubstr("chip   verdict        code  bundles   a step  passes       VMEM    modeled  rules\n"));
  EXPECT_EQ(compile("is good", kAxpy + " --all-chips --chip v4", folder).code, 2);
}

TEST(Compile, TakesACaseFolderAndKeepsWhatItIsAskedToKeep) {
  const Folder folder;
  const Outcome o = compile("is good", kCase + " --json --dump kept --receipt receipt.json", folder);
  ASSERT_EQ(o.code, 0) << o.err;
  const auto json = nlohmann::json::parse(o.out);
  EXPECT_EQ(json["execution"], "compiled");
  EXPECT_TRUE(json["device"].is_null());
  EXPECT_EQ(json["chips"][0]["compiled_for"], "v5e");
  EXPECT_EQ(json["configuration"]["operands"].size(), 2u);
  EXPECT_EQ(testing::read_text(folder / "receipt.json"), o.out);
  EXPECT_THAT(testing::read_text(folder / "kept/program.mlir"), HasSubstr("@tpu_custom_call"));
  EXPECT_EQ(compile("is good", kCase + " --dump kept", folder).code, 2) << "the folder is in use";
}

TEST(Compile, WhatCannotBeAskedIsSaid) {
  const Folder folder;
  EXPECT_EQ(compile("is good", kAxpy + " --chip v9", folder).code, 2);
  EXPECT_EQ(compile("is good", "nowhere.mlir", folder).code, 2);
  EXPECT_EQ(compile("is good", kAxpy + " --input-shape 24x384", folder).code, 2) << "all inputs, or none";
  EXPECT_EQ(compile("is good", kAxpy + " --timeout 0", folder).code, 2);
  EXPECT_EQ(compile("does not initialise", kAxpy, folder).code, 3);
  EXPECT_EQ(testing::millrace("compile " + kAxpy + " --libtpu none.so", folder).code, 2);
  EXPECT_EQ(testing::millrace("compile " + kAxpy + " --libtpu " MILLRACE_SOURCE_DIR "/README.md", folder).code, 2);
}

TEST(Compile, TheLabKeepsAPanelOfItsTiles) {
  const Folder folder;
  ::setenv("MILLRACE_FAKE", "is good", 1);
  const std::string library = " --libtpu " MILLRACE_FAKE_PLUGIN;
  const Outcome o = testing::millrace("lab --out kept --compiled-for v5e,tpu7x" + library, folder);
  ASSERT_EQ(o.code, 0) << o.err;
  const auto panel = nlohmann::json::parse(testing::read_text(folder / "kept/compiled_for.json"));
  EXPECT_EQ(panel["execution"], "compiled");
  ASSERT_EQ(panel["tiles"].size(), 5u);
  EXPECT_EQ(panel["tiles"][0]["modeled_vmem"], 24576);
  EXPECT_EQ(panel["tiles"][4]["chips"][1]["compiled_for"], "tpu7x");
  EXPECT_EQ(panel["tiles"][4]["chips"][1]["step_bundles"], 11);
  EXPECT_THAT(testing::read_text(folder / "kept/compiled_for.txt"), HasSubstr("no run time"));
  EXPECT_EQ(testing::millrace("lab --compiled-for v5e" + library, folder).code, 2) << "without --out";
  // The page has the panel, and is of the kernel that lies beside it.
  const std::string page = testing::read_text(folder / "kept/report.html");
  EXPECT_THAT(page,
              HasSubstr("\"compiled\":" +
                        nlohmann::ordered_json::parse(testing::read_text(folder / "kept/compiled_for.json")).dump()));
  EXPECT_EQ(testing::millrace("check kept/kernel/kernel.mlirbc --input kept/kernel/in0.npy --input kept/kernel/in1.npy "
                              "--output-shape 24x384",
                              folder)
                .code,
            0);
}

TEST(Compile, AReportShowsWhatTheCompilerMakesOfItsKernel) {
  const Folder folder;
  ::setenv("MILLRACE_FAKE", "is good", 1);
  const std::string kernel = "view " + kCase + " --libtpu " MILLRACE_FAKE_PLUGIN;
  ASSERT_EQ(testing::millrace(kernel + " --html a.html --compiled-for v5e,v6e,tpu7x", folder).code, 0);
  const std::string page = testing::read_text(folder / "a.html");
  EXPECT_THAT(page, HasSubstr("\"compiled\":{\"execution\":\"compiled\",\"device\":null"));
  for (const char* chip : {"v5e", "v6e", "tpu7x"})
    EXPECT_THAT(page, HasSubstr("{\"compiled_for\":\"" + std::string(chip) + "\",\"verdict\":\"accepted\""));
  EXPECT_THAT(page, HasSubstr("Bundles are no time."));
  ASSERT_EQ(testing::millrace(kernel + " --html b.html", folder).code, 0);
  EXPECT_THAT(testing::read_text(folder / "b.html"), HasSubstr("\"compiled\":null"));
  EXPECT_EQ(testing::millrace(kernel + " --compiled-for v5e", folder).code, 2) << "without --html";
  EXPECT_EQ(testing::millrace(kernel + " --html c.html --compiled-for v9", folder).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "c.html"));
}

TEST(Compile, TheWorkersCommandIsNotForPeople) {
  const Folder folder;
  EXPECT_THAT(testing::millrace("--help", folder).out, Not(HasSubstr("target-worker")));
  EXPECT_THAT(testing::millrace("compyle", folder).err, Not(HasSubstr("target-worker")));
  EXPECT_EQ(testing::millrace("target-worker nowhere", folder).code, 2);
}

// No TPU: one sentence, no file, and no waiting.
TEST(OnATpu, WithoutOneNothingIsRunOrWritten) {
  const Folder folder;
  for (const char* library : {" --libtpu " MILLRACE_FAKE_PLUGIN, ""}) {
    for (const std::string& command :
         {std::string("lab --mode tpu --out kept"),
          "run " + kAxpy + " --target tpu --fill zeros --output out.npy --receipt r.json"}) {
      ::setenv("MILLRACE_FAKE", "is good", 1);
      const Outcome o = testing::millrace(command + library, folder);
      EXPECT_EQ(o.code, 3) << command;
      EXPECT_EQ(o.out, "");
      EXPECT_THAT(o.err, HasSubstr("no TPU here"));
      EXPECT_THAT(o.err, HasSubstr("nothing was run and no receipt written"));
      EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << command;
    }
  }
}

TEST(OnATpu, AReceiptIsForWhatIsMeasured) {
  const Folder folder;
  EXPECT_EQ(testing::millrace("run " + kAxpy + " --fill zeros --receipt r.json", folder).code, 2);
}

}  // namespace
}  // namespace millrace
