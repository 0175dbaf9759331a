// SPDX-License-Identifier: Apache-2.0
#include "lab/figures.h"

#include <nlohmann/json.hpp>

namespace millrace::lab {
namespace {

using Json = nlohmann::ordered_json;

Json run_json(const LabRun& run) {
  const Configuration& c = run.configuration;
  return {{"name", run.name},
          {"input", run.input},
          {"program", name_of(c.program)},
          {"block", {c.block.rows, c.block.columns}},
          {"input_slots", c.input_slots},
          {"output_slots", c.output_slots},
          {"synchronous", c.synchronous},
          {"order", run.order},
          {"execution", "simulated"},
          {"copies", run.work.dmas},
          {"copied_bytes", run.work.dma_bytes},
          {"grid_steps", run.work.grid_steps},
          {"instructions", run.work.steps},
          {"races", run.races},
          {"max_abs_error", run.comparison.max_abs_error},
          {"within_tolerance", run.comparison.within_tolerance},
          {"equal", run.comparison.exact}};
}

Json experiment_json(const Experiment& experiment) {
  Json json = {{"id", experiment.id}, {"title", experiment.title}};
  if (!experiment.question.empty()) {
    json["question"] = experiment.question;
    json["prediction"] = experiment.prediction;
    json["choices"] = experiment.choices;
    if (!experiment.guess.empty()) json["guess"] = experiment.guess;
    json["outcome"] = experiment.outcome;
    json["answer"] = experiment.answer;
  }
  json["notes"] = experiment.notes;
  json["runs"] = Json::array();
  for (const LabRun& run : experiment.runs) json["runs"].push_back(run_json(run));
  json["claims"] = Json::array();
  for (const Claim& c : experiment.claims) {
    json["claims"].push_back({{"claim", c.what}, {"held", c.held}, {"detail", c.held ? "" : c.detail}});
  }
  return json;
}

Json backend_json(const Environment& environment) { return {{"kind", "cpu"}, {"name", environment.host_cpu}}; }

Json versions_json(const BuildInfo& build) {
  return {{"millrace", build.version}, {"commit", build.commit}, {"compiler", build.compiler}, {"llvm", build.llvm}};
}

}  // namespace

Json environment_json(const Environment& environment) {
  return {{"schema", 1},
          {"actual_backend", backend_json(environment)},
          {"simulated_chip", kSimulatedChip},
          {"versions", versions_json(environment.build)}};
}

Json figures(const LabReport& report) {
  Json json = {{"schema", 1},
               {"command", "lab"},
               {"verdict", report.passed() ? "PASS" : "FAIL"},
               {"execution", "simulated"},
               {"actual_backend", backend_json(report.environment)},
               {"simulated_chip", kSimulatedChip},
               {"versions", versions_json(report.environment.build)},
               {"tolerance", {{"rtol", kRtol}, {"atol", kAtol}}}};
  if (report.endpoints) json["endpoints"] = {report.endpoints->first, report.endpoints->second};
  if (report.tiles) json["tile_table"] = plan::to_json(*report.tiles);
  json["inputs"] = Json::array();
  for (const NamedPair& input : report.inputs) {
    json["inputs"].push_back(
        {{"name", input.name}, {"shape", input.pair.x.shape()}, {"dtype", name_of(input.pair.x.dtype())}});
  }
  json["experiments"] = Json::array();
  for (const Experiment& experiment : report.experiments) json["experiments"].push_back(experiment_json(experiment));
  json["failures"] = report.failures();
  return json;
}

}  // namespace millrace::lab
