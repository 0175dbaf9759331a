// SPDX-License-Identifier: Apache-2.0
// `millrace view`: a kernel or a case in modeled time, or measured on this CPU: lanes as text, or as SVG, JSON and a
// Perfetto trace.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/build_info.h"
#include "cli/module_options.h"
#include "cli/progress.h"
#include "front/compile_report.h"
#include "front/module_file.h"
#include "front/report_kernel.h"
#include "front/report_receipt.h"
#include "front/view_kernel.h"
#include "front/view_on_cpu.h"
#include "millrace/error.h"
#include "millrace/file.h"
#include "plan/chip.h"
#include "timing/coarse.h"
#include "timing/costs.h"
#include "view/json.h"
#include "view/perfetto.h"
#include "view/report_html.h"
#include "view/svg.h"
#include "view/text.h"

namespace millrace::cli {
namespace {

struct ViewCommand {
  ModuleOptions module;
  std::map<std::string, double> costs;
  std::string svg, html, perfetto;
  std::uint64_t most = 0;   // bars; 0: as many as the form takes
  double from = 0, to = 0;  // microseconds
  int width = 1000;         // of the SVG
  std::vector<std::string> compiled_for, receipts;
  std::string libtpu;
  bool json = false, explore = false;
};

timing::Time picoseconds(double microseconds) { return std::llround(microseconds * 1e6); }

constexpr std::uint64_t kMostBars = 20'000, kMostBarsOfPage = 100'000;

bool only_html(const ViewCommand& options) {
  return !options.html.empty() && options.svg.empty() && options.perfetto.empty() && !options.json;
}

// What the real TPU compiler says of the kernel, for some chips.
nlohmann::ordered_json compiled_panel(const ViewCommand& options, const front::KernelRequest& request,
                                      const std::filesystem::path& program) {
  const front::KernelToCompile kernel = front::read_to_compile(request.module, request.pick, request.wish);
  front::CompileReport report{build_info().version, target::find_libtpu(options.libtpu), kernel, {}};
  for (const std::string& chip : options.compiled_for)
    report.chips.push_back(front::compile_kernel(kernel, plan::chip_named(chip), {report.library, {program, 600}, {}}));
  return front::panel_json(report);
}

// The whole timeline; with --html in a report, which is written. With --html alone nobody needs another.
timing::Timeline run_and_report(const ViewCommand& options, const front::ViewRequest& request,
                                const std::filesystem::path& program) {
  const bool measured = request.kernel.target == "cpu";
  if (measured && !options.costs.empty())
    throw Error(ErrorCode::kUser, "the parameters of the modeled clock do not go with --target cpu");
  if (measured && options.explore)
    throw Error(ErrorCode::kUser, "--explore is for the simulator's runs: it does not go with --target cpu");
  if (options.html.empty()) return measured ? front::view_on_cpu(request.kernel) : front::view_kernel(request);
  view::Report report = measured ? front::report_on_cpu(request.kernel, request.millrace_version)
                                 : front::report_kernel({request, options.explore});
  if (!options.compiled_for.empty()) report.compiled = compiled_panel(options, request.kernel, program);
  for (const std::string& file : options.receipts) report.receipts.push_back(front::read_receipt(file));
  timing::Timeline whole;
  if (!only_html(options)) whole = report.timeline;
  report.timeline = timing::coarse(std::move(report.timeline), options.most > 0 ? options.most : kMostBarsOfPage);
  write_whole_file(options.html, view::to_html(report));
  return whole;
}

void run_view(const ViewCommand& options, Context& context) {
  if (options.explore && options.html.empty())
    throw Error(ErrorCode::kUser, "--explore goes with --html: only the report tells of all orders of events");
  if (!options.compiled_for.empty()) {
    if (options.html.empty()) throw Error(ErrorCode::kUser, "--compiled-for goes with --html: the report shows it");
    for (const std::string& chip : options.compiled_for) plan::chip_named(chip);
    target::find_libtpu(options.libtpu);
  }
  if (!options.receipts.empty() && options.html.empty())
    throw Error(ErrorCode::kUser, "--receipt goes with --html: the report shows it");
  for (const std::string& file : options.receipts) front::read_receipt(file);  // refused before anything runs
  for (const std::string& file : {options.svg, options.html, options.perfetto}) front::require_folder_of(file);
  front::ViewRequest request{request_of(options.module), options.costs, build_info().version};
  Progress progress(context.err);
  request.kernel.progress = progress.hook();
  timing::Timeline whole = run_and_report(options, request, context.program);
  progress.clear();
  if (only_html(options)) return;
  const timing::Timeline t = timing::coarse(std::move(whole), options.most > 0 ? options.most : kMostBars);
  const timing::Time from = picoseconds(options.from), to = picoseconds(options.to);
  if (!options.svg.empty()) write_whole_file(options.svg, view::to_svg(t, {options.width, from, to}));
  if (!options.perfetto.empty()) write_whole_file(options.perfetto, view::to_perfetto(t));
  if (options.json)
    context.out << view::to_json(t).dump(1) << "\n";
  else if (options.svg.empty() && options.html.empty() && options.perfetto.empty())
    context.out << view::to_text(t, {100, from, to});
}

void add_cost_options(CLI::App& command, ViewCommand& options) {
  for (const timing::Parameter& p : timing::parameters())
    command
        .add_option_function<double>(
            "--" + p.name, [&options, name = p.name](double value) { options.costs[name] = value; },
            fmt::format("Modeled clock, {}: {}", p.unit, p.note))
        ->group("Modeled clock (default: the chip's, docs/timing.md)");
}

}  // namespace

void add_view(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "view", "Show a kernel, or a case, in modeled time, or as measured on this CPU.",
                                  "  millrace view kernel.mlirbc --fill iota\n"
                                  "  millrace view tests/cases/faults_small/slot_rewritten_under_store --svg race.svg\n"
                                  "  millrace view kernel.mlirbc --fill iota --target cpu");
  const auto options = std::make_shared<ViewCommand>();
  add_module_options(command, options->module);
  add_schedule_option(command, options->module);
  command.add_option("--svg", options->svg, "Draw the timeline into this file");
  command.add_option("--html", options->html,
                     "Write a report into this file: one page with findings, timeline, footprint");
  command.add_flag("--explore", options->explore, "With --html: look at every order of events that makes a difference");
  command
      .add_option("--compiled-for", options->compiled_for,
                  "With --html: also show what the real TPU compiler makes of it for these chips (v5e,v6e,tpu7x)")
      ->delimiter(',');
  command.add_option("--libtpu", options->libtpu, "The TPU's library, for --compiled-for (default as in `compile`)");
  command
      .add_option("--receipt", options->receipts,
                  "With --html: also show this receipt of `run --receipt` or `compile --receipt`; repeat for more")
      ->allow_extra_args(false);
  command.add_option("--width", options->width, "Of the SVG, in pixels (default 1000)")->check(CLI::Range(320, 20000));
  command.add_option("--perfetto", options->perfetto, "Write a trace for ui.perfetto.dev into this file");
  command
      .add_option("--max-bars", options->most,
                  "Join bars where there are more than so many (default 20000, with --html 100000)")
      ->check(CLI::Range(std::uint64_t{100}, std::uint64_t{100'000'000}));
  command.add_option("--from", options->from, "Show it from this moment on, in us (default 0)")
      ->check(CLI::Range(0.0, 1e9));
  command
      .add_option("--to", options->to,
                  "Show it up to this moment, in us (default: the end; in text as much as is readable)")
      ->check(CLI::Range(0.0, 1e9));
  command.add_flag("--json", options->json, "Print the timeline as JSON");
  add_cost_options(command, *options);
  command.callback([&context, options] { run_view(*options, context); });
}

}  // namespace millrace::cli
