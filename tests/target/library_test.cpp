// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "millrace/error.h"
#include "target/tpu/job.h"

namespace millrace::target {
namespace {

namespace fs = std::filesystem;

// A machine with Pythons in folders of its own.
class Libraries : public testing::Test {
 protected:
  Libraries() : root_(fs::path(testing::TempDir()) / "libraries_test") { fs::remove_all(root_); }
  ~Libraries() override { fs::remove_all(root_); }

  fs::path put(const fs::path& file) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << "x";
    return root_ / file;
  }
  fs::path put_libtpu(const std::string& prefix, const std::string& version) {
    const fs::path packages = prefix + "/lib/python3.11/site-packages";
    put(packages / ("libtpu-" + version + ".dist-info") / "METADATA");
    return put(packages / "libtpu" / "libtpu.so");
  }
  Library find(const std::string& given = "") {
    return find_libtpu(given,
                       {[&](const std::string& name) { return variables_[name]; }, root_ / "tree/build/bin/millrace"});
  }

  fs::path root_;
  std::map<std::string, std::string> variables_;
};

TEST_F(Libraries, WhatIsNamedWinsAndMustBeThere) {
  variables_["MILLRACE_LIBTPU"] = put_libtpu("a", "0.0.37").string();
  const fs::path given = put_libtpu("b", "0.0.40");
  EXPECT_EQ(find(given.string()).path, given.string());
  EXPECT_EQ(find(given.string()).version, "0.0.40");
  EXPECT_EQ(find().version, "0.0.37");
  try {
    find((root_ / "none.so").string());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_THAT(error.what(), testing::HasSubstr("there is no such file"));
  }
}

TEST_F(Libraries, OfPythonsTheBuildsOwnComesFirstThenTheActiveThenThePath) {
  put("c/bin/python3");
  const fs::path on_path = put_libtpu("c", "3");
  variables_["PATH"] = (root_ / "nowhere/bin").string() + ":" + (root_ / "c/bin").string();
  EXPECT_EQ(find().path, on_path.string());
  const fs::path active = put_libtpu("d", "4");
  variables_["VIRTUAL_ENV"] = (root_ / "d").string();
  EXPECT_EQ(find().path, active.string());
  const fs::path own = put_libtpu("tree/build-libtpu/venv", "5");
  EXPECT_EQ(find().path, own.string());
}

TEST_F(Libraries, WhereThereIsNoneTheAdviceSaysHowToGetIt) {
  try {
    find();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    for (const char* words :
         {"make libtpu", "pip install libtpu==0.0.37", "docs/tpu.md", "--libtpu", "nothing was compiled"})
      EXPECT_THAT(error.what(), testing::HasSubstr(words));
  }
}

TEST(Jobs, ComeBackAsTheyWereWritten) {
  const fs::path folder = fs::path(testing::TempDir()) / "jobs_test";
  fs::create_directories(folder);
  write_job(folder, CompileJob{"/lib", "v4:2x2x1", {{"a", "b"}, {"n", "", true, 7}}, 3});
  const Job compile = read_job(folder);
  ASSERT_TRUE(compile.compile);
  EXPECT_EQ(compile.compile->topology, "v4:2x2x1");
  EXPECT_EQ(compile.compile->flags.at(1).number, 7);
  EXPECT_EQ(compile.compile->repeat, 3);
  write_job(folder, RunJob{"/lib", "cpu", {"p.mlir"}, {{DType::bf16, {3, 4}}}, {{{DType::f32, {}}}}, 6, 9});
  const Job run = read_job(folder);
  ASSERT_TRUE(run.run);
  EXPECT_EQ(run.run->inputs.at(0).dtype, DType::bf16);
  EXPECT_EQ(run.run->outputs.at(0).at(0).shape, Shape{});
  EXPECT_EQ(run.run->samples, 9);
  Answer answer;
  answer.fault = PjrtFault{3, "words with \x01 and \xff in them"};
  answer.code_bytes = 12;
  answer.milliseconds = {{1.5}, {}};
  write_answer(folder, answer);
  const auto read = read_answer(folder);
  ASSERT_TRUE(read && read->fault);
  EXPECT_EQ(read->fault->message, "words with  and ? in them");
  EXPECT_EQ(read->code_bytes, 12);
  EXPECT_EQ(read->milliseconds, answer.milliseconds);
  fs::remove_all(folder);
}

TEST(Jobs, AnAnswerThatDoesNotReadIsNone) {
  const fs::path folder = fs::path(testing::TempDir()) / "answers_test";
  fs::create_directories(folder);
  EXPECT_FALSE(read_answer(folder));
  for (const char* text : {"", "{", "[]", "{\"stage\": 5}", "{\"stage\": \"load\"}"}) {
    std::ofstream(folder / "answer.json") << text;
    EXPECT_FALSE(read_answer(folder)) << text;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace millrace::target
