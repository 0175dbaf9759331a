// SPDX-License-Identifier: Apache-2.0
#include "lab/transcript.h"

#include <fmt/format.h>

#include <sstream>

#include "lab/learner.h"

namespace millrace::lab {
namespace {

const NamedPair* input_named(const LabReport& report, const std::string& name) {
  for (const NamedPair& input : report.inputs) {
    if (input.name == name) return &input;
  }
  return nullptr;
}

std::string verdict(const Comparison& c) {
  if (c.exact) return "equals the oracle";
  return c.within_tolerance ? "within tolerance, NOT equal" : "NOT the oracle's";
}

std::string run_line(const LabRun& run) {
  return fmt::format("  {:<24} {:>4} copies {:>8} bytes  max |error| {}, {}, {} race{}\n", run.name, run.work.dmas,
                     run.work.dma_bytes, run.comparison.max_abs_error, verdict(run.comparison), run.races,
                     run.races == 1 ? "" : "s");
}

std::string input_line(const LabReport& report, const LabRun& run) {
  const NamedPair* input = input_named(report, run.input);
  if (!input) return "";
  return fmt::format("  {} {} ({})\n", to_string(input->pair.x.shape()), name_of(input->pair.x.dtype()), run.input);
}

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += "  " + line + "\n";
  return result;
}

}  // namespace

std::string header(const LabReport& report) {
  return fmt::format(
      "Millrace lab: 2 * x + y, tile by tile\n"
      "actual backend: cpu ({})\n"
      "simulated layout: {} (simulated: no TPU took part, and nothing was timed)\n",
      report.environment.host_cpu, kSimulatedChip);
}

std::string section(const LabReport& report, const Experiment& experiment) {
  std::string text = fmt::format("\n{}\n", experiment.title);
  if (experiment.id == "tiles" && report.tiles) text += indented(to_text(*report.tiles));
  std::string input;
  for (const LabRun& run : experiment.runs) {
    if (run.input != input) text += input_line(report, run);
    input = run.input;
    text += run_line(run);
  }
  for (const std::string& note : experiment.notes) text += fmt::format("  {}\n", note);
  for (const Claim& claim : experiment.claims) {
    if (claim.held && claim.quiet) continue;
    text += fmt::format("  {:<6} {}{}\n", claim.held ? "ok" : "FAILED", claim.what,
                        claim.detail.empty() ? "" : ": " + claim.detail);
  }
  if (!experiment.guess.empty() && !experiment.picture.empty()) text += "\n" + indented(experiment.picture) + "\n";
  return text + compared_text(experiment);
}

std::string closing(const LabReport& report) {
  const std::vector<std::string> failures = report.failures();
  std::string text = "\n";
  for (const std::string& failure : failures) text += fmt::format("failed: {}\n", failure);
  return text + (failures.empty() ? "PASS: lab\n" : "FAIL: lab\n");
}

std::string transcript(const LabReport& report) {
  std::string text = header(report);
  for (const Experiment& experiment : report.experiments) text += section(report, experiment);
  return text + closing(report);
}

std::string predictions(const LabReport& report) {
  std::string text;
  for (const Experiment& experiment : report.experiments) {
    if (experiment.question.empty()) continue;
    text += fmt::format("## {}\n\n**Question.** {}\n\n", experiment.title, experiment.question);
    if (!experiment.guess.empty()) text += fmt::format("**Your prediction.** {}\n\n", experiment.guess);
    text += fmt::format("**Prediction.** {}\n\n**Answer from this run.** {}: {}\n\n", experiment.prediction,
                        experiment.outcome, experiment.answer);
  }
  return text.empty() ? text : "# Predictions and answers\n\n" + text;
}

}  // namespace millrace::lab
