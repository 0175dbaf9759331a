// SPDX-License-Identifier: Apache-2.0
// An empty folder that lives as long as one test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace millrace::testing {

class ScratchFolder : public ::testing::Test {
 protected:
  ScratchFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("millrace_") + test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~ScratchFolder() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path in_folder(std::string_view name) const { return folder_ / name; }

  std::filesystem::path put(std::string_view name, std::string_view bytes) const {
    std::ofstream(in_folder(name), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return in_folder(name);
  }

  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

}  // namespace millrace::testing
