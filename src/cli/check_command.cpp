// SPDX-License-Identifier: Apache-2.0
// `millrace check`: one verdict on a kernel, as text, JSON, SARIF and GitHub annotations.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>

#include "cli/app.h"
#include "cli/build_info.h"
#include "cli/module_options.h"
#include "cli/progress.h"
#include "front/check_kernel.h"
#include "front/module_file.h"
#include "millrace/error.h"
#include "millrace/file.h"
#include "report/baseline.h"
#include "report/github.h"
#include "report/json.h"
#include "report/sarif.h"
#include "report/text.h"

namespace millrace::cli {
namespace {

struct CheckCommand {
  ModuleOptions module;
  bool explore = false, json = false, github = false, why_wait = false, rules = false;
  std::uint64_t max_classes = 0;
  std::string sarif, baseline, write_baseline, source_root, schedules;
};

bool in_colour(const std::ostream& out) {
  const char* no = std::getenv("NO_COLOR");
  return &out == &std::cout && ::isatty(STDOUT_FILENO) && (!no || !*no);
}

report::Baseline read_baseline(const std::string& file) { return {front::read_file(file), file}; }

void require_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!std::filesystem::is_directory(folder)) throw Error(ErrorCode::kUser, folder + " cannot be made a folder");
}

// "02-race.read-write-a.schedule" is one of those of the second finding.
void save_schedules(const std::string& folder, report::Checked& checked) {
  for (std::size_t i = 0; i < checked.replays.size(); ++i)
    for (std::size_t k = 0; k < checked.replays[i].size(); ++k) {
      report::Replay& r = checked.replays[i][k];
      const std::string which = checked.replays[i].size() > 1 ? fmt::format("-{}", static_cast<char>('a' + k)) : "";
      const std::string name = fmt::format("{:02}-{}{}.schedule", i + 1, checked.findings[i].id, which);
      r.file = (std::filesystem::path(folder) / name).string();
      write_whole_file(r.file, fmt::format("# {}: {}\n{}", checked.findings[i].id, r.shows, r.schedule));
    }
}

// Files are looked at before the run, so that a wrong name costs no time.
void run_check(const CheckCommand& options, Context& context) {
  for (const std::string& file : {options.sarif, options.write_baseline}) front::require_folder_of(file);
  if (!options.schedules.empty()) require_folder(options.schedules);
  report::Baseline known, kept;
  if (!options.baseline.empty()) known = read_baseline(options.baseline);
  if (std::filesystem::exists(options.write_baseline)) kept = read_baseline(options.write_baseline);
  front::CheckRequest request{request_of(options.module), options.explore, options.why_wait, options.rules,
                              options.max_classes};
  request.replays = options.explore || !options.schedules.empty();
  Progress progress(context.err);
  request.kernel.progress = progress.hook();
  request.kernel.hash = options.json;
  report::Checked checked = front::check_kernel(request);
  progress.clear();
  if (!options.schedules.empty()) save_schedules(options.schedules, checked);
  if (!options.baseline.empty()) known.judge(checked);
  if (!options.write_baseline.empty()) write_whole_file(options.write_baseline, kept.with(checked));
  const report::Naming naming{std::filesystem::current_path().string(), options.source_root};
  if (!options.sarif.empty())
    write_whole_file(options.sarif, report::to_sarif(checked, build_info().version, naming).dump(2) + "\n");
  context.out << (options.json ? report::to_json(checked).dump(2) + "\n"
                               : report::to_text(checked, in_colour(context.out)));
  // The runner reads both streams; JSON is alone on its own.
  if (options.github) (options.json ? context.err : context.out) << report::to_github(checked, naming);
  const bool accepted = !options.write_baseline.empty() || report::new_errors(checked) == 0;
  context.exit_code = accepted ? kDone : kFound;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "check", "Check a kernel: races, deadlocks, bounds; one verdict.",
                                  "  millrace check kernel.mlirbc --input x.npy --input y.npy\n"
                                  "  millrace check exported.mlir --kernel 1 --fill normal:7 --sarif found.sarif");
  const auto options = std::make_shared<CheckCommand>();
  add_module_options(command, options->module);
  add_schedule_option(command, options->module);
  command.add_flag("--explore", options->explore, "Look at every order of events that can make a difference");
  command.add_option("--max-classes", options->max_classes, "Where exploring stops (default 1000000)")
      ->check(CLI::PositiveNumber);
  command.add_flag("--json", options->json, "Print JSON (docs/schema/finding.schema.json)");
  command.add_option("--sarif", options->sarif, "Also write SARIF 2.1.0 into this file");
  command.add_flag("--github", options->github, "Also print GitHub annotations");
  command.add_option("--baseline", options->baseline, "Findings in this file are known and do not fail");
  command.add_option("--write-baseline", options->write_baseline,
                     "Write what is found into this file as known, and end with 0");
  command.add_flag("--why-wait", options->why_wait, "Say of each wait what it proved and what it left open");
  command.add_option("--save-schedules", options->schedules,
                     "Write into this folder, for each finding that needs one, a schedule for --schedule replay:FILE");
  command.add_option("--source-root", options->source_root,
                     "Where the files lie that a module names without a folder (for --sarif and --github)");
  command.callback([&context, &command, options] {
    options->rules = command.count("--chip") > 0;
    run_check(*options, context);
  });
}

}  // namespace millrace::cli
