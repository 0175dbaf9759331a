// SPDX-License-Identifier: Apache-2.0
// Event streams kept as files: they are the same on every compiler and every machine. Where a change of the machine or
// of the lowering is meant to change them, run `MILLRACE_UPDATE_GOLDEN=1 build/bin/test_machine --gtest_filter=Golden*`
// and look at the difference before keeping it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cases.h"
#include "runs.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

struct Golden {
  const char* kernel;
  const char* schedule;
  const char* file;
};

class Streams : public testing::TestWithParam<Golden> {};

TEST_P(Streams, AreGoldenByteForByte) {
  const fs::path data = fs::path(MILLRACE_SOURCE_DIR) / "tests/data";
  const Case c = read_case(data / "kernels" / GetParam().kernel);
  const std::string stream = run(c.module, c.inputs, c.outputs, {GetParam().schedule}).stream;
  const fs::path file = data / "golden" / GetParam().file;
  if (std::getenv("MILLRACE_UPDATE_GOLDEN")) {
    std::ofstream(file, std::ios::binary) << stream;
    GTEST_SKIP() << "wrote " << file;
  }
  std::ifstream kept(file, std::ios::binary);
  ASSERT_TRUE(kept) << file;
  std::stringstream text;
  text << kept.rdbuf();
  EXPECT_EQ(stream, text.str());
}

INSTANTIATE_TEST_SUITE_P(Golden, Streams,
                         testing::Values(Golden{"double_buffer_by_hand", "canonical", "double_buffer_by_hand.txt"},
                                         Golden{"accumulate_last_dim", "lazy", "accumulate_last_dim.txt"},
                                         Golden{"semaphore_array", "random:1", "semaphore_array.txt"}));

}  // namespace
}  // namespace millrace::test
