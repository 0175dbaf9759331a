// SPDX-License-Identifier: Apache-2.0
// The way from a kernel's call to an answer, through a child process and a plugin that behaves in every way it can.
#include "target/tpu/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "millrace/error.h"

namespace millrace::target {
namespace {

using testing::HasSubstr;

class Compiling : public testing::Test {
 protected:
  ~Compiling() override {
    ::unsetenv("MILLRACE_FAKE");
    ::unsetenv("MILLRACE_FAKE_DUMPS");
  }

  Compiled compiled(const std::string& behaviour, double timeout = 60) {
    ::setenv("MILLRACE_FAKE", behaviour.c_str(), 1);
    KernelCall call{"axpy", "the body", {{mosaic::Element::kF32, {24, 384}}}, {{mosaic::Element::kF32, {24, 384}}}};
    return compile({{MILLRACE_FAKE_PLUGIN, ""}, "v5e", call, {MILLRACE_BINARY, timeout}});
  }

  // The error where nothing is said about the kernel.
  Error unusable(const std::string& behaviour) {
    try {
      compiled(behaviour);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "`" << behaviour << "` gave an answer";
    return {ErrorCode::kInternal, ""};
  }
};

TEST_F(Compiling, AnAcceptedKernelHasItsFiguresFromTheDumps) {
  ::setenv("MILLRACE_FAKE_DUMPS", MILLRACE_SOURCE_DIR "/tests/target/dumps", 1);
  const Compiled c = compiled("is good");
  EXPECT_EQ(c.verdict, Verdict::kAccepted) << c.diagnosis.reason;
  EXPECT_EQ(c.code_bytes, 44544);
  EXPECT_EQ(c.api_minor, 98);
  EXPECT_EQ(c.topology, "v5e:2x2");
  ASSERT_TRUE(c.dumps.bundles && c.dumps.vmem && c.dumps.utilisation && c.dumps.schedule);
  EXPECT_EQ(c.dumps.bundles->bundles, 14);
  EXPECT_EQ(c.dumps.vmem->total, 24576);
  EXPECT_TRUE(c.notes.empty());
}

TEST_F(Compiling, WithoutDumpsTheFiguresAreAbsentAndSaidToBe) {
  const Compiled c = compiled("is good");
  EXPECT_EQ(c.verdict, Verdict::kAccepted);
  EXPECT_FALSE(c.dumps.bundles || c.dumps.vmem || c.dumps.utilisation);
  ASSERT_EQ(c.notes.size(), 1u);
  EXPECT_THAT(c.notes[0], HasSubstr("could not be read"));
}

TEST_F(Compiling, ARefusalHasReasonNumberAndPlace) {
  const Compiled c = compiled("refuses");
  EXPECT_EQ(c.verdict, Verdict::kRefused);
  EXPECT_EQ(c.status, 13);
  EXPECT_EQ(c.diagnosis.error, "E2003");
  EXPECT_EQ(c.diagnosis.reason, "E2003: cannot statically prove that index in dimension 0 is a multiple of 8");
  EXPECT_EQ(c.diagnosis.place.file, "compute.py");
  EXPECT_EQ(c.diagnosis.place.line, 396);
  EXPECT_FALSE(c.code_bytes);
}

TEST_F(Compiling, ARefusalWithoutAWordIsStillOne) {
  const Compiled c = compiled("refuses without a word");
  EXPECT_EQ(c.verdict, Verdict::kRefused);
  EXPECT_EQ(c.diagnosis.reason, "internal, without a word");
}

TEST_F(Compiling, ACompilerThatAbortsIsAnAnswerWithItsLastWords) {
  const Compiled c = compiled("aborts");
  EXPECT_EQ(c.verdict, Verdict::kDied);
  EXPECT_EQ(
      c.diagnosis.reason,
      "the compiler ended with SIGABRT (while it was at: compile); its last words: layout.h:320] Check failed: 1 == 2 "
      "(1 vs. 2)");
}

TEST_F(Compiling, ACompilerThatHangsIsGivenUp) {
  const Compiled c = compiled("hangs", 1);
  EXPECT_EQ(c.verdict, Verdict::kTimedOut);
  EXPECT_EQ(c.diagnosis.reason, "no answer in 1 s (while it was at: compile); its last words: still thinking");
}

TEST_F(Compiling, ACompilerThatEndsItsProcessHasNotAnswered) {
  EXPECT_EQ(compiled("ends quietly").verdict, Verdict::kDied);
  EXPECT_THAT(compiled("ends quietly").diagnosis.reason, HasSubstr("without a readable answer"));
  EXPECT_THAT(compiled("gives up").diagnosis.reason, HasSubstr("with status 7"));
}

TEST_F(Compiling, AForgedAnswerIsNotBelieved) {
  const Compiled c = compiled("forges an answer");
  EXPECT_EQ(c.verdict, Verdict::kDied);
  EXPECT_THAT(c.diagnosis.reason, HasSubstr("without a readable answer"));
}

TEST_F(Compiling, SuccessWithoutAnExecutableIsARefusal) {
  const Compiled c = compiled("gives no executable");
  EXPECT_EQ(c.verdict, Verdict::kRefused);
  EXPECT_THAT(c.diagnosis.reason, HasSubstr("no executable"));
}

TEST_F(Compiling, ASizeThatCannotBeIsLeftOutWithANote) {
  const Compiled c = compiled("lies about the size");
  EXPECT_EQ(c.verdict, Verdict::kAccepted);
  EXPECT_FALSE(c.code_bytes);
  EXPECT_THAT(c.notes.front(), HasSubstr("-5 bytes"));
}

TEST_F(Compiling, APluginThatDoesNotGetSoFarSaysNothingAboutTheKernel) {
  const auto unsupported = [&](const std::string& behaviour, const std::string& words) {
    const Error error = unusable(behaviour);
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported) << behaviour;
    EXPECT_THAT(error.what(), HasSubstr(words)) << behaviour;
  };
  unsupported("dies at once", "SIGABRT (while it was at: initialise)");
  unsupported("does not initialise", "initialise fails: the lock is taken");
  unsupported("knows no topology", "no such topology: v5e:2x2");
  unsupported("is of another age", "speaks PJRT 1.98");
  unsupported("has a short table", "a table of 200 bytes");
  unsupported("leaves compiling out", "leaves function 89");
  EXPECT_EQ(unusable("has no table").code(), ErrorCode::kUser);
}

TEST_F(Compiling, AFileThatIsNoPluginIsTheUsersMistake) {
  const auto error_for = [](const std::string& library) -> std::string {
    KernelCall call{"axpy", "", {}, {{mosaic::Element::kF32, {8}}}};
    try {
      compile({{library, ""}, "v5e", call, {MILLRACE_BINARY, 60}});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUser);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_for(MILLRACE_SOURCE_DIR "/README.md"), HasSubstr("cannot be loaded"));
  EXPECT_THAT(error_for(MILLRACE_EMPTY_PLUGIN), HasSubstr("no GetPjrtApi"));
}

TEST_F(Compiling, WhatIsKeptLiesInTheFolderThatWasNamed) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "kept by a test";
  std::filesystem::remove_all(folder);
  ::setenv("MILLRACE_FAKE", "is good", 1);
  ::setenv("MILLRACE_FAKE_DUMPS", MILLRACE_SOURCE_DIR "/tests/target/dumps", 1);
  KernelCall call{"axpy", "", {}, {{mosaic::Element::kF32, {8}}}};
  const CompileRequest request{{MILLRACE_FAKE_PLUGIN, ""}, "v5e", call, {MILLRACE_BINARY, 60}, folder};
  compile(request);
  EXPECT_TRUE(std::filesystem::exists(folder / "program.mlir"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "dumps"));
  EXPECT_THROW(compile(request), Error) << "the folder is in use";
  std::filesystem::remove_all(folder);
}

// Whoever holds the lock of another process must not be asked for: each compile stands alone.
TEST(Environment, OfACompileIsOurOwnButForWhatSteersACompiler) {
  const auto made = compile_environment({"COLOUR=blue", "TPU_NAME=mine", "LIBTPU_INIT_ARGS=--x", "XLA_FLAGS=--y"});
  EXPECT_THAT(made, testing::Contains("COLOUR=blue"));
  EXPECT_THAT(made, testing::Contains("ALLOW_MULTIPLE_LIBTPU_LOAD=1"));
  EXPECT_THAT(made, testing::Contains("TPU_SKIP_MDS_QUERY=1"));
  EXPECT_THAT(made, testing::Contains(HasSubstr("LIBTPU_INIT_ARGS=--xla_jf_dump_to=dumps ")));
  EXPECT_THAT(made, testing::Not(testing::Contains(HasSubstr("TPU_NAME"))));
  EXPECT_THAT(made, testing::Not(testing::Contains(HasSubstr("--x "))));
  EXPECT_THAT(made, testing::Not(testing::Contains(HasSubstr("XLA_FLAGS"))));
}

TEST(LastWords, AreTheFailedCheckOrElseTheLastLine) {
  EXPECT_EQ(last_words("one\nF0101 00:00:00.1 7 a.cc:3] Check failed: x\n@ 0x1\nE0101 core dumped\n"),
            "a.cc:3] Check failed: x");
  EXPECT_EQ(last_words("one\ntwo\n\n"), "two");
  EXPECT_EQ(last_words(""), "");
}

}  // namespace
}  // namespace millrace::target
