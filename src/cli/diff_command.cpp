// SPDX-License-Identifier: Apache-2.0
// `millrace diff`: a kernel under two schedules.
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/module_options.h"
#include "cli/progress.h"
#include "front/diff_schedules.h"

namespace millrace::cli {
namespace {

struct DiffCommand {
  ModuleOptions module;
  std::vector<std::string> schedules;
  bool json = false;
};

void run_diff(const DiffCommand& options, Context& context) {
  front::KernelRequest request = request_of(options.module);
  Progress progress(context.err);
  request.progress = progress.hook();
  const front::ScheduleDiff diff = front::diff_schedules(request, options.schedules[0], options.schedules[1]);
  progress.clear();
  context.out << (options.json ? front::to_json(diff).dump(2) + "\n" : front::to_text(diff));
  context.exit_code = diff.compared && !diff.differ ? kDone : kFound;
}

}  // namespace

void add_diff(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "diff", "Run a kernel under two schedules; the first element that differs.",
                                  "  millrace diff kernel.mlirbc --fill iota --schedule eager --schedule lazy");
  const auto options = std::make_shared<DiffCommand>();
  add_module_options(command, options->module);
  command.add_option("--schedule", options->schedules, "Two of canonical, eager, lazy and random:SEED, an option each")
      ->allow_extra_args(false)
      ->expected(2)
      ->required();
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] { run_diff(*options, context); });
}

}  // namespace millrace::cli
