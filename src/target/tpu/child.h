// SPDX-License-Identifier: Apache-2.0
// One job in a process of its own, with a time limit: a compiler that aborts, hangs or ends quietly is a result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "target/tpu/job.h"

namespace millrace::target {

// A fresh folder below the system's temporary one, gone with the object unless it was given.
class WorkFolder {
 public:
  // Empty: a temporary one. Else that one, made where it is missing; Error(kUser) where it holds something.
  explicit WorkFolder(const std::filesystem::path& given = {});
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool temporary_;
};

// How a worker's process ended.
struct Ended {
  enum class How { kAnswered, kExited, kKilled, kTimedOut };
  How how = How::kExited;
  int status = 0;          // exit status, or the signal
  std::string stage;       // the last one it entered: "load", "compile", ...
  std::string last_words;  // a line that says why, as far as it printed one
  std::optional<Answer> answer;
};

struct Worker {
  std::string program;  // an executable that takes `target-worker FOLDER`: millrace itself
  double timeout_seconds = 120;
};

// The variables of a worker's process: ours, without what would steer a compiler from outside; of an ahead-of-time
// compile, with what it needs on a machine without a TPU, and dumps into `dumps` in the worker's folder.
std::vector<std::string> compile_environment(const std::vector<std::string>& ours);
// Of a run; `off_cloud` where there is no TPU to be seen, so that nothing waits for a cloud's servers.
std::vector<std::string> run_environment(const std::vector<std::string>& ours, bool off_cloud);
std::vector<std::string> environment_of_this_process();

// The folder holds the job. Error(kInternal) where no process can be started.
Ended run_worker(const Worker& worker, const std::filesystem::path& folder,
                 const std::vector<std::string>& environment);

// The end of a worker that did not answer, as a clause: "the compiler ended with SIGABRT (while it was at: compile);
// its last words: ...".
std::string how_it_ended(const Ended& ended, double timeout_seconds);

// What to show of everything that a dead worker printed: the line of a failed check, else the last one.
std::string last_words(const std::string& printed);

}  // namespace millrace::target
