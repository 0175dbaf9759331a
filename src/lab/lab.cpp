// SPDX-License-Identifier: Apache-2.0
#include "lab/lab.h"

#include "lab/bench.h"
#include "lab/lesson.h"
#include "millrace/error.h"

namespace millrace::lab {
namespace {

bool is_default(const LabRequest& request) {
  const Configuration c = request.configuration, standard;
  return c.program == standard.program && c.block == standard.block && c.input_slots == standard.input_slots &&
         !c.synchronous && request.dtype == DType::f32;
}

struct Schedule {
  const char* name;
  int input_slots;
  bool synchronous;
};

// The pipelined program also under its other schedules, which must give the same bits.
Experiment asked_run(const Configuration& c, const NamedPair& input, const Course& course) {
  Experiment experiment{.id = "asked", .title = "The run asked for: " + describe(c)};
  Bench bench(course, experiment);
  const LabRun* asked = bench.run("run", c, input);
  if (c.program == Program::kBlocked) return experiment;
  for (const Schedule& other : {Schedule{"synchronous", 2, true}, {"two slots", 2, false}, {"three slots", 3, false}}) {
    Configuration otherwise = c;
    otherwise.input_slots = other.input_slots;
    otherwise.synchronous = other.synchronous;
    if (c.synchronous == other.synchronous && (c.synchronous || c.input_slots == other.input_slots)) continue;
    bench.claim_same_bits(asked, bench.run(other.name, otherwise, input), input);
  }
  return experiment;
}

}  // namespace

LabReport run_lab(const LabRequest& request, const BuildInfo& build, const Simulator& simulator, Learner* learner) {
  require_configuration(request.configuration);
  if (request.given) require_pair(request.given->x, request.given->y);
  require_target(request.configuration.mode);
  if (request.given && learner)
    throw Error(ErrorCode::kUser, "the lesson, step by step, has matrices of its own: leave out --x and --y");
  const Course course{simulator, learner};

  LabReport report{.environment = {build, host_cpu()}};
  if (request.given) {
    report.inputs.push_back({"given", *request.given});
    report.experiments.push_back(asked_run(request.configuration, report.inputs.back(), course));
    return report;
  }
  if (!is_default(request)) {
    report.inputs.push_back({"asked", lesson_pair(request.dtype)});
    report.experiments.push_back(asked_run(request.configuration, report.inputs.back(), course));
    if (learner) learner->shown(report, report.experiments.back());
  }
  add_lesson(report, course);
  return report;
}

}  // namespace millrace::lab
