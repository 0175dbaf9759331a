// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "millrace/error.h"
#include "millrace/file.h"
#include "target/tpu/compile.h"
#include "target/tpu/diagnosis.h"

namespace millrace::target {

namespace fs = std::filesystem;

namespace {

std::string first_word(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

RunJob write_files(const MeasureRequest& request, const fs::path& folder) {
  RunJob job{request.library.path, request.platform, {}, {}, {}, request.warm_ups, request.samples};
  for (const ProgramToRun& p : request.programs) {
    job.programs.push_back(p.name + ".mlir");
    job.outputs.push_back(p.outputs);
    write_whole_file(folder / job.programs.back(), p.text);
  }
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    job.inputs.push_back({request.inputs[i].dtype(), request.inputs[i].shape()});
    write_npy(folder / fmt::format("in{}.npy", i), request.inputs[i]);
  }
  write_job(folder, job);
  return job;
}

[[noreturn]] void no_device(const MeasureRequest& request, const std::string& why) {
  if (request.platform != "tpu") throw Error(ErrorCode::kUnsupported, fmt::format("nothing was run: {}", why));
  throw Error(
      ErrorCode::kUnsupported,
      fmt::format("no TPU here (libtpu: \"{}\"); nothing was run and no receipt written. `millrace compile` asks "
                  "the compiler instead",
                  why));
}

void require_ran(const MeasureRequest& request, const Ended& ended) {
  const auto early = [](const std::string& s) {
    return s.empty() || s == "load" || s == "initialise" || s == "client";
  };
  if (!ended.answer) {
    const std::string how = how_it_ended(ended, request.worker.timeout_seconds);
    if (early(ended.stage)) no_device(request, how);
    throw Error(ErrorCode::kFinding, fmt::format("the run on the device failed: {}", how));
  }
  if (!ended.answer->refused.empty()) no_device(request, ended.answer->refused);
  if (!ended.answer->fault) return;
  const std::string reason = diagnosis_of(ended.answer->fault->message).reason;
  if (early(ended.answer->stage)) no_device(request, reason);
  throw Error(ErrorCode::kFinding, fmt::format("the run on the device failed at: {}: {}", ended.answer->stage, reason));
}

}  // namespace

Measured measure(const MeasureRequest& request) {
  const WorkFolder folder;
  const RunJob job = write_files(request, folder.path());
  const bool off_cloud = request.platform != "tpu" || !tpu_on_the_bus();
  const Ended ended =
      run_worker(request.worker, folder.path(), run_environment(environment_of_this_process(), off_cloud));
  require_ran(request, ended);
  const Answer& answer = *ended.answer;
  Measured m{answer.device_kind,     answer.platform,    answer.platform_version, answer.api_minor, {},
             answer.compile_seconds, answer.milliseconds};
  for (std::size_t p = 0; p < job.programs.size(); ++p) {
    m.outputs.emplace_back();
    for (std::size_t i = 0; i < job.outputs[p].size(); ++i) {
      m.outputs[p].push_back(
          read_npy(folder.path() / fmt::format("{}.out{}.npy", job.programs[p], i), job.outputs[p][i].dtype));
    }
  }
  return m;
}

Library library_to_run(const std::string& given) {
  try {
    return find_libtpu(given);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    throw Error(
        ErrorCode::kUnsupported,
        "no TPU here (libtpu, its library, was not found: docs/tpu.md); nothing was run and no receipt written");
  }
}

// Google's vendor number, and the numbers of its TPU generations; its network cards have others.
bool tpu_on_the_bus(const fs::path& bus) {
  constexpr const char* kVendor = "0x1ae0";
  constexpr const char* kDevices[] = {"0x0027", "0x005e", "0x0063", "0x0062", "0x006f", "0x0076"};
  std::error_code error;
  for (fs::directory_iterator it(bus, error), end; !error && it != end; it.increment(error)) {
    if (first_word(it->path() / "vendor") != kVendor) continue;
    const std::string device = first_word(it->path() / "device");
    if (std::find(std::begin(kDevices), std::end(kDevices), device) != std::end(kDevices)) return true;
  }
  return false;
}

}  // namespace millrace::target
