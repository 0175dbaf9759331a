// SPDX-License-Identifier: Apache-2.0
#include "bench/peer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>

#include "bench/folder.h"

namespace millrace::bench {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorCode::kInternal, "no pipe could be made");
    read = ends[0], write = ends[1];
  }
};

}  // namespace

Peer::Peer(const std::string& command, int patience_ms) : patience_ms_(patience_ms), command_(command) {
  std::signal(SIGPIPE, SIG_IGN);  // a peer that has died is told by its missing answer
  const Pipe down, up;
  child_ = ::fork();
  if (child_ < 0) throw Error(ErrorCode::kInternal, "the peer could not be started");
  if (child_ == 0) {
    ::setpgid(0, 0);  // so that all that the command starts can be ended with it
    ::dup2(down.read, STDIN_FILENO);
    ::dup2(up.write, STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(down.read), ::close(up.write);
  to_ = ::fdopen(down.write, "w");
  from_ = ::fdopen(up.read, "r");
  const std::string hello = answer();
  if (!hello.starts_with("hello ")) refuse(fmt::format("the peer `{}` says `{}` where hello is due", command, hello));
  who_ = hello.substr(6);
}

Peer::~Peer() {
  std::fclose(to_);  // it ends at the end of its input
  std::fclose(from_);
  ::waitpid(child_, nullptr, 0);
}

std::string Peer::answer() {
  pollfd there{::fileno(from_), POLLIN, 0};
  if (::poll(&there, 1, patience_ms_) == 0) {
    ::kill(-child_, SIGKILL);
    refuse(fmt::format("the peer `{}` gave no answer in {} seconds", command_, patience_ms_ / 1000));
  }
  std::string line;
  for (int c; (c = std::fgetc(from_)) != EOF && c != '\n';) line += static_cast<char>(c);
  if (line.empty()) refuse(fmt::format("the peer `{}` ended without an answer", command_));
  if (line.starts_with("error ")) refuse(fmt::format("the peer `{}`: {}", command_, line.substr(6)));
  return line;
}

std::string Peer::ask(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  return answer();
}

Array Peer::prepare(const std::string& name, std::int64_t steps, const std::vector<Array>& inputs, DType output) {
  const Folder folder;
  for (std::size_t i = 0; i < inputs.size(); ++i) write_npy(fmt::format("{}/in{}.npy", folder.name(), i), inputs[i]);
  const std::string said = ask(fmt::format("prepare {} {} {}", name, steps, folder.name()));
  if (said != "ready") refuse(fmt::format("the peer `{}` says `{}` where ready is due", command_, said));
  return read_npy(folder.name() + "/out0.npy", output);
}

double Peer::milliseconds(const std::string& name, std::int64_t steps) {
  const std::string said = ask(fmt::format("run {} {}", name, steps));
  double ms = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), ms);
  if (error != std::errc() || end != said.data() + said.size() || !(ms > 0 && ms < 1e12))
    refuse(fmt::format("the peer `{}` says `{}` where milliseconds are due", command_, said));
  return ms;
}

}  // namespace millrace::bench
