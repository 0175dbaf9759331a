// SPDX-License-Identifier: Apache-2.0
// Running a command as a reader of the README would, and a folder to do it in.
#pragma once

#include <filesystem>
#include <string>

namespace millrace::tidy {

struct Outcome {
  int exit_code;       // 128 + the signal's number where a signal ended it
  std::string output;  // stdout and stderr, as they came
};

Outcome run_shell(const std::filesystem::path& folder, const std::string& command);

// A fresh folder, removed with everything in it at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Quotes a word for sh.
std::string quoted(const std::string& word);

}  // namespace millrace::tidy
