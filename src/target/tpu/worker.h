// SPDX-License-Identifier: Apache-2.0
// The other side of child.h: carries out the job that lies in a folder, in this process, with a plugin that may end it.
#pragma once

#include <filesystem>
#include <fstream>

#include "target/tpu/job.h"

namespace millrace::target {

// Leaves answer.json, whatever the plugin says. The exit code of the process: 0 where there is an answer.
int work(const std::filesystem::path& folder);

// Where a worker is, for whoever finds it dead.
class Stages {
 public:
  explicit Stages(const std::filesystem::path& folder) : file_(folder / "stage") {}
  void enter(const char* stage) {
    now_ = stage;
    file_ << stage << std::endl;
  }
  const std::string& now() const { return now_; }

 private:
  std::string now_;
  std::ofstream file_;
};

double seconds_now();  // of a steady clock

void compile(const Plugin& plugin, const CompileJob& job, const std::filesystem::path& folder, Stages& stages,
             Answer& answer);
void execute(const Plugin& plugin, const RunJob& job, const std::filesystem::path& folder, Stages& stages,
             Answer& answer);

std::string program_text(const std::filesystem::path& file);

}  // namespace millrace::target
