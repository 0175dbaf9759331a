// SPDX-License-Identifier: Apache-2.0
// What is written, and what is left where it cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "millrace/array.h"
#include "refusal.h"
#include "scratch_folder.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using ::testing::StartsWith;
using NpyWrite = testing::ScratchFolder;

TEST_F(NpyWrite, GivesTheBytesThatNumpyGives) {
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  dict.resize(117, ' ');
  const std::string expected =
      std::string("\x93NUMPY\x01\x00v\x00", 10) + dict + "\n" + std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
  write_npy(in_folder("x.npy"), Array::from(std::vector<float>{1, -2}, {1, 2}));
  EXPECT_EQ(bytes_of(in_folder("x.npy")), expected);
}

TEST_F(NpyWrite, NamesEachTypeAsNumpyDoes) {
  const std::pair<DType, const char*> names[] = {{f32, "'<f4'"}, {f16, "'<f2'"}, {bf16, "'<u2'"}, {i8, "'|i1'"},
                                                 {i16, "'<i2'"}, {i32, "'<i4'"}, {u8, "'|u1'"},   {u16, "'<u2'"},
                                                 {u32, "'<u4'"}, {i1, "'|b1'"}};
  for (const auto& [type, name] : names) {
    write_npy(in_folder("x.npy"), Array(type, {1}));
    EXPECT_THAT(bytes_of(in_folder("x.npy")), HasSubstr(name));
  }
}

TEST_F(NpyWrite, AlignsTheDataTo64Bytes) {
  std::vector<Shape> shapes = {{}, {0}, {1, 0, 123'456'789}, Shape(32, 1)};
  Shape deep;
  for (int i = 0; i < 32; ++i) shapes.push_back(deep = (deep.push_back(1), deep));
  for (const Shape& shape : shapes) {
    const Array array(u8, shape);
    write_npy(in_folder("x.npy"), array);
    const std::string bytes = bytes_of(in_folder("x.npy"));
    const std::size_t header = bytes.size() - array.bytes();
    EXPECT_EQ(header % 64, 0u) << to_string(shape);
    EXPECT_EQ(bytes[header - 1], '\n') << to_string(shape);
  }
}

TEST_F(NpyWrite, ReplacesWhatWasThereAndLeavesNothingElse) {
  put("x.npy", "something old");
  write_npy(in_folder("x.npy"), Array::linspace(0, 1, 3));
  EXPECT_TRUE(same_bits(read_npy(in_folder("x.npy")), Array::linspace(0, 1, 3)));
  EXPECT_EQ(files(), 1u);
}

TEST_F(NpyWrite, LeavesTheTemporaryFileOfSomebodyElseAlone) {
  put("x.npy.tmp0", "not ours");
  write_npy(in_folder("x.npy"), Array::linspace(0, 1, 3));
  EXPECT_EQ(bytes_of(in_folder("x.npy.tmp0")), "not ours");
  EXPECT_EQ(files(), 2u);
}

TEST_F(NpyWrite, GivesTheFileTheUsualPermissions) {
  const auto before = ::umask(022);
  write_npy(in_folder("x.npy"), Array());
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(in_folder("x.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0644u);
}

TEST_F(NpyWrite, RefusesAFolderThatIsNotThere) {
  const auto path = in_folder("none") / "x.npy";
  EXPECT_EQ(refusal([&] { write_npy(path, Array()); }),
            path.string() + " cannot be written: No such file or directory");
  EXPECT_EQ(files(), 0u);
}

TEST_F(NpyWrite, RefusesWhatIsNoRegularFile) {
  EXPECT_EQ(refusal([&] { write_npy(folder_, Array()); }), folder_.string() + " cannot be written: it is a directory");
  const auto pipe = in_folder("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal([&] { write_npy(pipe, Array()); }), pipe.string() + " cannot be written: it is not a regular file");
  EXPECT_EQ(files(), 1u);
}

TEST_F(NpyWrite, KeepsTheOldFileAndRemovesItsOwnWhereTheDiskIsFull) {
  const auto path = put("x.npy", "something old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4'096, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // so that writing fails instead of ending the process
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string sentence = refusal([&] { write_npy(path, Array(f32, {100'000})); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(sentence, path.string() + " cannot be written: File too large");
  EXPECT_EQ(bytes_of(path), "something old");
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace millrace
