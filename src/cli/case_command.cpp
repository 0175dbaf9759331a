// SPDX-License-Identifier: Apache-2.0
// `millrace case`: runs case folders and holds them against what their case.json says.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "front/case_run.h"

namespace millrace::cli {
namespace {

struct CaseCommand {
  std::vector<std::string> paths;
  front::CaseOptions run;
  int jobs = 1;
  bool json = false;
};

std::string line_of(const front::CaseResult& r) {
  std::string line =
      r.passed ? fmt::format("passed {}", r.name) : fmt::format("FAILED {}: {}", r.name, fmt::join(r.reasons, "; "));
  if (!r.inexact.empty()) line += fmt::format(" (inexact: {})", fmt::join(r.inexact, "; "));
  return line + "\n";
}

void run_case_command(const CaseCommand& options, Context& context) {
  const auto folders = front::case_folders(options.paths);
  const std::vector<front::CaseResult> results = front::run_cases(folders, options.run, options.jobs);
  const auto passed = std::count_if(results.begin(), results.end(), [](const auto& r) { return r.passed; });
  const auto inexact = std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.inexact.empty(); });
  const auto failed = static_cast<std::ptrdiff_t>(results.size()) - passed;
  context.exit_code = failed ? kFound : kDone;
  if (!options.json) {
    for (const front::CaseResult& r : results) context.out << line_of(r);
    context.out << fmt::format("{} passed, {} failed{}\n", passed, failed,
                               inexact ? fmt::format(" ({} inexact)", inexact) : "");
    return;
  }
  nlohmann::ordered_json json{{"schema", 1}, {"cases", nlohmann::ordered_json::array()}};
  for (const front::CaseResult& r : results)
    json["cases"].push_back(
        {{"name", r.name}, {"folder", r.folder}, {"passed", r.passed}, {"reasons", r.reasons}, {"inexact", r.inexact}});
  json["passed"] = passed, json["failed"] = failed, json["inexact"] = inexact;
  context.out << json.dump(2) << "\n";
}

}  // namespace

void add_case(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "case", "Run case folders against what their case.json says.",
                                  "  millrace case cases/softmax\n  millrace case cases --jobs 4");
  const auto options = std::make_shared<CaseCommand>();
  command.add_option("DIR", options->paths, "Case folders, or folders that hold some")->required();
  command.add_option("--schedule", options->run.schedule,
                     "canonical, eager, lazy, random:SEED or replay:FILE (default canonical)");
  command.add_flag("--explore", options->run.explore, "Explore all schedules, and compare how many classes they have");
  command.add_option("--max-classes", options->run.max_classes, "Classes to explore at most (default 1000000)")
      ->check(CLI::PositiveNumber);
  command.add_option("--jobs", options->jobs, "How many run at a time (default 1)")->check(CLI::Range(1, 1024));
  command.add_option("--max-steps", options->run.max_steps, "Instructions after which a case is stopped")
      ->check(CLI::PositiveNumber);
  command.add_option("--max-bytes", options->run.max_bytes, "Memory a case may take (default: 3/4 of the machine's)")
      ->check(CLI::PositiveNumber);
  command.add_option("--dma-signal", options->run.dma_signal, "progressive or whole (default progressive)");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] { run_case_command(*options, context); });
}

}  // namespace millrace::cli
