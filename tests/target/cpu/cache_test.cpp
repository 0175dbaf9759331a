// SPDX-License-Identifier: Apache-2.0
// Compiled kernels are kept on disk, and what is damaged there is compiled again. Each test compiles a kernel that no
// other one does, since what is in memory is found first.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "millrace/millrace.h"
#include "target/cpu/cache.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

class CpuCache : public testing::Test {
 protected:
  CpuCache() : folder_(fs::temp_directory_path() / ("millrace_cache_" + std::to_string(::getpid()))) {
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    ::setenv("MILLRACE_CACHE", "on", 1);
  }
  ~CpuCache() override {
    ::setenv("MILLRACE_CACHE", "off", 1);
    fs::remove_all(folder_);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (fs::is_directory(folder_ / "millrace"))
      for (const auto& entry : fs::directory_iterator(folder_ / "millrace")) all.push_back(entry.path());
    return all;
  }

  fs::path folder_;
};

Kernel times(float factor) {
  const BlockSpec all{{8, 128}, [](Index) { return block(0, 0); }};
  return grid_kernel("times", [=](Ref x, Ref out) { out.store(factor * x.load()); },
                     {.grid = {1}, .in = {all}, .out = {all}});
}

const Array& input() {
  static const Array x = Array::linspace(0, 1023, 1024).reshaped({8, 128});
  return x;
}

TEST_F(CpuCache, KeepsObjectsUnderTheirHash) {
  const NativeKernel first(times(3.5f), {input()});
  EXPECT_FALSE(first.from_cache());
  EXPECT_EQ(files().size(), 1u);
  EXPECT_TRUE(NativeKernel(times(3.5f), {input()}).from_cache());  // in memory
  EXPECT_FALSE(NativeKernel(times(4.5f), {input()}).from_cache());
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(CpuCache, GivesBackWhatWasStored) {
  cpu::store_object("some key", "an object");
  EXPECT_EQ(cpu::cached_object("some key"), "an object");
  EXPECT_EQ(cpu::cached_object("another key"), "");
}

TEST_F(CpuCache, TakesADamagedFileForNone) {
  cpu::store_object("some key", "an object");
  ASSERT_EQ(files().size(), 1u);
  fs::resize_file(files()[0], fs::file_size(files()[0]) - 1);
  EXPECT_EQ(cpu::cached_object("some key"), "");
  std::ofstream(files()[0], std::ios::binary) << "nothing";
  EXPECT_EQ(cpu::cached_object("some key"), "");
}

TEST_F(CpuCache, OffLeavesTheDiskAlone) {
  ::setenv("MILLRACE_CACHE", "off", 1);
  const NativeKernel kernel(times(5.5f), {input()});
  EXPECT_TRUE(files().empty());
  EXPECT_TRUE(same_bits(kernel.run({input()})[0], run(times(5.5f), {input()})[0]));
}

TEST_F(CpuCache, DependsOnTheCpuAndTheModule) {
  EXPECT_EQ(cpu::key_of("m", "c"), cpu::key_of("m", "c"));
  EXPECT_NE(cpu::key_of("m", "c"), cpu::key_of("m", "d"));
  EXPECT_NE(cpu::key_of("m", "c"), cpu::key_of("n", "c"));
}

}  // namespace
}  // namespace millrace
