// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/compile.h"

#include <fmt/format.h>

#include <iterator>

#include "millrace/error.h"
#include "millrace/file.h"
#include "target/tpu/worker.h"

namespace millrace::target {

namespace {

struct Board {
  std::string_view chip, topology;
};

constexpr Board kBoards[] = {{"v2", "v2:2x2"},     {"v3", "v3:2x2"},   {"v4", "v4:2x2x1"},      {"v5e", "v5e:2x2"},
                             {"v5p", "v5p:2x2x1"}, {"v6e", "v6e:2x2"}, {"tpu7x", "tpu7x:2x2x1"}};

// What happens before a compile begins says nothing about the kernel.
void require_usable(const Ended& ended, const Library& library, double timeout) {
  const auto early = [](const std::string& s) {
    return s.empty() || s == "load" || s == "initialise" || s == "topology";
  };
  const auto unusable = [&](const std::string& why) {
    throw Error(ErrorCode::kUnsupported, fmt::format("{} cannot be used: {}", library.path, why));
  };
  if (!ended.answer && early(ended.stage)) unusable(how_it_ended(ended, timeout));
  if (!ended.answer) return;
  if (!ended.answer->refused.empty())
    throw Error(ended.answer->refused_user ? ErrorCode::kUser : ErrorCode::kUnsupported, ended.answer->refused);
  if (ended.answer->fault && early(ended.answer->stage))
    unusable(fmt::format("{} fails: {}", ended.answer->stage, diagnosis_of(ended.answer->fault->message).reason));
}

void read_answer_into(Compiled& compiled, const Answer& answer) {
  compiled.api_minor = answer.api_minor;
  compiled.load_seconds = answer.load_seconds, compiled.initialise_seconds = answer.initialise_seconds;
  compiled.compile_seconds = answer.compile_seconds;
  if (answer.fault) {
    compiled.verdict = Verdict::kRefused;
    compiled.status = answer.fault->code;
    compiled.diagnosis = diagnosis_of(answer.fault->message);
    if (compiled.diagnosis.reason.empty())
      compiled.diagnosis.reason = status_name(answer.fault->code) + ", without a word";
    return;
  }
  if (answer.code_bytes && *answer.code_bytes > 0)
    compiled.code_bytes = answer.code_bytes;
  else
    compiled.notes.push_back(answer.code_bytes
                                 ? fmt::format("a code size of {} bytes was reported and left out", *answer.code_bytes)
                                 : std::string("the plugin does not say how large the code is"));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccepted: return "accepted";
    case Verdict::kRefused: return "refused";
    case Verdict::kDied: return "died";
    default: return "timed out";
  }
}

std::string topology_of(std::string_view chip) {
  for (const Board& b : kBoards)
    if (b.chip == chip) return std::string(b.topology);
  throw Error(ErrorCode::kUser, fmt::format("there is no chip `{}` to compile for", chip));
}

Compiled compile(const CompileRequest& request) {
  Compiled compiled;
  compiled.chip = request.chip;
  compiled.topology = topology_of(request.chip);
  const WorkFolder folder(request.keep);
  const auto dumps = folder.path() / "dumps";
  write_whole_file(folder.path() / "program.mlir", stablehlo_of(request.call));
  write_job(folder.path(), CompileJob{request.library.path, compiled.topology, {}, request.repeat});
  const double before = seconds_now();
  const Ended ended = run_worker(request.worker, folder.path(), compile_environment(environment_of_this_process()));
  compiled.seconds = seconds_now() - before;
  compiled.stage = ended.stage;
  require_usable(ended, request.library, request.worker.timeout_seconds);
  if (!ended.answer) {
    compiled.verdict = ended.how == Ended::How::kTimedOut ? Verdict::kTimedOut : Verdict::kDied;
    compiled.diagnosis.reason = how_it_ended(ended, request.worker.timeout_seconds);
    return compiled;
  }
  read_answer_into(compiled, *ended.answer);
  if (compiled.verdict != Verdict::kAccepted) return compiled;
  compiled.dumps = read_dumps(dumps, call_name(request.call.kernel_name));
  for (const std::string& note : compiled.dumps.notes) compiled.notes.push_back(note);
  return compiled;
}

}  // namespace millrace::target
