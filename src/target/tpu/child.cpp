// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <system_error>

#include "millrace/error.h"
#include "target/tpu/worker.h"

namespace millrace::target {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void broken(const std::string& what, int error) {
  throw Error(ErrorCode::kInternal, fmt::format("{}: {}", what, std::strerror(error)));
}

// The end of a file, at most so many bytes.
std::string tail_of(const fs::path& file, std::streamoff most) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const std::streamoff size = in.tellg(), from = std::max<std::streamoff>(0, size - most);
  std::string text(static_cast<std::size_t>(size - from), '\0');
  in.seekg(from);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == text.npos) return "";
  const std::size_t newline = text.rfind('\n', end), begin = newline == text.npos ? 0 : newline + 1;
  return text.substr(begin, end + 1 - begin);
}

class FileActions {
 public:
  explicit FileActions(const fs::path& printed) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, printed.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
  }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t start(const Worker& worker, const fs::path& folder, const std::vector<std::string>& environment) {
  const FileActions actions(folder / "words");
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // so that what it starts can be ended with it
  std::vector<std::string> words{"millrace", "target-worker", folder.string()};
  std::vector<std::string> settings = environment;
  std::vector<char*> argv, envp;
  for (std::string& w : words) argv.push_back(w.data());
  for (std::string& s : settings) envp.push_back(s.data());
  argv.push_back(nullptr), envp.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, worker.program.c_str(), actions.get(), &attributes, argv.data(), envp.data());
  ::posix_spawnattr_destroy(&attributes);
  if (error) broken(fmt::format("{} cannot be started for the TPU compiler", worker.program), error);
  return child;
}

// False where the time was up and the child had to be killed.
bool await(pid_t child, double timeout_seconds, int& status) {
  const double deadline = seconds_now() + timeout_seconds;
  for (long pause = 1'000'000;; pause = std::min(pause * 2, 20'000'000L)) {
    const pid_t done = ::waitpid(child, &status, WNOHANG);
    if (done == child) return true;
    if (done < 0 && errno != EINTR) broken("the TPU compiler's process cannot be waited for", errno);
    if (seconds_now() >= deadline) break;
    const timespec nap{0, pause};
    ::nanosleep(&nap, nullptr);
  }
  ::kill(-child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

bool begins_with_any(const std::string& text, std::initializer_list<const char*> heads) {
  return std::any_of(heads.begin(), heads.end(), [&](const char* head) { return text.starts_with(head); });
}

std::vector<std::string> without(const std::vector<std::string>& ours, std::initializer_list<const char*> heads) {
  std::vector<std::string> kept;
  for (const std::string& setting : ours)
    if (!begins_with_any(setting, heads)) kept.push_back(setting);
  return kept;
}

std::string signal_name(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation ? fmt::format("SIG{}", abbreviation) : fmt::format("signal {}", signal);
}

}  // namespace

std::string how_it_ended(const Ended& ended, double timeout) {
  const std::string during = ended.stage.empty() ? "" : fmt::format(" (while it was at: {})", ended.stage);
  const std::string words = ended.last_words.empty() ? "" : fmt::format("; its last words: {}", ended.last_words);
  switch (ended.how) {
    case Ended::How::kTimedOut: return fmt::format("no answer in {:g} s{}{}", timeout, during, words);
    case Ended::How::kKilled:
      return fmt::format("the compiler ended with {}{}{}", signal_name(ended.status), during, words);
    default:
      return ended.status == 0
                 ? fmt::format("the compiler's process ended without a readable answer{}{}", during, words)
                 : fmt::format("the compiler ended its process with status {}{}{}", ended.status, during, words);
  }
}

WorkFolder::WorkFolder(const fs::path& given) : path_(given), temporary_(given.empty()) {
  if (temporary_) {
    std::string name = (fs::temp_directory_path() / "millrace_tpu_XXXXXX").string();
    if (!::mkdtemp(name.data())) broken("no temporary folder can be made", errno);
    path_ = name;
    return;
  }
  std::error_code error;
  fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_, error))
    throw Error(ErrorCode::kUser, fmt::format("{} cannot be made as a folder", path_.string()));
  if (!fs::is_empty(path_, error))
    throw Error(ErrorCode::kUser, fmt::format("{} is not empty; take a new folder", path_.string()));
  path_ = fs::absolute(path_);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (temporary_) fs::remove_all(path_, ignored);
}

