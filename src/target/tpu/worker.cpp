// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/worker.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string_view>

#include "millrace/error.h"
#include "target/tpu/owned.h"

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __lsan_do_leak_check();  // of the sanitizer's runtime
#endif

namespace millrace::target {

namespace {

constexpr std::string_view kFormat = "mlir";

// No core of 700 MB, no log without an end, and no life after the parent's.
void bound_this_process() {
  const rlimit none{0, 0}, file{rlim_t{1} << 30, rlim_t{1} << 30};
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_FSIZE, &file);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

using Topology = Owned<pjrt::Topology, pjrt::TopologyDestroy, pjrt::Slot::kTopologyDestroy>;

// The end of this process, not by way of the plugin's own leftovers: what they do there is no part of the answer.
[[noreturn]] void end() {
#if defined(__SANITIZE_ADDRESS__)
  __lsan_do_leak_check();  // which a usual end would do
#endif
  std::_Exit(0);
}

bool begun(const Plugin& plugin, Stages& stages, Answer& answer) {
  answer.api_minor = plugin.minor(), answer.table_bytes = plugin.table_bytes();
  stages.enter("initialise");
  const double before = seconds_now();
  answer.fault = plugin.initialise();
  answer.initialise_seconds = seconds_now() - before;
  if (answer.fault) return false;
  answer.plugin = plugin.attributes();
  return true;
}

}  // namespace

double seconds_now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::string program_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw millrace::Error(millrace::ErrorCode::kUser, file.string() + " cannot be read");
  return text.str();
}

void compile(const Plugin& plugin, const CompileJob& job, const std::filesystem::path& folder, Stages& stages,
             Answer& answer) {
  std::string code = program_text(folder / "program.mlir");
  std::string format(kFormat);
  const std::string options = compile_options(job.flags);
  stages.enter("topology");
  pjrt::TopologyCreate create{};
  create.name = job.topology.data(), create.name_size = job.topology.size();
  if ((answer.fault = plugin.call(pjrt::Slot::kTopologyCreate, create))) return;
  const Topology topology(plugin, create.topology);
  for (int i = 0; i < job.repeat; ++i) {
    stages.enter("compile");
    pjrt::Program program{{sizeof program, nullptr}, code.data(), code.size(), format.data(), format.size()};
    pjrt::Compile arguments{{}, topology.get(), &program, options.data(), options.size(), nullptr, nullptr};
    const double before = seconds_now();
    if ((answer.fault = plugin.call(pjrt::Slot::kCompile, arguments))) return;
    answer.compile_seconds.push_back(seconds_now() - before);
    if (!arguments.executable) {
      answer.fault = PjrtFault{0, "the plugin reports success and gives no executable"};
      return;
    }
    stages.enter("read");
    pjrt::ExecutableInt64 size{{}, arguments.executable, 0};
    if (!plugin.call(pjrt::Slot::kExecutableCodeSize, size)) answer.code_bytes = size.value;
    pjrt::ExecutableDestroy destroy{{}, arguments.executable};
    plugin.release(pjrt::Slot::kExecutableDestroy, destroy);
  }
}

int work(const std::filesystem::path& given) {
  bound_this_process();
  const std::filesystem::path folder = std::filesystem::absolute(given);
  const Job job = read_job(folder);
  std::filesystem::current_path(folder);  // so that dumps go there whatever characters its name has
  Stages stages(folder);
  Answer answer;
  try {
    stages.enter("load");
    const double before = seconds_now();
    const Plugin plugin(job.compile ? job.compile->library : job.run->library);
    answer.load_seconds = seconds_now() - before;
    if (begun(plugin, stages, answer)) {
      if (job.compile) compile(plugin, *job.compile, folder, stages, answer);
      if (job.run) execute(plugin, *job.run, folder, stages, answer);
    }
  } catch (const millrace::Error& error) {
    answer.refused = error.what();
    answer.refused_user = error.code() == millrace::ErrorCode::kUser;
  }
  answer.stage = stages.now();
  stages.enter("answer");
  write_answer(folder, answer);
  stages.enter("done");
  end();
}

}  // namespace millrace::target