std::vector<std::string> environment_of_this_process() {
  std::vector<std::string> all;
  for (char** setting = environ; setting && *setting; ++setting) all.emplace_back(*setting);
  return all;
}

std::vector<std::string> compile_environment(const std::vector<std::string>& ours) {
  auto all = without(ours, {"TPU_", "LIBTPU_", "XLA_", "ALLOW_MULTIPLE_LIBTPU_LOAD="});
  for (const char* setting : {"TPU_SKIP_MDS_QUERY=1", "TPU_ACCELERATOR_TYPE=v5litepod-4",
                              "TPU_WORKER_HOSTNAMES=localhost", "TPU_LOG_DIR=disabled", "ALLOW_MULTIPLE_LIBTPU_LOAD=1",
                              "LIBTPU_INIT_ARGS=--xla_jf_dump_to=dumps --xla_jf_dump_llo_text=true "
                              "--xla_jf_dump_llo_pass_label_regex=.*final.*"})
    all.emplace_back(setting);
  return all;
}

std::vector<std::string> run_environment(const std::vector<std::string>& ours, bool off_cloud) {
  auto all = without(ours, {"TPU_LOG_DIR="});
  all.emplace_back("TPU_LOG_DIR=disabled");
  if (!off_cloud) return all;
  all = without(all, {"TPU_SKIP_MDS_QUERY=", "TPU_ACCELERATOR_TYPE=", "TPU_WORKER_HOSTNAMES="});
  for (const char* setting : {"TPU_SKIP_MDS_QUERY=1", "TPU_ACCELERATOR_TYPE=v5litepod-4",
                              "TPU_WORKER_HOSTNAMES=localhost", "ALLOW_MULTIPLE_LIBTPU_LOAD=1"})
    all.emplace_back(setting);
  return all;
}

std::string last_words(const std::string& printed) {
  std::string found;
  for (std::size_t begin = 0; begin < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    const std::string line = printed.substr(begin, end - begin);
    // "F1130 00:34:52.676140    6487 layout.h:320] Check failed: ..." loses what differs from run to run.
    const std::size_t bracket = line.find("] ");
    if (line.size() > 5 && line[0] == 'F' && std::isdigit(static_cast<unsigned char>(line[1])) &&
        bracket != line.npos) {
      const std::size_t file = line.rfind(' ', bracket);
      return last_line(line.substr(file == line.npos ? bracket + 2 : file + 1));
    }
    begin = end + 1;
  }
  return last_line(printed);
}

Ended run_worker(const Worker& worker, const fs::path& folder, const std::vector<std::string>& environment) {
  if (worker.program.empty()) throw Error(ErrorCode::kInternal, "no program to compile in is known");
  Ended ended;
  int status = 0;
  const bool in_time = await(start(worker, folder, environment), worker.timeout_seconds, status);
  ended.stage = last_line(tail_of(folder / "stage", 4096));
  ended.last_words = last_words(tail_of(folder / "words", 1 << 20));
  if (!in_time) {
    ended.how = Ended::How::kTimedOut;
    return ended;
  }
  ended.how = WIFSIGNALED(status) ? Ended::How::kKilled : Ended::How::kExited;
  ended.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (ended.how != Ended::How::kExited || ended.status != 0) return ended;
  ended.answer = read_answer(folder);
  if (ended.answer) ended.how = Ended::How::kAnswered;
  return ended;
}

}  // namespace millrace::target
